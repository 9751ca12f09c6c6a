// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/jobs/header_edit/edit_command.h"
#include "tests/core/jobs/header_edit_fixture.h"

#include <sys/stat.h>

#include <chrono>
#include <unistd.h>

namespace cairn {
namespace {

using namespace edittest;

std::string headerText(const std::filesystem::path& path) {
    const auto all = readFile(path);
    const auto length = static_cast<std::size_t>(loadLittle<std::uint64_t>(all));
    return std::string(asText(std::span(all).subspan(8, length)));
}

ErrorCode planCode(const std::filesystem::path& path, const HeaderChanges& changes) {
    RealFileOps ops;
    const auto plan = planHeaderEdit(ops, path, changes, {});
    return plan ? ErrorCode::Internal : plan.error().code;
}

HeaderChanges rules(const char* text) {
    HeaderChanges changes;
    changes.rename = *NameRules::parse(text);
    return changes;
}

TEST(HeaderEdit, InItsOwnRoom) {
    for (const auto where : {TemporaryFolder::Where::Memory, TemporaryFolder::Where::Disk}) {
        const TemporaryFolder folder(where);
        const auto path = writeSample(folder, 100);
        const auto before = readFile(path);
        const auto data = dataOf(path);
        RealFileOps ops;
        const auto plan = planHeaderEdit(ops, path, shorter(), {});
        ASSERT_TRUE(plan.has_value()) << describe(plan.error());
        EXPECT_EQ(plan->method, EditMethod::InRoom);
        EXPECT_EQ(plan->inserted(), 0U);
        EXPECT_EQ(readFile(path), before) << "a plan writes nothing";
        ASSERT_EQ(plan->edited.renamed.size(), 3U);
        EXPECT_EQ(plan->edited.renamed[1].from, "module.b");
        EXPECT_EQ(plan->edited.renamed[1].to, "b");
        ASSERT_TRUE(applyHeaderEdit(ops, *plan, {}).has_value());
        EXPECT_EQ(folder.names(), std::vector<std::string>{"a.safetensors"});
        EXPECT_EQ(readFile(path).size(), before.size());
        EXPECT_EQ(dataOf(path), data);
        const std::string text = headerText(path);
        EXPECT_TRUE(text.starts_with(
            R"({"__metadata__":{"format":"np","tied":"b","cairn.ties":"all","by":"é\u000a\"x\""},"a":{"dtype":"U8", )"))
            << text;
        const auto opened = openCheckpoint(path);
        ASSERT_TRUE(opened.has_value());
        EXPECT_TRUE((*opened)->notices().empty());
        EXPECT_TRUE((*opened)->find("tied").has_value()) << "ties follow their tensors";
    }
}

TEST(HeaderEdit, ByInsertingBlocks) {
    const TemporaryFolder folder;
    if (!canInsert(folder)) {
        GTEST_SKIP() << "this file system cannot insert blocks";
    }
    for (const std::size_t bytes : {std::size_t{10}, std::size_t{5000}, std::size_t{300'000}}) {
        const auto path = writeSample(folder, 0);
        const auto before = readFile(path);
        const auto data = dataOf(path);
        RealFileOps ops;
        const auto plan = planHeaderEdit(ops, path, longer(bytes), {});
        ASSERT_TRUE(plan.has_value()) << describe(plan.error());
        EXPECT_EQ(plan->method, EditMethod::Insert);
        EXPECT_EQ(plan->inserted() % 4096, 0U);
        EXPECT_LT(plan->inserted(), bytes + 4096 + 200);
        const auto report = applyHeaderEdit(ops, *plan, {.force = false, .keepBackup = true});
        ASSERT_TRUE(report.has_value()) << describe(report.error());
        EXPECT_EQ(readFile(path).size(), before.size() + plan->inserted());
        EXPECT_EQ(dataOf(path), data);
        EXPECT_EQ(folder.names(),
                  (std::vector<std::string>{keptBackupName("a.safetensors"), "a.safetensors"}));
        std::filesystem::remove(report->backup);
        const auto opened = openCheckpoint(path);
        ASSERT_TRUE(opened.has_value());
        EXPECT_TRUE((*opened)->notices().empty());
        EXPECT_TRUE((*opened)->find("a.longer.beginning.of.all.names.c").has_value());
    }
}

TEST(HeaderEdit, WithoutRoomWhereNothingCanBeInserted) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    ASSERT_FALSE(canInsert(folder)) << "/dev/shm is a tmpfs, which inserts nothing";
    const auto path = writeSample(folder, 0);
    const auto before = readFile(path);
    RealFileOps ops;
    const auto plan = planHeaderEdit(ops, path, longer(500), {});
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->method, EditMethod::NotInPlace);
    EXPECT_FALSE(plan->why.empty());
    EXPECT_EQ(applyHeaderEdit(ops, *plan, {}).error().code, ErrorCode::NotInPlace);
    EXPECT_EQ(readFile(path), before);
    EXPECT_EQ(folder.names().size(), 1U);
}

TEST(HeaderEdit, SparseFilesAreNotMoved) {
    const TemporaryFolder folder;
    const auto path = writeSample(folder, 0);
    const auto size = std::filesystem::file_size(path);
    std::filesystem::resize_file(path, 5000);
    std::filesystem::resize_file(path, size);
    RealFileOps ops;
    const auto plan = planHeaderEdit(ops, path, longer(500), {});
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->method, EditMethod::NotInPlace);
}

TEST(HeaderEdit, TellsTheEntriesAsTheyAre) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const auto path = writeSample(folder, 200);
    RealFileOps ops;
    const auto plan = planHeaderEdit(ops, path, shorter(), {});
    ASSERT_TRUE(plan.has_value());
    const std::vector<std::pair<std::string, std::string>> entries = {
        {"format", "pt"}, {"note", "old \"words\""}, {"module.tied", "module.b"}};
    EXPECT_EQ(plan->edited.entries, entries);
}

TEST(HeaderEdit, TextThatIsATensorsNameStaysAsItIs) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const auto path = writeSample(folder, 200);
    RealFileOps ops;
    HeaderChanges text;
    text.set = {{"target", "module.b"}};
    const auto written = planHeaderEdit(ops, path, text, {});
    ASSERT_TRUE(written && applyHeaderEdit(ops, *written, {}));
    const auto renamed = planHeaderEdit(ops, path, rules("strip-wrappers"), {});
    ASSERT_TRUE(renamed && applyHeaderEdit(ops, *renamed, {}));
    EXPECT_NE(headerText(path).find(R"("target":"module.b")"), std::string::npos)
        << headerText(path);
    EXPECT_NE(headerText(path).find(R"("tied":"b")"), std::string::npos);
}

