// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/runs/facts/shared_open.h"
#include "tests/core/runs/run_folder.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <fstream>
#include <thread>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using test::smallSafetensors;
using test::TemporaryFolder;

fs::path written(const TemporaryFolder& folder) {
    const fs::path path = folder.path() / "model.safetensors";
    std::ofstream(path, std::ios::binary) << smallSafetensors();
    return path;
}

TEST(SharedOpen, SharesWhatSomebodyHoldsAndKeepsNothingAlive) {
    const TemporaryFolder folder;
    const fs::path path = written(folder);
    std::weak_ptr<const Checkpoint> first;
    {
        const auto held = openShared(path);
        ASSERT_TRUE(held) << describe(held.error());
        first = *held;
        EXPECT_EQ(*openShared(path), *held);
    }
    EXPECT_TRUE(first.expired());
    EXPECT_TRUE(openShared(path));
}

TEST(SharedOpen, OpensAgainWhatChanged) {
    const TemporaryFolder folder;
    const fs::path path = written(folder);
    const auto held = openShared(path);
    ASSERT_TRUE(held);
    fs::remove(path);
    const auto missing = openShared(path);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, openCheckpoint(path).error().code);
    written(folder); // the same bytes in a new file
    const auto again = openShared(path);
    ASSERT_TRUE(again);
    EXPECT_NE(*again, *held);
    EXPECT_EQ(*openShared(path), *again);
}

TEST(SharedOpen, OpensAgainForAUser) {
    const TemporaryFolder folder;
    const fs::path path = written(folder);
    const auto held = openShared(path);
    const auto chosen = openShared(path, {}, Reuse::Running);
    ASSERT_TRUE(held && chosen);
    EXPECT_NE(*chosen, *held);
    EXPECT_EQ(*openShared(path), *chosen);
}

TEST(SharedOpen, GivesAllWhoAskAtOnceTheSameCheckpoint) {
    const TemporaryFolder folder;
    const fs::path path = written(folder);
    std::array<CheckpointPtr, 8> opened;
    std::atomic<bool> go = false;
    {
        std::vector<std::jthread> threads;
        for (CheckpointPtr& each : opened) {
            threads.emplace_back([&] {
                go.wait(false);
                each = openShared(path).value_or(nullptr);
            });
        }
        go = true;
        go.notify_all();
    }
    ASSERT_NE(opened[0], nullptr);
    for (const CheckpointPtr& each : opened) {
        EXPECT_EQ(each, opened[0]);
    }
}

TEST(SharedOpen, IsNotStoppedByAnotherOnesCancelling) {
    const TemporaryFolder folder;
    const fs::path path = written(folder);
    for (int round = 0; round < 50; ++round) {
        const CancelToken cancelled;
        Result<CheckpointPtr> mine = nullptr;
        {
            const std::jthread other([&] { (void)openShared(path, cancelled); });
            cancelled.cancel();
            mine = openShared(path);
        }
        ASSERT_TRUE(mine) << describe(mine.error());
    }
}

} // namespace
} // namespace cairn
