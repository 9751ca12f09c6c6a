// SPDX-License-Identifier: Apache-2.0
#include "core/compute/dequantize.h"
#include "core/compute/quantize.h"
#include "core/jobs/elements/plain_quantize.h"
#include "core/jobs/prepare/precision_preview.h"
#include "tests/core/jobs/job_fixture.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

/// Quantisation: the kernels against the plain definition, jobs whose blocks cross pieces and
/// chunks, and forecasts of their errors.
namespace cairn {
namespace {

using namespace jobtest;

constexpr std::array kWritten = {Dtype::Q8_0, Dtype::Q4_0};

std::vector<float> noise(std::size_t count, std::uint32_t seed, float size = 0.02F) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0, size);
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(random); });
    return values;
}

/// Blocks of special values, and of every exponent.
std::vector<float> hardValues() {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> values(32, 0.0F);
    values.insert(values.end(), 32, -0.0F);
    for (const float special : {kInf, -kInf, kNan, 3e38F, 8.4e6F, 1e-38F, 1e-45F, 6e-8F, -127.5F}) {
        auto block = noise(32, 3, 1);
        block[11] = special;
        values.insert(values.end(), block.begin(), block.end());
        std::vector<float> alone(32, 0.0F);
        alone[31] = special;
        values.insert(values.end(), alone.begin(), alone.end());
        values.insert(values.end(), 32, special);
    }
    std::mt19937 random(9);
    for (unsigned exponent = 0; exponent < 255; ++exponent) {
        for (int i = 0; i < 32; ++i) {
            const auto digits = static_cast<std::uint32_t>(random());
            values.push_back(std::bit_cast<float>((digits & 0x807FFFFFU) | exponent << 23U));
        }
    }
    for (int i = 0; i < 32 * 64; ++i) { // ties of rounding
        values.push_back(static_cast<float>(i % 32 - 16) * 0.5F * static_cast<float>(i / 32 + 1));
    }
    return values;
}

std::vector<std::byte> blocksOf(Dtype dtype, std::span<const float> values, bool plainly) {
    std::vector<std::byte> blocks(*dtypeBytes(dtype, values.size()));
    plainly ? quantizePlainly(dtype, values, blocks) : quantizeBlocks(dtype, values, blocks);
    return blocks;
}

TEST(Precision, KernelsAgreeWithThePlainDefinition) {
    for (const Dtype dtype : kWritten) {
        for (const auto& values : {hardValues(), noise(32 * 5000, 1), noise(32 * 5000, 2, 1e4F)}) {
            EXPECT_EQ(blocksOf(dtype, values, false), blocksOf(dtype, values, true))
                << dtypeName(dtype);
        }
    }
}

TEST(Precision, BlocksOfKnownValues) {
    std::vector<float> values(32, 0.0F);
    values[0] = 127;
    values[1] = -63.5F;
    values[2] = 0.5F;
    const auto eight = blocksOf(Dtype::Q8_0, values, false);
    EXPECT_EQ(eight[0], std::byte{0x00}); // 1.0
    EXPECT_EQ(eight[1], std::byte{0x3C});
    EXPECT_EQ(eight[2], std::byte{127});
    EXPECT_EQ(eight[3], std::byte{0xC0}); // -64: ties away from zero
    EXPECT_EQ(eight[4], std::byte{1});
    values[0] = -8;
    values[1] = 8; // the largest code is 7
    const auto four = blocksOf(Dtype::Q4_0, values, false);
    EXPECT_EQ(four[1], std::byte{0x3C});
    EXPECT_EQ(four[2], std::byte{0x80}); // -8, and 0 of element 16
    EXPECT_EQ(four[3], std::byte{0x8F});
}