TEST(HeaderEdit, AsWordsOfTheCommandLine) {
    HeaderChanges changes = shorter();
    changes.renameText = "strip-wrappers";
    using Words = std::vector<std::string>;
    EXPECT_EQ(*editCommand("/f/a.safetensors", changes, {.force = false, .keepBackup = true},
                           EditRun::Apply),
              (Words{"edit", "/f/a.safetensors", "--rename=strip-wrappers", "--set=format=np",
                     "--set=by=\u00e9\n\"x\"", "--unset=note", "--keep-backup", "--apply"}));
    EXPECT_EQ(
        *editCommand("/f/a.safetensors", {}, {.force = true, .keepBackup = false}, EditRun::Plan),
        (Words{"edit", "/f/a.safetensors", "--force"}));
    changes.set = {{"a=b", "c"}};
    EXPECT_EQ(editCommand("/f/a.safetensors", changes, {}, EditRun::Apply).error().code,
              ErrorCode::InvalidArgument)
        << "the first = would part key and value";
    changes.set = {{"a", "b\x1fz"}};
    EXPECT_FALSE(editCommand("/f/a.safetensors", changes, {}, EditRun::Apply).has_value());
}

TEST(HeaderEdit, NothingToChange) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const auto path = writeSample(folder, 0);
    const auto before = readFile(path);
    RealFileOps ops;
    const auto plan = planHeaderEdit(ops, path, rules("nothing.=x."), {});
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->method, EditMethod::Nothing);
    EXPECT_TRUE(applyHeaderEdit(ops, *plan, {}).has_value());
    EXPECT_EQ(readFile(path), before);
}

