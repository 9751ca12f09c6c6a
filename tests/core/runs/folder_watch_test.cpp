// SPDX-License-Identifier: Apache-2.0
#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/scan/experiment_scan.h"
#include "core/runs/scan/folder_watch.h"
#include "core/runs/scan/reuse_unchanged.h"
#include "tests/core/runs/run_folder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::smallSafetensors;
using test::TemporaryFolder;

constexpr auto kPatience = 10s;
constexpr auto kQuiet = 300ms; // long enough for an event that must not come

/// Counts the calls and lets a test wait for the next one.
class Calls {
public:
    void add() {
        const std::scoped_lock lock(m_mutex);
        ++m_count;
        m_changed.notify_all();
    }
    int count() {
        const std::scoped_lock lock(m_mutex);
        return m_count;
    }
    bool isMoreThan(int before, std::chrono::milliseconds patience = kPatience) {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, patience, [&] { return m_count > before; });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    int m_count = 0;
};

class FolderWatching : public ::testing::TestWithParam<bool> {
protected:
    WatchOptions options() const {
        WatchOptions options;
        options.coalesce = 20ms;
        options.poll = 30ms;
        options.pollOnly = GetParam();
        return options;
    }
    /// Runs `act` and waits for the notification.
    template <class Act> bool isToldOf(const Act& act) {
        std::this_thread::sleep_for(100ms); // earlier events have been delivered
        const int before = calls.count();
        act();
        return calls.isMoreThan(before);
    }

    TemporaryFolder folder;
    Calls calls;
};

TEST_P(FolderWatching, TellsOfWhatComesGrowsIsRenamedAndGoes) {
    fs::create_directories(folder.path() / "run");
    FolderWatch watch([&] { calls.add(); }, options());
    EXPECT_EQ(watch.watch({folder.path(), folder.path() / "run"}), 2U);
    EXPECT_EQ(GetParam() ? watch.polled() : watch.watched(), 2U);
    EXPECT_TRUE(isToldOf([&] { folder.write("run/step-1.pt", "abc"); }));
    EXPECT_TRUE(isToldOf([&] { folder.write("run/step-1.pt", "abcdef"); }));
    EXPECT_TRUE(isToldOf(
        [&] { fs::rename(folder.path() / "run/step-1.pt", folder.path() / "run/step-2.pt"); }));
    EXPECT_TRUE(isToldOf([&] { fs::remove(folder.path() / "run/step-2.pt"); }));
    EXPECT_TRUE(isToldOf([&] { fs::remove(folder.path() / "run"); }));
}

TEST_P(FolderWatching, SaysNothingWhenNothingHappens) {
    fs::create_directories(folder.path() / "run");
    fs::create_directories(folder.path() / "other");
    FolderWatch watch([&] { calls.add(); }, options());
    watch.watch({folder.path() / "run"});
    folder.write("other/step-1.pt", "abc");
    EXPECT_FALSE(calls.isMoreThan(0, kQuiet));
}

TEST_P(FolderWatching, AReplacedFolderIsWatchedAnew) {
    fs::create_directories(folder.path() / "run");
    FolderWatch watch([&] { calls.add(); }, options());
    const std::vector<fs::path> folders{folder.path(), folder.path() / "run"};
    watch.watch(folders);
    EXPECT_EQ(watch.watch(folders), 0U) << "nothing is new";
    EXPECT_TRUE(isToldOf([&] {
        fs::rename(folder.path() / "run", folder.path() / "run.old");
        fs::create_directory(folder.path() / "run");
    }));
    watch.watch(folders);
    EXPECT_TRUE(isToldOf([&] { folder.write("run/step-1.pt", "in the new one"); }));
}

TEST_P(FolderWatching, WhatIsNotAskedForAnyMoreIsLeftAlone) {
    fs::create_directories(folder.path() / "a");
    fs::create_directories(folder.path() / "b");
    FolderWatch watch([&] { calls.add(); }, options());
    watch.watch({folder.path() / "a", folder.path() / "b"});
    watch.watch({folder.path() / "b", folder.path() / "nowhere"});
    EXPECT_EQ(watch.watched() + watch.polled(), 1U);
    folder.write("a/step-1.pt", "abc");
    EXPECT_FALSE(calls.isMoreThan(0, kQuiet));
    EXPECT_TRUE(isToldOf([&] { folder.write("b/step-1.pt", "abc"); }));
}

