// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_ops_fault.h"
#include "core/io/file_system_id.h"
#include "core/jobs/engine/disk_rates.h"
#include "tests/core/jobs/job_fixture.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace cairn {
namespace {

using namespace jobtest;

constexpr std::uint64_t kGigabyte = 1'000'000'000;
const FileSystemPair kPair{"ef53-1", "ef53-2"};

void learn(const DiskRates& rates, const FileSystemPair& pair, const MeasuredWork& work) {
    RealFileOps real;
    const auto learned = rates.learn(real, pair, work);
    EXPECT_TRUE(learned.has_value()) << describe(learned.error());
}

double copyRate(const DiskRates& rates, const FileSystemPair& pair = kPair) {
    return rates.of(pair).of(WorkKind::Copy);
}

void writeText(const std::filesystem::path& path, std::string_view text) {
    writeFile(path, std::as_bytes(std::span(text)));
}

TEST(DiskRates, KnowWhatTheyLearnedByPairAndKind) {
    const TemporaryFolder folder;
    const DiskRates rates(folder.path() / "not yet" / "there");
    EXPECT_EQ(copyRate(rates), 0);
    learn(rates, kPair, {WorkKind::Copy, 2 * kGigabyte, 2.5});
    learn(rates, kPair, {WorkKind::Cast, kGigabyte, 2});
    learn(rates, {kPair.output, kPair.source}, {WorkKind::Copy, kGigabyte, 10});
    const WorkRates known = DiskRates(folder.path() / "not yet" / "there").of(kPair);
    EXPECT_DOUBLE_EQ(known.of(WorkKind::Copy), 8e8);
    EXPECT_DOUBLE_EQ(known.of(WorkKind::Cast), 5e8);
    EXPECT_EQ(known.of(WorkKind::Gather), 0);
    EXPECT_DOUBLE_EQ(copyRate(rates, {kPair.output, kPair.source}), 1e8);
    EXPECT_EQ(copyRate(rates, {kPair.source, kPair.source}), 0);
}

TEST(DiskRates, LargeAndRecentJobsCountMost) {
    const TemporaryFolder folder;
    const DiskRates rates(folder.path());
    learn(rates, kPair, {WorkKind::Copy, kGigabyte, 1});
    learn(rates, kPair, {WorkKind::Copy, kGigabyte, 4});
    EXPECT_NEAR(copyRate(rates), 1.5e9 / 4.5, 1);
    learn(rates, kPair, {WorkKind::Copy, 100 * kGigabyte, 500});
    EXPECT_NEAR(copyRate(rates), 2e8, 2e6);
    for (int i = 0; i < 12; ++i) { // the disk was replaced by a faster one
        learn(rates, kPair, {WorkKind::Copy, kGigabyte, 1});
    }
    EXPECT_GT(copyRate(rates), 9e8);
}

TEST(DiskRates, LearnNothingFromLittleOrFromWhatCannotBe) {
    const TemporaryFolder folder;
    const DiskRates rates(folder.path());
    learn(rates, kPair, {WorkKind::Copy, DiskRates::kLeastBytes - 1, 1});
    learn(rates, kPair, {WorkKind::Copy, kGigabyte, 0});
    learn(rates, kPair, {WorkKind::Copy, kGigabyte, -1});
    learn(rates, kPair, {WorkKind::Copy, kGigabyte, 1e-9});
    learn(rates, {"", "ef53-2"}, {WorkKind::Copy, kGigabyte, 1});
    learn(rates, {"ef53-1", ""}, {WorkKind::Copy, kGigabyte, 1});
    learn(rates, {"ef53-1", std::string(2000, 'x')}, {WorkKind::Copy, kGigabyte, 1});
    learn(DiskRates(std::filesystem::path()), kPair, {WorkKind::Copy, kGigabyte, 1});
    EXPECT_TRUE(folder.names().empty());
    learn(rates, kPair, {WorkKind::Copy, DiskRates::kLeastBytes, 1});
    EXPECT_EQ(folder.names(), std::vector<std::string>{"disk-rates.json"});
}

TEST(DiskRates, ThePairsOfLongestAgoGo) {
    const TemporaryFolder folder;
    const DiskRates rates(folder.path());
    const auto pair = [](std::size_t i) {
        return FileSystemPair{"nfs4 host:/" + std::to_string(i), "ef53-2"};
    };
    for (std::size_t i = 0; i < DiskRates::kMaxPairs; ++i) {
        learn(rates, pair(i), {WorkKind::Copy, kGigabyte, 1});
    }
    learn(rates, pair(0), {WorkKind::Copy, kGigabyte, 1}); // no longer the oldest
    learn(rates, kPair, {WorkKind::Copy, kGigabyte, 1});
    EXPECT_GT(copyRate(rates, pair(0)), 0);
    EXPECT_EQ(copyRate(rates, pair(1)), 0);
    EXPECT_GT(copyRate(rates, pair(2)), 0);
    EXPECT_GT(copyRate(rates), 0);
}

std::string fileSaying(const std::string& tally) {
    return R"({"schema":"cairn/1","pairs":[{"source":"ef53-1","output":"ef53-2","work":{"copy":)" +
           tally + "}}]}";
}

TEST(DiskRates, ADamagedFileCountsAsNothingKnown) {
    const TemporaryFolder folder;
    const DiskRates rates(folder.path());
    const std::filesystem::path file = folder.path() / "disk-rates.json";
    writeText(file, fileSaying(R"({"bytes":1e9,"seconds":2})"));
    ASSERT_DOUBLE_EQ(copyRate(rates), 5e8); // the file's form is as expected
    const std::vector<std::string> damaged = {
        "",
        "{",
        "[]",
        "null",
        "\xff\xfe",
        std::string(300'000, '['),
        R"({"pairs":7})",
        R"({"pairs":[7,null,"x",[],{}]})",
        R"({"pairs":[{"source":1,"output":2,"work":[]}]})",
        R"({"pairs":[{"source":"ef53-1","output":"ef53-2"}]})",
        R"({"pairs":[{"source":"ef53-1","output":"ef53-2","work":{"copy":3}}]})",
        fileSaying("{}"),
        fileSaying(R"({"bytes":1e9})"),
        fileSaying(R"({"bytes":1e9,"seconds":0})"),
        fileSaying(R"({"bytes":-1e9,"seconds":-2})"),
        fileSaying(R"({"bytes":NaN,"seconds":2})"),
        fileSaying(R"({"bytes":1e9,"seconds":NaN})"),
        fileSaying(R"({"bytes":Infinity,"seconds":2})"),
        fileSaying(R"({"bytes":1e9,"seconds":Infinity})"),
        fileSaying(R"({"bytes":1e9,"seconds":1e-300})"),
        fileSaying(R"({"bytes":1,"seconds":1e9})"),
        fileSaying(R"({"bytes":1e300,"seconds":1e290})"),
        fileSaying(R"({"bytes":"1000000000","seconds":"2"})"),
        fileSaying(R"({"bytes":1e9,"seconds":2})") + std::string(300'000, ' '), // too long
    };
    for (const std::string& text : damaged) {
        writeText(file, text);
        EXPECT_EQ(rates.of(kPair).bytesPerSecond, WorkRates().bytesPerSecond) << text.substr(0, 90);
    }
    learn(rates, kPair, {WorkKind::Copy, kGigabyte, 2}); // and is replaced
    EXPECT_DOUBLE_EQ(copyRate(rates), 5e8);
}

TEST(DiskRates, OnlyARegularFileOfItsOwnFolderIsRead) {
    const TemporaryFolder folder;
    const TemporaryFolder elsewhere;
    const DiskRates rates(folder.path());
    const std::filesystem::path file = folder.path() / "disk-rates.json";
    writeText(elsewhere.path() / "rates", fileSaying(R"({"bytes":1e9,"seconds":2})"));
    std::filesystem::create_symlink(elsewhere.path() / "rates", file);
    EXPECT_EQ(copyRate(rates), 0);
    learn(rates, kPair, {WorkKind::Copy, kGigabyte, 4}); // replaces the link, not its target
    EXPECT_DOUBLE_EQ(copyRate(rates), 2.5e8);
    EXPECT_DOUBLE_EQ(copyRate(DiskRates(elsewhere.path())), 0);
    EXPECT_TRUE(readFile(elsewhere.path() / "rates").size() > 100);
    std::filesystem::remove(file);

    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
    EXPECT_EQ(copyRate(rates), 0); // without waiting for a writer
    std::filesystem::remove(file);

    std::filesystem::create_directory(file);
    RealFileOps real;
    EXPECT_EQ(copyRate(rates), 0);
    EXPECT_FALSE(rates.learn(real, kPair, {WorkKind::Copy, kGigabyte, 2}).has_value());
    EXPECT_EQ(folder.names(),
              std::vector<std::string>{"disk-rates.json"}); // no temporary file remains
}

TEST(DiskRates, AFailureLeavesWhatWasKnown) {
    const TemporaryFolder folder;
    const DiskRates rates(folder.path());
    learn(rates, kPair, {WorkKind::Copy, kGigabyte, 1});
    RealFileOps real;
    std::uint64_t failed = 0;
    for (std::uint64_t at = 0;; ++at) {
        FaultPlan plan;
        plan.at = at;
        plan.errnoValue = ENOSPC;
        FaultFileOps faulty(real, plan);
        const auto learned = rates.learn(faulty, kPair, {WorkKind::Copy, kGigabyte, 1});
        if (faulty.faults() == 0) {
            break;
        }
        failed += learned ? 0U : 1U;
        EXPECT_DOUBLE_EQ(copyRate(rates), 1e9) << at;
        EXPECT_EQ(folder.names(), std::vector<std::string>{"disk-rates.json"}) << at;
    }
    EXPECT_GE(failed, 5U);

    writeText(folder.path() / "file", "no folder");
    const DiskRates nowhere(folder.path() / "file" / "cairn");
    EXPECT_FALSE(nowhere.learn(real, kPair, {WorkKind::Copy, kGigabyte, 1}).has_value());
    EXPECT_EQ(copyRate(nowhere), 0);
}

TEST(DiskRates, WhatAKilledProcessLeftIsRemovedInTime) {
    const TemporaryFolder folder;
    const DiskRates rates(folder.path());
    writeText(folder.path() / ".disk-rates-1-0", "begun");
    writeText(folder.path() / ".disk-rates-2-0", "begun long ago");
    const std::array<timespec, 2> longAgo{{{1, 0}, {1, 0}}};
    const std::filesystem::path old = folder.path() / ".disk-rates-2-0";
    ASSERT_EQ(::utimensat(AT_FDCWD, old.c_str(), longAgo.data(), 0), 0);
    learn(rates, kPair, {WorkKind::Copy, kGigabyte, 1});
    EXPECT_EQ(folder.names(), (std::vector<std::string>{".disk-rates-1-0", "disk-rates.json"}));
}

TEST(DiskRates, ProcessesMayWriteAtOnce) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const DiskRates rates(folder.path());
    learn(rates, kPair, {WorkKind::Copy, kGigabyte, 1});
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i) {
        children.push_back(::fork());
        if (children.back() == 0) {
            RealFileOps real;
            bool good = true;
            for (int n = 0; n < 50; ++n) { // a reader always sees one writer's complete file
                good = good && rates.learn(real, kPair, {WorkKind::Copy, kGigabyte, 1}) &&
                       copyRate(rates) > 9.9e8;
            }
            ::_exit(good ? 0 : 1);
        }
    }
    for (const pid_t child : children) {
        int status = 0;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    EXPECT_NEAR(copyRate(rates), 1e9, 1);
    EXPECT_EQ(folder.names(), std::vector<std::string>{"disk-rates.json"});
}

TEST(FileSystemId, IsTheSameOnOneFileSystem) {
    const TemporaryFolder disk;
    const TemporaryFolder other;
    EXPECT_FALSE(fileSystemId(disk.path()).empty());
    EXPECT_EQ(fileSystemId(disk.path()), fileSystemId(other.path()));
    EXPECT_EQ(fileSystemId(disk.path() / "not there"), "");
    EXPECT_FALSE(fileSystemId("/proc").empty()); // has no device number: identified by its mount
    const TemporaryFolder memory(TemporaryFolder::Where::Memory);
    struct stat one {};
    struct stat two {};
    ASSERT_EQ(::stat(disk.path().c_str(), &one), 0);
    ASSERT_EQ(::stat(memory.path().c_str(), &two), 0);
    if (one.st_dev != two.st_dev) {
        EXPECT_EQ(fileSystemId(memory.path()), "memory");
    }
}

} // namespace
} // namespace cairn
