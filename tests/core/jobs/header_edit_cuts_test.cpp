// SPDX-License-Identifier: Apache-2.0
//
// Edits that are cut short: by a fault, a kill, a power cut, at every system call.
#include "core/base/endian.h"
#include "core/io/system_error.h"
#include "tests/core/jobs/header_edit_fixture.h"

#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace cairn {
namespace {

using namespace edittest;

struct Case {
    const char* name;
    TemporaryFolder::Where where;
    std::size_t room;
    HeaderChanges changes;
    bool inserts;
};

/// The cases that this machine's file systems support.
std::vector<Case> cases() {
    std::vector<Case> all = {
        {"in room", TemporaryFolder::Where::Memory, 300, shorter(), false},
    };
    if (canInsert(TemporaryFolder())) {
        all.push_back({"one block", TemporaryFolder::Where::Disk, 0, longer(20), true});
        all.push_back({"five blocks", TemporaryFolder::Where::Disk, 0, longer(18'000), true});
    }
    return all;
}

/// The file's bytes before and after the edit.
struct Ends {
    std::vector<std::byte> before;
    std::vector<std::byte> after;
};

Ends endsOf(const Case& each) {
    const TemporaryFolder folder(each.where);
    Ends ends;
    ends.before = readFile(writeSample(folder, each.room));
    ends.after = editedBytes(folder, each.room, each.changes);
    return ends;
}

std::uint64_t callsOf(const Case& each) {
    const TemporaryFolder folder(each.where);
    const auto path = writeSample(folder, each.room);
    RealFileOps real;
    StoppingFileOps counted(real, {~std::uint64_t{0}, false, false, 0});
    const auto plan = planHeaderEdit(real, path, each.changes, {});
    EXPECT_TRUE(applyHeaderEdit(counted, *plan, {}).has_value());
    return counted.calls();
}

/// A file after an interrupted edit is either complete and correct, or refused with the right error
/// code and then repaired.
void expectMended(const TemporaryFolder& folder, const Ends& ends, const std::string& context) {
    const auto path = folder.path() / "a.safetensors";
    const bool marked = std::filesystem::exists(folder.path() / editBackupName("a.safetensors"));
    const auto left = readFile(path);
    const auto opened = openCheckpoint(path);
    if (left != ends.before && left != ends.after) {
        ASSERT_TRUE(marked) << context;
        ASSERT_FALSE(opened.has_value() && (*opened)->completeness() == Completeness::Complete)
            << context << ": a half can be read";
    }
    if (marked && !opened) {
        EXPECT_EQ(opened.error().code, ErrorCode::EditInterrupted) << context;
    } else if (marked) {
        EXPECT_EQ((*opened)->notices().front().error.code, ErrorCode::EditInterrupted) << context;
    }
    RealFileOps real;
    const auto recovered = recoverHeaderEdit(real, path);
    ASSERT_TRUE(recovered.has_value()) << context << ": " << describe(recovered.error());
    const auto now = readFile(path);
    EXPECT_TRUE(now == ends.before || now == ends.after) << context;
    EXPECT_EQ(*recovered == Recovered::Finished, marked && now == ends.after) << context;
    EXPECT_EQ(folder.names().size(), 1U) << context;
}

TEST(HeaderEditFaults, AnyCallThatFailsOnceLeavesTheOldFileOrTheNewOne) {
    for (const Case& each : cases()) {
        const Ends ends = endsOf(each);
        for (const int errnoValue : {ENOSPC, EIO, EDQUOT, EROFS}) {
            for (std::uint64_t at = 0; at < 40; ++at) {
                const TemporaryFolder folder(each.where);
                const auto path = writeSample(folder, each.room);
                RealFileOps real;
                const auto plan = planHeaderEdit(real, path, each.changes, {});
                ASSERT_TRUE(plan.has_value());
                FaultFileOps faulty(real, {at, false, errnoValue, {}, false});
                const auto report = applyHeaderEdit(faulty, *plan, {});
                const std::string context = std::string(each.name) + " at " + std::to_string(at);
                const auto now = readFile(path);
                if (report) {
                    EXPECT_EQ(now, ends.after) << context;
                    EXPECT_TRUE(folder.names().size() == 1 || !report->notices.empty());
                } else if (report.error().code != ErrorCode::SyncFailed) {
                    EXPECT_EQ(now, ends.before) << context << describe(report.error());
                }
                expectMended(folder, ends, context);
                if (faulty.faults() == 0) {
                    break;
                }
            }
        }
    }
}

TEST(HeaderEditFaults, ShortWritesAreFinished) {
    for (const Case& each : cases()) {
        const Ends ends = endsOf(each);
        const TemporaryFolder folder(each.where);
        const auto path = writeSample(folder, each.room);
        RealFileOps real;
        const auto plan = planHeaderEdit(real, path, each.changes, {});
        FaultFileOps faulty(real, {0, true, 0, FileCallKind::Write, false});
        ASSERT_TRUE(applyHeaderEdit(faulty, *plan, {}).has_value());
        EXPECT_EQ(readFile(path), ends.after);
    }
}

TEST(HeaderEditKills, AtAnyCallAndInTheMiddleOfAnyWrite) {
    for (const Case& each : cases()) {
        const Ends ends = endsOf(each);
        const std::uint64_t calls = callsOf(each);
        ASSERT_GT(calls, 10U);
        for (const bool half : {false, true}) {
            for (std::uint64_t at = 0; at < calls; ++at) {
                const TemporaryFolder folder(each.where);
                const auto path = writeSample(folder, each.room);
                RealFileOps real;
                const auto plan = planHeaderEdit(real, path, each.changes, {});
                StoppingFileOps ops(real, {at, half, false, 0});
                (void)applyHeaderEdit(ops, *plan, {});
                ASSERT_TRUE(ops.stopped());
                expectMended(folder, ends, std::string(each.name) + " at " + std::to_string(at));
            }
        }
    }
}

TEST(HeaderEditKills, TheProcessItself) {
    for (const Case& each : cases()) {
        const Ends ends = endsOf(each);
        jobtest::EveryCall calls;
        while (calls.more()) {
            const std::uint64_t at = calls.next();
            const TemporaryFolder folder(each.where);
            const auto path = writeSample(folder, each.room);
            const pid_t child = ::fork();
            if (child == 0) {
                RealFileOps real;
                HookFileOps ops(real, at, [] { ::kill(::getpid(), SIGKILL); });
                const auto plan = planHeaderEdit(real, path, each.changes, {});
                (void)applyHeaderEdit(ops, *plan, {});
                ::_exit(0);
            }
            int status = 0;
            ASSERT_EQ(::waitpid(child, &status, 0), child);
            calls.met(WIFSIGNALED(status));
            expectMended(folder, ends, std::string(each.name) + " at " + std::to_string(at));
        }
        EXPECT_GE(calls.stopped(), callsOf(each));
    }
}

TEST(HeaderEditPowerCuts, UnsyncedSectorsMayBeLost) {
    const std::uint32_t most = std::getenv("CAIRN_SANITIZED") == nullptr ? 40 : 8;
    for (const Case& each : cases()) {
        const Ends ends = endsOf(each);
        const std::uint64_t calls = callsOf(each);
        for (std::uint32_t seed = 0; seed < (each.inserts ? 3U : most); ++seed) {
            for (std::uint64_t at = 0; at < calls; ++at) {
                const TemporaryFolder folder(each.where);
                const auto path = writeSample(folder, each.room);
                RealFileOps real;
                const auto plan = planHeaderEdit(real, path, each.changes, {});
                StoppingFileOps ops(real, {at, (seed & 1U) != 0, true, seed * 1000});
                (void)applyHeaderEdit(ops, *plan, {});
                expectMended(folder, ends, std::string(each.name) + " at " + std::to_string(at));
            }
        }
    }
}

/// A file whose edit stopped at the header's write, after everything was inserted.
void stopAfterInsertion(const TemporaryFolder& folder, const Case& each, std::uint64_t at) {
    const auto path = writeSample(folder, each.room);
    RealFileOps real;
    const auto plan = planHeaderEdit(real, path, each.changes, {});
    StoppingFileOps ops(real, {at, true, false, 0});
    (void)applyHeaderEdit(ops, *plan, {});
}

void move(const std::filesystem::path& path, int mode, std::uint64_t at, std::uint64_t length) {
    const int fd = ::open(path.c_str(), O_RDWR);
    ASSERT_EQ(::fallocate(fd, mode, static_cast<off_t>(at), static_cast<off_t>(length)), 0);
    ::close(fd);
}

TEST(HeaderEditPowerCuts, BlocksThatWereMovedHalfway) {
    for (const Case& each : cases()) {
        if (!each.inserts) {
            continue;
        }
        const Ends ends = endsOf(each);
        const std::uint64_t inserted = ends.after.size() - ends.before.size();
        // A file system may move extents one by one: the hole is then further back.
        for (std::uint64_t at = 4096; at < ends.before.size(); at += 4096) {
            const TemporaryFolder folder;
            stopAfterInsertion(folder, each, 5); // the insertion fails: only the backup exists
            const auto path = folder.path() / "a.safetensors";
            ASSERT_EQ(readFile(path), ends.before);
            move(path, FALLOC_FL_INSERT_RANGE, at, inserted);
            expectMended(folder, ends, "hole at " + std::to_string(at));
        }
        const TemporaryFolder folder; // only the size differs
        stopAfterInsertion(folder, each, 5);
        const auto path = folder.path() / "a.safetensors";
        std::filesystem::resize_file(path, ends.after.size());
        expectMended(folder, ends, "at the end");
    }
}

TEST(HeaderEditKills, RecoveringCanItselfBeKilled) {
    for (const Case& each : cases()) {
        const Ends ends = endsOf(each);
        const std::uint64_t calls = callsOf(each);
        for (std::uint64_t at = 0; at < calls; ++at) {
            for (std::uint64_t again = 0; again < 14; ++again) {
                const TemporaryFolder folder(each.where);
                const auto path = writeSample(folder, each.room);
                RealFileOps real;
                const auto plan = planHeaderEdit(real, path, each.changes, {});
                StoppingFileOps ops(real, {at, true, false, 0});
                (void)applyHeaderEdit(ops, *plan, {});
                StoppingFileOps second(real, {again, true, again % 2 == 1, 5});
                const auto recovered = recoverHeaderEdit(second, path);
                expectMended(folder, ends,
                             std::string(each.name) + " at " + std::to_string(at) + " and " +
                                 std::to_string(again));
                if (recovered) {
                    break;
                }
            }
        }
    }
}

TEST(HeaderEditRecovery, LeavesStrangersAlone) {
    const Case each = cases().back();
    const TemporaryFolder folder(each.where);
    stopAfterInsertion(folder, each, callsOf(each) - 6);
    const auto path = folder.path() / "a.safetensors";
    const auto backup = folder.path() / editBackupName("a.safetensors");
    ASSERT_TRUE(std::filesystem::exists(backup));
    const auto left = readFile(path);
    RealFileOps real;

    auto other = left; // data
    other[other.size() - 1] ^= std::byte{1};
    writeFile(path, other);
    EXPECT_EQ(recoverHeaderEdit(real, path).error().code, ErrorCode::ChangedOnDisk);
    EXPECT_EQ(readFile(path), other);

    other = left; // length
    other.push_back(std::byte{1});
    writeFile(path, other);
    EXPECT_EQ(recoverHeaderEdit(real, path).error().code, ErrorCode::ChangedOnDisk);
    EXPECT_EQ(readFile(path), other);

    auto record = readFile(backup);
    record[record.size() / 2] ^= std::byte{1};
    writeFile(backup, record);
    EXPECT_EQ(recoverHeaderEdit(real, path).error().code, ErrorCode::BadEncoding);
    EXPECT_EQ(readFile(path), other);
}

TEST(HeaderEditRecovery, NothingToDo) {
    const TemporaryFolder folder;
    const auto path = writeSample(folder, 10);
    RealFileOps real;
    EXPECT_EQ(recoverHeaderEdit(real, path).value_or(Recovered::Undone), Recovered::Nothing);
}

TEST(HeaderEditRecovery, NoSecondEditBeforeIt) {
    const Case each = cases().front();
    const TemporaryFolder folder(each.where);
    stopAfterInsertion(folder, each, callsOf(each) - 6);
    const auto path = folder.path() / "a.safetensors";
    RealFileOps real;
    EXPECT_EQ(planHeaderEdit(real, path, shorter(), {}).error().code, ErrorCode::EditInterrupted);
}

} // namespace
} // namespace cairn