TEST(Precision, LargerBlocksAreCloser) {
    const auto values = noise(256 * 200, 5);
    double previous = std::numeric_limits<double>::infinity();
    for (const Dtype dtype : {Dtype::Q4_0, Dtype::Q4K, Dtype::Q8_0}) {
        std::vector<float> back(values.size());
        dequantize(dtype, blocksOf(dtype, values, false), back);
        double squares = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            squares += std::pow(double{values[i]} - back[i], 2);
        }
        const double rmse = std::sqrt(squares / static_cast<double>(values.size()));
        EXPECT_LT(rmse, 0.9 * previous) << dtypeName(dtype);
        EXPECT_LT(rmse, 0.02 * (dtype == Dtype::Q8_0 ? 0.01 : 0.1));
        previous = rmse;
    }
}

/// A tensor in pieces that end inside blocks.
CheckpointPtr splitTensor(const std::vector<float>& values, const Shape& shape, std::size_t axis,
                          std::int64_t parts) {
    CheckpointData data;
    TensorEntry tensor;
    tensor.name = "w";
    tensor.dtype = Dtype::Float32;
    tensor.shape = shape;
    tensor.role = Role::Weight;
    for (const Box& box : synthetic::chunks(shape, axis, parts)) {
        std::vector<float> part;
        for (std::int64_t r = 0; r < box.extent[0]; ++r) {
            for (std::int64_t c = 0; c < box.extent[1]; ++c) {
                part.push_back(values[static_cast<std::size_t>((box.origin[0] + r) * shape[1] +
                                                               box.origin[1] + c)]);
            }
        }
        const auto bytes = synthetic::bytesOf(part);
        const FileIndex file =
            synthetic::addMemoryFile(data, bytes, "part" + std::to_string(data.files.size()));
        tensor.pieces.push_back({box, file, {0, bytes.size()}, {}, kRawCodec, {}});
    }
    data.tensors.push_back(std::move(tensor));
    return Checkpoint::make(std::move(data));
}

CopyPlan planOf(CheckpointPtr source, Dtype dtype, const std::filesystem::path& output) {
    CopyPlan plan;
    plan.job = "cast";
    plan.format = "test";
    plan.output = output;
    const Shape& shape = source->tensors()[0].shape;
    OutputFile file;
    file.name = output.filename().string();
    file.addLiteral(0, std::vector<std::byte>(13)); // chunks end inside blocks
    const std::uint64_t length = *dtypeBytes(dtype, *elementCount(shape));
    file.tensors.push_back({13, length, TensorIndex(0), "w", Box::whole(shape), dtype});
    file.size = 13 + length;
    plan.layout.files.push_back(std::move(file));
    plan.source = std::move(source);
    return plan;
}

TEST(Precision, JobsQuantiseBlocksThatCrossPiecesAndChunks) {
    const Shape shape = {301, 544};
    const auto values = noise(301 * 544, 7);
    for (const Dtype dtype : kWritten) {
        for (const std::size_t axis : {0U, 1U}) {
            const TemporaryFolder folder;
            const CopyPlan plan =
                planOf(splitTensor(values, shape, axis, 5), dtype, folder.path() / "out");
            RealFileOps fileOps;
            JobContext context;
            const auto done = runPlan(plan, fileOps, context, smallOptions());
            ASSERT_TRUE(done) << describe(done.error());
            EXPECT_TRUE(done->verified);
            auto written = readFile(plan.output);
            written.erase(written.begin(), written.begin() + 13);
            const auto expected = blocksOf(dtype, values, true);
            EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(written)), expected));
            std::vector<float> back(values.size());
            dequantize(dtype, expected, back);
            double largest = 0;
            for (std::size_t i = 0; i < values.size(); ++i) {
                largest = std::max(largest, std::abs(double{values[i]} - back[i]));
            }
            EXPECT_EQ(done->castTensors, 1U);
            EXPECT_EQ(done->cast.elements, values.size());
            EXPECT_EQ(done->cast.maxAbs, largest);
        }
    }
}

TEST(Precision, IncompleteBlocksAreABugOfThePlan) {
    const TemporaryFolder folder;
    const CopyPlan plan =
        planOf(splitTensor(noise(16 * 48, 1), {16, 48}, 0, 2), Dtype::Q8_0, folder.path() / "out");
    const auto valid = validate(plan);
    ASSERT_FALSE(valid);
    EXPECT_EQ(valid.error().code, ErrorCode::Internal);
}