TEST_P(FolderWatching, EndsWhileFilesAreWritten) {
    std::atomic<bool> stop = false;
    std::atomic<int> written = 0;
    std::thread writer([&] {
        for (int i = 0; !stop; written = ++i) {
            folder.write("step-" + std::to_string(i % 50) + ".pt", std::to_string(i));
        }
    });
    for (int round = 0; round < 20; ++round) {
        FolderWatch watch([&] { calls.add(); }, options());
        watch.watch({folder.path()});
        for (const int before = written; written == before;) {
            std::this_thread::yield();
        }
    }
    const int last = calls.count();
    for (const int before = written; written < before + 20;) {
        std::this_thread::yield();
    }
    EXPECT_EQ(calls.count(), last) << "nobody is called any more";
    stop = true;
    writer.join();
}

INSTANTIATE_TEST_SUITE_P(Kernel, FolderWatching, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Polled, FolderWatching, ::testing::Values(true));

TEST(FolderWatch, ManyChangesAreFewCalls) {
    const TemporaryFolder folder;
    Calls calls;
    WatchOptions options;
    options.coalesce = 200ms;
    FolderWatch watch([&] { calls.add(); }, options);
    watch.watch({folder.path()});
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 300; ++i) {
        folder.write("step-1.pt", std::string(static_cast<std::size_t>(i), 'x'));
    }
    const auto took = std::chrono::steady_clock::now() - begin;
    const int first = calls.count();
    EXPECT_LE(first, 2 + took / 200ms);
    EXPECT_TRUE(calls.isMoreThan(0));
    std::this_thread::sleep_for(500ms);
    const int last = calls.count();
    EXPECT_GE(last, 2) << "the changes after the first call are told as well";
    std::this_thread::sleep_for(500ms);
    EXPECT_EQ(calls.count(), last);
}

TEST(FolderWatch, BeyondTheWatchesItPolls) {
    const TemporaryFolder folder;
    std::vector<fs::path> folders;
    for (int i = 0; i < 10; ++i) {
        folders.push_back(folder.path() / std::to_string(i));
        fs::create_directory(folders.back());
    }
    Calls calls;
    WatchOptions options;
    options.maxWatches = 3;
    options.coalesce = 10ms;
    options.poll = 30ms;
    FolderWatch watch([&] { calls.add(); }, options);
    EXPECT_EQ(watch.watch(folders), 10U);
    EXPECT_EQ(watch.watched(), 3U);
    EXPECT_EQ(watch.polled(), 7U);
    folder.write("9/step-1.pt", "abc");
    EXPECT_TRUE(calls.isMoreThan(0));
}

/// As the window uses it: list, watch, list again.
TEST(FolderWatch, NewStepsAppearAndHalfWrittenOnesBecomeWhole) {
    const TemporaryFolder folder;
    folder.write("run/step-1.safetensors", smallSafetensors());
    Calls calls;
    WatchOptions options;
    options.coalesce = 10ms;
    FolderWatch watch([&] { calls.add(); }, options);
    Experiment known = *scanExperiment(folder.path());
    watch.watch(known.folders);
    const auto again = [&] {
        Experiment now = *scanExperiment(folder.path());
        reuseUnchanged(now, known);
        for (ScannedCheckpoint& each : now.runs.at(0).checkpoints) {
            applyFacts(each, *examineCheckpoint(each.path));
        }
        settleRun(now.runs.at(0));
        known = std::move(now);
        watch.watch(known.folders);
        return known.runs.at(0).checkpoints;
    };
    const std::string whole = smallSafetensors();
    folder.write("run/step-2.safetensors", whole.substr(0, whole.size() - 2));
    ASSERT_TRUE(calls.isMoreThan(0));
    auto list = again();
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[1].state, CheckpointState::BeingWritten);
    EXPECT_TRUE(list[0].latest);
    std::this_thread::sleep_for(50ms);
    int before = calls.count();
    folder.write("run/step-2.safetensors", whole);
    ASSERT_TRUE(calls.isMoreThan(before));
    list = again();
    EXPECT_NE(list.at(1).state, CheckpointState::BeingWritten);
    EXPECT_TRUE(list.at(1).latest);
    std::this_thread::sleep_for(50ms);
    before = calls.count();
    fs::remove(folder.path() / "run/step-1.safetensors");
    ASSERT_TRUE(calls.isMoreThan(before));
    EXPECT_EQ(again().size(), 1U);
}

} // namespace
} // namespace cairn