TEST(HeaderEdit, WhatIsRefused) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const auto path = writeSample(folder, 200);
    EXPECT_EQ(planCode(path, rules("re:^module\\..$=same")), ErrorCode::DuplicateTensor);
    EXPECT_EQ(planCode(path, rules("module.tied=module.a")), ErrorCode::DuplicateTensor);
    EXPECT_EQ(planCode(path, rules("module.a=")), ErrorCode::NameNotRepresentable);
    EXPECT_EQ(planCode(path, rules("module.tied=")), ErrorCode::NameNotRepresentable);
    EXPECT_EQ(planCode(path, rules("module.a=__metadata__")), ErrorCode::NameNotRepresentable);
    EXPECT_EQ(planCode(path, rules("module.a=\xff")), ErrorCode::NameNotRepresentable);
    HeaderChanges unset;
    unset.unset = {"nothing"};
    EXPECT_EQ(planCode(path, unset), ErrorCode::InvalidArgument);
    EXPECT_EQ(planCode(folder.path(), shorter()), ErrorCode::NotInPlace);
    EXPECT_EQ(planCode(folder.path() / "none", shorter()), ErrorCode::NotFound);

    std::filesystem::create_symlink("a.safetensors", folder.path() / "link.safetensors");
    EXPECT_EQ(planCode(folder.path() / "link.safetensors", shorter()), ErrorCode::NotInPlace);

    std::filesystem::create_hard_link(path, folder.path() / "second.safetensors");
    EXPECT_EQ(planCode(path, shorter()), ErrorCode::NotInPlace);
    RealFileOps ops;
    EXPECT_TRUE(planHeaderEdit(ops, path, shorter(), {.force = true}).has_value());
    std::filesystem::remove(folder.path() / "second.safetensors");

    const auto index = folder.path() / "model.safetensors.index.json";
    writeFile(index, asBytes(R"({"weight_map":{"module.a":"a.safetensors"}})"));
    EXPECT_EQ(planCode(path, shorter()), ErrorCode::NotInPlace);
    HeaderChanges metadata;
    metadata.set = {{"note", "x"}};
    EXPECT_TRUE(planHeaderEdit(ops, path, metadata, {}).has_value()) << "names stay what they are";
    std::filesystem::remove(index);

    std::filesystem::create_directories(folder.path() / "hub/blobs");
    std::filesystem::create_directories(folder.path() / "hub/snapshots");
    std::filesystem::copy_file(path, folder.path() / "hub/blobs/0123");
    EXPECT_EQ(planCode(folder.path() / "hub/blobs/0123", shorter()), ErrorCode::NotInPlace);
}

TEST(HeaderEdit, DamagedHeadersAreLeftAlone) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const auto path = writeSample(folder, 200);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
    EXPECT_EQ(planCode(path, shorter()), ErrorCode::Truncated);
}

TEST(HeaderEdit, AFileThatChangedMeanwhile) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const auto path = writeSample(folder, 200);
    RealFileOps ops;
    const auto plan = planHeaderEdit(ops, path, shorter(), {});
    ASSERT_TRUE(plan.has_value());
    auto other = readFile(path);
    other.back() ^= std::byte{1};
    writeFile(path, other);
    std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) +
                                               std::chrono::seconds(1));
    EXPECT_EQ(applyHeaderEdit(ops, *plan, {}).error().code, ErrorCode::ChangedOnDisk);
    EXPECT_EQ(readFile(path), other);
    EXPECT_EQ(folder.names().size(), 1U);
}

TEST(HeaderEdit, OneAtATime) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const auto path = writeSample(folder, 200);
    RealFileOps ops;
    const auto plan = planHeaderEdit(ops, path, shorter(), {});
    ASSERT_TRUE(plan.has_value());
    const auto home = ops.openFolder(folder.path());
    const auto held = ops.openForEdit(*home, "a.safetensors");
    ASSERT_TRUE(held.has_value() && ops.lock(*held).value_or(false));
    EXPECT_EQ(applyHeaderEdit(ops, *plan, {}).error().code, ErrorCode::JobIsRunning);
    EXPECT_EQ(recoverHeaderEdit(ops, path).error().code, ErrorCode::JobIsRunning);
}

TEST(HeaderEdit, AReadOnlyFileSystemSaysSo) {
    const TemporaryFolder folder(TemporaryFolder::Where::Memory);
    const auto path = writeSample(folder, 200);
    RealFileOps real;
    FaultFileOps ops(real, {0, true, EROFS, FileCallKind::OpenForEdit, false});
    EXPECT_EQ(planHeaderEdit(ops, path, shorter(), {}).error().code, ErrorCode::ReadOnlyFileSystem);
}

} // namespace
} // namespace cairn
