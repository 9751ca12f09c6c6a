// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics.h"
#include "core/analysis/tensor_pass.h"
#include "tests/core/model/synthetic.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <new>
#include <random>
#include <thread>
#include <unistd.h>

namespace cairn {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> randomBytes(std::size_t count, std::uint32_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::byte> bytes(count);
    for (std::byte& byte : bytes) {
        byte = static_cast<std::byte>(random() >> 56U);
    }
    return bytes;
}

CheckpointPtr checkpointOf(const std::vector<std::pair<Dtype, std::vector<std::byte>>>& tensors) {
    CheckpointData data;
    for (const auto& [dtype, bytes] : tensors) {
        TensorEntry tensor;
        tensor.name = "t" + std::to_string(data.tensors.size());
        tensor.dtype = dtype;
        tensor.shape = Shape{static_cast<std::int64_t>(bytes.size() * 8 / dtypeInfo(dtype).bits)};
        const FileIndex file = synthetic::addMemoryFile(data, bytes, tensor.name);
        tensor.pieces.push_back(
            {Box::whole(tensor.shape), file, {0, bytes.size()}, {}, kRawCodec, {}});
        data.tensors.push_back(std::move(tensor));
    }
    return Checkpoint::make(std::move(data));
}

void expectEqual(const TensorStatistics& a, const TensorStatistics& b) {
    EXPECT_TRUE(static_cast<const ElementStatistics&>(a) == b);
    EXPECT_EQ(a.l2, b.l2);
    EXPECT_EQ(a.absmax, b.absmax);
    EXPECT_EQ(a.numeric, b.numeric);
    EXPECT_EQ(a.histogram, b.histogram);
}

TEST(StatisticsPass, CutsDoNotShow) {
    const auto bytes = randomBytes(2 * (3 * kBlockElements + 12'345), 1);
    StatisticsKernel whole(Dtype::Bfloat16);
    whole.countHistogram();
    whole.add(bytes);
    for (const std::size_t chunk : {2U, 38U, 4096U, 131'072U, 131'074U, 1'000'000U}) {
        StatisticsKernel kernel(Dtype::Bfloat16);
        kernel.countHistogram();
        for (std::size_t at = 0; at < bytes.size(); at += chunk) {
            kernel.add(
                std::span(bytes).subspan(at, std::min<std::size_t>(chunk, bytes.size() - at)));
        }
        expectEqual(kernel.result(), whole.result());
    }
}

TEST(StatisticsPass, ThreadsDoNotShow) {
    const auto checkpoint =
        checkpointOf({{Dtype::Float16, randomBytes(2 * (2 * kSegmentElements + 77), 1)},
                      {Dtype::Float8E4m3fn, randomBytes(kSegmentElements + 1, 2)},
                      {Dtype::Float64, randomBytes(8 * 1001, 3)},
                      {Dtype::Int32, {}},
                      {Dtype::Float4, randomBytes(50, 4)}});
    const std::vector all{TensorIndex(0), TensorIndex(1), TensorIndex(2), TensorIndex(3),
                          TensorIndex(4)};
    StatisticsOptions options;
    options.histogram = true;
    PassBuffer buffer;
    std::vector<TensorStatistics> alone;
    for (const TensorIndex index : all) {
        alone.push_back(
            tensorStatistics(*checkpoint, checkpoint->tensor(index), options, buffer).value());
    }
    EXPECT_FALSE(alone[4].numeric);
    EXPECT_EQ(alone[4].count, 100U);
    for (const std::size_t threads : {1U, 2U, 5U}) {
        options.threads = threads;
        std::vector<std::size_t> reported;
        std::atomic<std::uint64_t> progress{0};
        options.progress = &progress;
        const auto results = measureTensors(
            *checkpoint, all, options, [&](std::size_t i, const auto&) { reported.push_back(i); });
        ASSERT_EQ(results.size(), all.size());
        EXPECT_EQ(reported.size(), all.size());
        std::uint64_t bytes = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            ASSERT_TRUE(results[i]) << describe(results[i].error());
            expectEqual(*results[i], alone[i]);
            bytes += checkpoint->tensor(all[i]).bytes();
        }
        EXPECT_EQ(progress.load(), bytes);
    }
}

/// Files on disk, which may be mapped from the page cache instead of being read.
class OnDiskStatistics : public ::testing::Test {
protected:
    /// Rows of bfloat16 in several files of complete rows, at an unaligned offset in each.
    CheckpointPtr write(const std::vector<std::byte>& bytes, std::int64_t rows, std::size_t files) {
        CheckpointData data;
        const auto folder = Folder::open(m_folder.path()).value();
        TensorEntry tensor;
        tensor.name = "w";
        tensor.dtype = Dtype::Bfloat16;
        const std::int64_t columns = static_cast<std::int64_t>(bytes.size()) / 2 / rows;
        tensor.shape = Shape{rows, columns};
        const std::int64_t each = rows / static_cast<std::int64_t>(files);
        for (std::size_t i = 0; i < files; ++i) {
            const std::string name = "part" + std::to_string(i);
            const std::int64_t first = each * static_cast<std::int64_t>(i);
            const std::int64_t count = i + 1 == files ? rows - first : each;
            const auto part =
                std::span(bytes).subspan(static_cast<std::size_t>(first * columns * 2),
                                         static_cast<std::size_t>(count * columns * 2));
            std::ofstream(m_folder.path() / name, std::ios::binary)
                .write("odd", 3)
                .write(reinterpret_cast<const char*>(part.data()),
                       static_cast<std::streamsize>(part.size()));
            CheckpointFile file;
            file.path = name;
            file.folder = folder;
            file.identity = folder->openFile(name).value()->identity();
            const FileIndex index = data.addFile(std::move(file));
            tensor.pieces.push_back({{Dims{first, 0}, Dims{count, columns}},
                                     index,
                                     {3, part.size()},
                                     {},
                                     kRawCodec,
                                     {}});
        }
        data.tensors.push_back(std::move(tensor));
        return Checkpoint::make(std::move(data));
    }
    test::TemporaryFolder m_folder;
};

TEST_F(OnDiskStatistics, WhereTheBytesLieDoesNotShow) {
    constexpr std::int64_t kRows = 1000;
    const auto bytes = randomBytes(2 * kRows * 15'001, 6); // 29 MB
    StatisticsKernel kernel(Dtype::Bfloat16);
    kernel.add(bytes);
    for (const std::size_t files : {1U, 3U}) {
        const auto checkpoint = write(bytes, kRows, files);
        for (const std::size_t threads : {1U, 3U}) {
            StatisticsOptions options;
            options.threads = threads;
            std::atomic<std::uint64_t> progress{0};
            options.progress = &progress;
            const std::vector all{TensorIndex(0)};
            const auto results = measureTensors(*checkpoint, all, options);
            ASSERT_TRUE(results[0]) << describe(results[0].error());
            expectEqual(*results[0], kernel.result());
            EXPECT_EQ(progress.load(), bytes.size());
        }
    }
}

TEST_F(OnDiskStatistics, AFileThatIsCutMeanwhileIsAnError) {
    const auto bytes = randomBytes(32 << 20U, 7);
    for (int round = 0; round < 20; ++round) {
        const auto checkpoint = write(bytes, 1024, 1);
        StatisticsOptions options;
        options.threads = 2;
        std::atomic<std::uint64_t> progress{0};
        options.progress = &progress;
        std::jthread writer([&] {
            while (progress.load() == 0) {
                std::this_thread::yield();
            }
            fs::resize_file(m_folder.path() / "part0", 1000);
        });
        const std::vector all{TensorIndex(0)};
        const auto results = measureTensors(*checkpoint, all, options);
        if (!results[0]) { // otherwise the pass was finished first
            EXPECT_EQ(results[0].error().code, ErrorCode::ChangedOnDisk);
        }
        progress = 1;
    }
}

TEST(StatisticsPass, AnUnreadableTensorLeavesTheOthers) {
    CheckpointData data;
    const FileIndex file = synthetic::addMemoryFile(data, std::vector<std::byte>(64), "f");
    for (const std::int64_t extent : {16, 8}) {
        TensorEntry tensor;
        tensor.name = "t" + std::to_string(extent);
        tensor.shape = Shape{16};
        tensor.pieces.push_back({{Dims{0}, Dims{extent}},
                                 file,
                                 {0, static_cast<std::uint64_t>(extent) * 4},
                                 {},
                                 kRawCodec,
                                 {}});
        data.tensors.push_back(tensor);
    }
    const auto checkpoint = Checkpoint::make(std::move(data));
    const std::vector all{TensorIndex(0), TensorIndex(1)};
    const auto results = measureTensors(*checkpoint, all, {});
    ASSERT_TRUE(results[0]);
    EXPECT_EQ(results[0]->zeros, 16U);
    ASSERT_FALSE(results[1]);
    EXPECT_EQ(results[1].error().code, ErrorCode::CoverageHole);
}

TEST(StatisticsPass, StopsWhenCancelled) {
    const auto checkpoint = checkpointOf({{Dtype::Float32, randomBytes(4096, 1)}});
    StatisticsOptions options;
    options.cancel.cancel();
    const std::vector all{TensorIndex(0)};
    const auto results = measureTensors(*checkpoint, all, options);
    ASSERT_FALSE(results[0]);
    EXPECT_EQ(results[0].error().code, ErrorCode::Cancelled);
}

TEST(StatisticsPass, PartsGoTogether) {
    const auto bytes = synthetic::bytesOf(std::vector<float>{1, 2, 3, 4, 5, 6});
    const auto checkpoint = checkpointOf({{Dtype::Float32, {bytes.begin(), bytes.begin() + 8}},
                                          {Dtype::Float32, {bytes.begin() + 8, bytes.end()}}});
    const std::vector all{TensorIndex(0), TensorIndex(1)};
    const auto results = measureTensors(*checkpoint, all, {});
    const std::vector parts{*results[0], *results[1]};
    const TensorStatistics sum = together(parts);
    EXPECT_EQ(sum.count, 6U);
    EXPECT_EQ(sum.l1, 21);
    EXPECT_NEAR(sum.l2, std::sqrt(91.0), 1e-14);
    EXPECT_NEAR(sum.mean, 3.5, 1e-15);
    EXPECT_NEAR(sum.std(), std::sqrt(17.5 / 6), 1e-14);
    EXPECT_EQ(sum.absmax, 6);
}

TEST(StatisticsPass, ManyTensorsTogetherAreWhatTheirPartsAre) {
    std::vector<std::pair<Dtype, std::vector<std::byte>>> tensors;
    std::vector<TensorIndex> all;
    for (std::uint32_t i = 0; i < kMeasuredAtOnce + 10; ++i) {
        tensors.emplace_back(
            i % 3 == 0 ? Dtype::Float16 : Dtype::Float32,
            i % 3 == 0 ? synthetic::bytesOf(std::vector<std::uint16_t>{0x3C00, 0x0001})
                       : synthetic::bytesOf(std::vector<float>{static_cast<float>(i), -1}));
        all.emplace_back(i);
    }
    const auto checkpoint = checkpointOf(tensors);
    StatisticsOptions options;
    options.histogram = true;
    std::vector<TensorStatistics> parts;
    for (const auto& part : measureTensors(*checkpoint, all, options)) {
        ASSERT_TRUE(part);
        parts.push_back(*part);
    }
    const auto sum = measureTogether(*checkpoint, all, options);
    ASSERT_TRUE(sum);
    expectEqual(*sum, together(parts));
    EXPECT_EQ(sum->histogram, together(parts).histogram);
    EXPECT_EQ(sum->histogram.total(), 2 * tensors.size());
}

TEST(StatisticsPass, ElementsThatAreOnlyDeclaredCostNothing) {
    CheckpointData data;
    const std::vector<std::byte> bytes(4);
    TensorEntry tensor{"t", Dtype::Float32, {1'000'000'000'000'000}, Role::Weight, {}, {}};
    const FileIndex file = synthetic::addMemoryFile(data, bytes, "t");
    tensor.pieces.push_back({Box::whole(tensor.shape), file, {0, 4}, {0}, kRawCodec, {}});
    data.tensors.push_back(std::move(tensor));
    const auto checkpoint = Checkpoint::make(std::move(data));
    EXPECT_TRUE(mayExpand(checkpoint->tensor(TensorIndex(0)))); // one unit of work, not 10^8
    const std::vector all{TensorIndex(0)};
    const auto results = measureTensors(*checkpoint, all, {});
    ASSERT_FALSE(results[0]);
}

TEST(StatisticsPass, WhatAThreadThrowsReachesTheCaller) {
    const auto run = [] {
        forEachParallel(1000, 4, {}, [](std::size_t i) {
            if (i == 700) {
                throw std::bad_alloc();
            }
        });
    };
    EXPECT_THROW(run(), std::bad_alloc);
}

} // namespace
} // namespace cairn