/// A plan that is only measured.
CopyPlan measured(CheckpointPtr source, std::string_view name) {
    CopyPlan plan;
    plan.source = std::move(source);
    PlannedPrecision& planned = plan.precision.emplace();
    planned.precision = precisionOf(name);
    planned.tensors.push_back({TensorIndex(0), "w", planned.precision->dtype, 1});
    return plan;
}

TEST(Precision, SmallTensorsAreMeasuredCompletely) {
    const Shape shape = {37, 512};
    auto values = noise(37 * 512, 11);
    for (std::size_t c = 0; c < 512; ++c) { // one large element spoils a row
        values[23 * 512 + c] = c == 100 ? 60.0F : values[23 * 512 + c];
    }
    for (const Precision& precision : allPrecisions()) {
        const CopyPlan plan = measured(splitTensor(values, shape, 1, 3), precision.name);
        const auto preview = previewPrecision(plan, {});
        ASSERT_TRUE(preview);
        const TensorPrecision& tensor = preview->tensors.at(0);
        EXPECT_EQ(tensor.rows, 37) << precision.name;
        EXPECT_EQ(tensor.rowsSampled, 37) << precision.name;
        EXPECT_EQ(tensor.error.elements, values.size()) << precision.name;
        EXPECT_GT(tensor.error.cosine(), 0.9) << precision.name;
        if (precision.inBlocks() || precision.dtype == Dtype::Int8) {
            EXPECT_EQ(tensor.worstRow, 23) << precision.name;
        }
        if (precision.inBlocks()) {
            std::vector<float> back(values.size());
            dequantize(precision.dtype, blocksOf(precision.dtype, values, false), back);
            double squares = 0;
            for (std::size_t i = 0; i < values.size(); ++i) {
                squares += std::pow(double{values[i]} - back[i], 2);
            }
            EXPECT_NEAR(tensor.error.squares, squares, 1e-9 * squares);
        }
    }
}

TEST(Precision, LargeTensorsAreSampled) {
    const Shape shape = {5000, 256};
    const auto values = noise(5000 * 256, 13);
    const auto first = previewPrecision(measured(splitTensor(values, shape, 0, 7), "q8_0"), {});
    const auto second = previewPrecision(measured(splitTensor(values, shape, 1, 2), "q8_0"), {});
    ASSERT_TRUE(first && second);
    const TensorPrecision& tensor = first->tensors.at(0);
    EXPECT_EQ(tensor.rows, 5000);
    EXPECT_EQ(tensor.rowsSampled, kPreviewRows);
    EXPECT_EQ(tensor.error.squares, second->tensors.at(0).error.squares);
    EXPECT_NEAR(tensor.error.rmse(), 0.02 * 3 / 127 / std::sqrt(12), 0.02 * 0.002);
}

TEST(Precision, ValuesThatAreNotFiniteAreCounted) {
    auto values = noise(8 * 256, 17);
    values[256 * 3 + 5] = std::numeric_limits<float>::quiet_NaN();
    values[256 * 4 + 5] = -std::numeric_limits<float>::infinity();
    values[256 * 6 + 5] = 3e38F; // its scale is beyond a half
    const auto blocks = previewPrecision(measured(splitTensor(values, {8, 256}, 0, 1), "q8_0"), {});
    const auto rows = previewPrecision(measured(splitTensor(values, {8, 256}, 0, 1), "int8"), {});
    ASSERT_TRUE(blocks && rows);
    EXPECT_EQ(blocks->error.notFinite, 2U);
    EXPECT_EQ(blocks->error.lost, 31U + 31U + 32U);
    EXPECT_EQ(rows->error.notFinite, 2U);
    EXPECT_TRUE(std::isfinite(rows->error.rmse()));
}

} // namespace
} // namespace cairn
