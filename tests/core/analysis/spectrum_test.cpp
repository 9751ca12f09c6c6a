// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/diff.h"
#include "core/analysis/spectrum.h"
#include "core/analysis/statistics.h"
#include "core/analysis/tensor_pass.h"
#include "core/compute/torch_module.h"
#include "tests/core/model/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

namespace cairn {
namespace {

TensorEntry tensorOf(Dtype dtype, const Shape& shape) {
    TensorEntry tensor;
    tensor.name = "weight";
    tensor.dtype = dtype;
    tensor.shape = shape;
    return tensor;
}

CheckpointPtr checkpointOf(const Shape& shape, const std::vector<float>& values) {
    CheckpointData data;
    TensorEntry tensor = tensorOf(Dtype::Float32, shape);
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    const FileIndex file = synthetic::addMemoryFile(data, bytes, "file");
    tensor.pieces.push_back({Box::whole(tensor.shape), file, {0, bytes.size()}, {}, kRawCodec, {}});
    data.tensors.push_back(std::move(tensor));
    return Checkpoint::make(std::move(data));
}

std::vector<float> randomFloats(std::size_t count, std::uint32_t seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    for (float& value : values) {
        value = normal(engine);
    }
    return values;
}

TEST(Spectrum, TellsRanks) {
    const Spectrum equal{{4, 9}, {2, 2, 2, 2}};
    EXPECT_DOUBLE_EQ(equal.effectiveRank(), 4);
    EXPECT_DOUBLE_EQ(equal.stableRank(), 4);
    EXPECT_EQ(equal.condition(), 1.0);
    const Spectrum half{{2, 2}, {2, 1}};
    EXPECT_DOUBLE_EQ(half.stableRank(), 1.25);
    EXPECT_EQ(half.condition(), 2.0);
    const double third = 1.0 / 3;
    EXPECT_DOUBLE_EQ(half.effectiveRank(),
                     std::exp(-third * std::log(third) - 2 * third * std::log(2 * third)));
    const Spectrum one{{3, 3}, {5, 0, 0}};
    EXPECT_DOUBLE_EQ(one.effectiveRank(), 1);
    EXPECT_TRUE(std::isinf(*one.condition()));
    const Spectrum none{{2, 2}, {0, 0}};
    EXPECT_EQ(none.effectiveRank(), 0);
    EXPECT_EQ(none.stableRank(), 0);
    EXPECT_FALSE(none.condition());
}

TEST(Spectrum, IsOfMatrices) {
    EXPECT_FALSE(matrixOf(tensorOf(Dtype::Float32, Shape{7})));
    EXPECT_FALSE(matrixOf(tensorOf(Dtype::Float32, Shape{0, 7})));
    EXPECT_FALSE(matrixOf(tensorOf(Dtype::Complex64, Shape{3, 7})));
    EXPECT_FALSE(matrixOf(tensorOf(Dtype::Opaque, Shape{3, 7})));
    const auto conv = matrixOf(tensorOf(Dtype::Bfloat16, Shape{8, 4, 3, 3}));
    ASSERT_TRUE(conv);
    EXPECT_EQ(conv->rows, 8U);
    EXPECT_EQ(conv->columns, 36U);
    const auto large = checkpointOf(Shape{1, 1}, {1});
    const auto refused =
        tensorSpectrum(*large, tensorOf(Dtype::Float32, Shape{kMaxMatrixSide + 1, 100'000}));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::LimitExceeded);
}

class WithModule : public ::testing::Test {
protected:
    void SetUp() override {
        if (const auto module = openTorchModule(); !module) {
            GTEST_SKIP() << describe(module.error());
        }
    }
};

/// Larger than one block, so that the matrix is passed in several.
TEST_F(WithModule, SingularValuesKeepTheNorm) {
    for (const Shape& shape : {Shape{60'000, 90}, Shape{90, 60'000}, Shape{90, 600, 100}}) {
        const auto checkpoint = checkpointOf(shape, randomFloats(5'400'000, 3));
        std::atomic<std::uint64_t> progress{0};
        MatrixOptions options;
        options.progress = &progress;
        const auto spectrum = tensorSpectrum(*checkpoint, checkpoint->tensors()[0], options);
        ASSERT_TRUE(spectrum) << describe(spectrum.error());
        ASSERT_EQ(spectrum->values.size(), 90U);
        EXPECT_TRUE(std::ranges::is_sorted(spectrum->values, std::greater()));
        double squares = 0;
        for (const double value : spectrum->values) {
            squares += value * value;
        }
        PassBuffer buffer;
        const auto norms = tensorStatistics(*checkpoint, checkpoint->tensors()[0], {}, buffer);
        ASSERT_TRUE(norms);
        EXPECT_NEAR(squares, norms->sumSquares, 1e-9 * squares);
        EXPECT_EQ(progress.load(), checkpoint->tensors()[0].bytes());
        const auto same = layerSimilarity(*checkpoint, checkpoint->tensors()[0], *checkpoint,
                                          checkpoint->tensors()[0]);
        ASSERT_TRUE(same) << describe(same.error());
        EXPECT_NEAR(same->value_or(0), 1, 1e-9);
    }
}

TEST_F(WithModule, StopsWhenAsked) {
    const auto checkpoint = checkpointOf(Shape{300, 200}, randomFloats(60'000, 3));
    MatrixOptions options;
    options.cancel.cancel();
    const auto stopped = tensorSpectrum(*checkpoint, checkpoint->tensors()[0], options);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled);
}

/// Slightly more than one segment, on both lanes.
TEST_F(WithModule, PassesGiveTheSameThere) {
    const auto count = static_cast<std::int64_t>(kSegmentElements + 12'345);
    const auto values = randomFloats(static_cast<std::size_t>(count), 8);
    auto changed = values;
    changed[77] += 1;
    changed[kSegmentElements + 5] = std::numeric_limits<float>::quiet_NaN();
    const auto left = checkpointOf(Shape{count}, values);
    const auto right = checkpointOf(Shape{count}, changed);
    const auto backend = openBackend("torch-cpu");
    ASSERT_TRUE(backend) << describe(backend.error());
    StatisticsOptions options;
    const std::array index{TensorIndex(0)};
    const auto here = measureTensors(*right, index, options);
    options.backend = *backend;
    const auto there = measureTensors(*right, index, options);
    ASSERT_TRUE(here[0]);
    ASSERT_TRUE(there[0]) << describe(there[0].error());
    EXPECT_EQ(here[0]->nan, 1U);
    EXPECT_EQ(there[0]->nan, 1U);
    EXPECT_EQ(there[0]->count, here[0]->count);
    EXPECT_NEAR(there[0]->l2, here[0]->l2, 1e-12 * here[0]->l2);
    const std::array pair{TensorPair{TensorIndex(0), TensorIndex(0), false, true, true}};
    DiffOptions diff;
    diff.backend = *backend;
    const auto found = diffValues(*left, *right, pair, diff);
    ASSERT_TRUE(found) << describe(found.error());
    EXPECT_EQ((*found)[0].values.changed, 2U);
    EXPECT_EQ((*found)[0].values.nonfinite, 1U);
    EXPECT_NEAR((*found)[0].values.maxAbs, 1, 1e-6);
}

} // namespace
} // namespace cairn
