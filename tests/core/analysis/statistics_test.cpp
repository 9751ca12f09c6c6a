// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics.h"
#include "core/analysis/tensor_pass.h"
#include "tests/core/model/synthetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace cairn {
namespace {

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
    StatisticsKernel whole(Dtype::Bfloat16, true);
    whole.add(bytes);
    for (const std::size_t chunk : {2U, 38U, 4096U, 131'072U, 131'074U, 1'000'000U}) {
        StatisticsKernel kernel(Dtype::Bfloat16, true);
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

} // namespace
} // namespace cairn
