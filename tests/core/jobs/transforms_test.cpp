// SPDX-License-Identifier: Apache-2.0
#include "tests/core/jobs/job_fixture.h"

#include <cmath>
#include <numeric>

/// Plans whose elements are transformed instead of copied, through the complete engine; the
/// expected output is computed here independently, in doubles.
namespace cairn {
namespace {

using namespace jobtest;

/// A tensor cut into boxes, each dense in its own file.
template <class T>
TensorIndex add(CheckpointData& data, const std::string& name, Dtype dtype, const Shape& shape,
                const std::vector<T>& values, const std::vector<Box>& boxes) {
    TensorEntry tensor;
    tensor.name = name;
    tensor.dtype = dtype;
    tensor.shape = shape;
    tensor.role = Role::Weight;
    const Strides strides = denseStrides(shape);
    for (const Box& box : boxes) {
        std::vector<T> part;
        for (std::int64_t r = 0; r < box.extent[0]; ++r) {
            for (std::int64_t c = 0; c < box.extent[1]; ++c) {
                part.push_back(values[static_cast<std::size_t>((box.origin[0] + r) * strides[0] +
                                                               box.origin[1] + c)]);
            }
        }
        const auto bytes = synthetic::bytesOf(part);
        const FileIndex file =
            synthetic::addMemoryFile(data, bytes, name + std::to_string(data.files.size()));
        tensor.pieces.push_back({box, file, {0, bytes.size()}, {}, kRawCodec, {}});
    }
    data.tensors.push_back(std::move(tensor));
    return TensorIndex(data.tensors.size() - 1);
}

std::vector<float> noise(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(random); });
    return values;
}

/// One segment after a header of odd length, so that chunks end inside elements.
CopyPlan planOf(CheckpointPtr source, TensorIndex tensor, const Box& box, Dtype dtype,
                const std::filesystem::path& output) {
    CopyPlan plan;
    plan.job = "cast";
    plan.source = std::move(source);
    plan.format = "test";
    plan.output = output;
    OutputFile file;
    file.name = output.filename().string();
    file.addLiteral(0, std::vector<std::byte>(13));
    const std::uint64_t length = *dtypeBytes(dtype, *elementCount(box.extent));
    file.tensors.push_back({13, length, tensor, "t", box, dtype});
    file.size = 13 + length;
    plan.layout.files.push_back(std::move(file));
    return plan;
}

template <class T> std::vector<T> outputOf(const CopyPlan& plan, JobReport* report = nullptr) {
    RealFileOps fileOps;
    JobContext context;
    const auto done = runPlan(plan, fileOps, context, smallOptions());
    EXPECT_TRUE(done) << (done ? "" : describe(done.error()));
    if (!done) {
        return {};
    }
    EXPECT_TRUE(done->verified);
    if (report != nullptr) {
        *report = *done;
    }
    const auto bytes = readFile(plan.output);
    std::vector<T> values((bytes.size() - 13) / sizeof(T));
    std::memcpy(values.data(), bytes.data() + 13, values.size() * sizeof(T));
    return values;
}

float widened(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

TEST(TransformJob, CastsShardedTensorsAndTellsTheError) {
    const TemporaryFolder folder;
    const Shape shape = {301, 517};
    const auto values = noise(301 * 517, 1);
    CheckpointData data;
    const auto index =
        add(data, "w", Dtype::Float32, shape, values, synthetic::chunks(shape, 1, 3));
    const CopyPlan plan = planOf(Checkpoint::make(std::move(data)), index, Box::whole(shape),
                                 Dtype::Bfloat16, folder.path() / "out");
    JobReport report;
    const auto found = outputOf<std::uint16_t>(plan, &report);
    ASSERT_EQ(found.size(), values.size());
    double largest = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double distance = std::abs(double{values[i]} - double{widened(found[i])});
        EXPECT_LE(distance, std::abs(values[i]) / 256);
        largest = std::max(largest, distance);
    }
    EXPECT_EQ(report.castTensors, 1U);
    EXPECT_EQ(report.cast.elements, values.size());
    EXPECT_EQ(report.cast.maxAbs, largest);
    EXPECT_EQ(report.cast.overflowed, 0U);
}

TEST(TransformJob, CastsPartsOfTensors) {
    const TemporaryFolder folder;
    const Shape shape = {60, 40};
    std::vector<float> values(2400);
    std::iota(values.begin(), values.end(), 0.0F);
    CheckpointData data;
    const auto index =
        add(data, "w", Dtype::Float32, shape, values, synthetic::chunks(shape, 0, 4));
    const Box box = {{7, 3}, {40, 21}};
    const CopyPlan plan = planOf(Checkpoint::make(std::move(data)), index, box, Dtype::Float64,
                                 folder.path() / "out");
    const auto found = outputOf<double>(plan);
    ASSERT_EQ(found.size(), 840U);
    EXPECT_EQ(found[0], 7 * 40 + 3);
    EXPECT_EQ(found[839], 46 * 40 + 23);
}

TEST(TransformJob, MultipliesBlocksWithTheirScales) {
    const TemporaryFolder folder;
    const Shape shape = {200, 300};
    std::vector<std::uint8_t> weights(60000);
    std::mt19937 random(3);
    std::ranges::generate(weights, [&] { return static_cast<std::uint8_t>(random() % 0x7F); });
    const auto scales = noise(6, 4);
    for (const Box& box : {Box::whole(shape), Box{{100, 120}, {90, 150}}}) {
        CheckpointData data;
        const auto index =
            add(data, "w", Dtype::Float8E4m3fn, shape, weights, synthetic::chunks(shape, 0, 3));
        const auto scale =
            add(data, "w_scale_inv", Dtype::Float32, {2, 3}, scales, {Box::whole({2, 3})});
        CopyPlan plan = planOf(Checkpoint::make(std::move(data)), index, box, Dtype::Float32,
                               folder.path() / ("out" + std::to_string(box.origin[0])));
        plan.recipes[index] = {scale, {128, 128}, {}, {}};
        const auto found = outputOf<float>(plan);
        ASSERT_EQ(found.size(), *elementCount(box.extent));
        for (std::size_t i = 0; i < found.size(); ++i) {
            const auto row = static_cast<std::size_t>(box.origin[0]) +
                             i / static_cast<std::size_t>(box.extent[1]);
            const auto column = static_cast<std::size_t>(box.origin[1]) +
                                i % static_cast<std::size_t>(box.extent[1]);
            const unsigned bits = weights[row * 300 + column];
            const unsigned exponent = bits >> 3U & 15U;
            const double value = exponent == 0 ? std::ldexp(bits & 7U, -9)
                                               : std::ldexp(8 + (bits & 7U), int(exponent) - 10);
            const float expected = static_cast<float>(value) * scales[row / 128 * 3 + column / 128];
            ASSERT_EQ(found[i], expected) << row << " " << column;
        }
    }
}

TEST(TransformJob, AveragesSeveralCheckpoints) {
    const TemporaryFolder folder;
    const Shape shape = {130, 70};
    std::vector<std::vector<float>> members;
    std::vector<AverageTerm> terms;
    for (std::uint32_t i = 0; i < 3; ++i) {
        members.push_back(noise(9100, 10 + i));
        CheckpointData data;
        const auto index = add(data, "w", Dtype::Float32, shape, members.back(),
                               synthetic::chunks(shape, i % 2, 1 + i));
        terms.push_back({Checkpoint::make(std::move(data)), index, 1.0 + i});
    }
    CopyPlan plan = planOf(terms.back().checkpoint, TensorIndex(0), Box::whole(shape),
                           Dtype::Float32, folder.path() / "out");
    plan.recipes[TensorIndex(0)] = {std::nullopt, {}, terms, {}};
    const auto found = outputOf<float>(plan);
    ASSERT_EQ(found.size(), 9100U);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double sum = 1.0 * members[0][i] + 2.0 * members[1][i] + 3.0 * members[2][i];
        ASSERT_EQ(found[i], static_cast<float>(sum / 6.0));
    }
}

TEST(TransformJob, APlanThatCannotBeComputedIsRefused) {
    const TemporaryFolder folder;
    CheckpointData data;
    const auto index =
        add(data, "w", Dtype::Int32, {2, 2}, std::vector<std::int32_t>(4), {Box::whole({2, 2})});
    CopyPlan plan = planOf(Checkpoint::make(std::move(data)), index, Box::whole({2, 2}),
                           Dtype::Float32, folder.path() / "out");
    EXPECT_FALSE(validate(plan));
    plan.layout.files[0].tensors[0].dtype = Dtype::Int32;
    EXPECT_TRUE(validate(plan));
    plan.recipes[index] = {std::nullopt, {}, {{plan.source, index, 1}}, {}};
    EXPECT_FALSE(validate(plan)); // integers are not averaged
}

} // namespace
} // namespace cairn
