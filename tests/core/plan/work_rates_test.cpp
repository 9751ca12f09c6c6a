// SPDX-License-Identifier: Apache-2.0
#include "core/plan/copy_plan.h"
#include "core/plan/work_rates.h"
#include "tests/core/model/synthetic.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace cairn {
namespace {

/// Provides the name of a codec; its pieces are never read.
class SomeCodec final : public PieceCodec {
public:
    std::string_view name() const override { return "some"; }
    Result<LocatedPiece> locate(const ByteSourcePtr& /*file*/, const TensorEntry& /*tensor*/,
                                const Piece& /*piece*/) const override {
        return fail(ErrorCode::Unsupported, "Nothing is read here");
    }
};

/// Tensors of 40 x 30 int32 elements, 4800 bytes each, in one file.
struct Source {
    CheckpointData data;
    OutputFile file;

    TensorEntry& add(const std::vector<Box>& boxes, Dtype dtype = Dtype::Int32,
                     const Box& box = Box::whole({40, 30})) {
        const std::string name = "t" + std::to_string(data.tensors.size());
        data.tensors.push_back(synthetic::cutTensor(data, name, {40, 30}, boxes));
        const std::uint64_t bytes = *dtypeBytes(dtype, *elementCount(box.extent));
        file.tensors.push_back(
            {file.size, bytes, TensorIndex(data.tensors.size() - 1), "t", box, dtype});
        file.size += bytes;
        return data.tensors.back();
    }

    CopyPlan plan() {
        CopyPlan plan;
        plan.source = Checkpoint::make(data);
        plan.output = "out";
        file.name = "out";
        plan.layout.files.push_back(file);
        return plan;
    }
};

std::vector<Box> rows() {
    return synthetic::chunks({40, 30}, 0, 4);
}

std::vector<Box> columns() {
    return synthetic::chunks({40, 30}, 1, 3);
}

TEST(WorkKind, IsWhatMostBytesTake) {
    Source source;
    source.add(rows());
    EXPECT_EQ(workKindOf(source.plan()), WorkKind::Copy);
    source.add(rows(), Dtype::Float64); // twice the bytes
    EXPECT_EQ(workKindOf(source.plan()), WorkKind::Cast);
    source.add(rows());
    source.add(rows());
    EXPECT_EQ(workKindOf(source.plan()), WorkKind::Copy);
}

TEST(WorkKind, TellsWhatIsGatheredAndWhatIsComputed) {
    Source cut;
    cut.add(columns());
    EXPECT_EQ(workKindOf(cut.plan()), WorkKind::Gather);
    Source resharded;
    resharded.add(rows(), Dtype::Int32, {{0, 10}, {40, 20}});
    EXPECT_EQ(workKindOf(resharded.plan()), WorkKind::Gather);
    Source transposed;
    transposed.add(rows()).pieces.front().strides = {1, 10};
    EXPECT_EQ(workKindOf(transposed.plan()), WorkKind::Gather);

    Source averaged;
    averaged.add(rows());
    CopyPlan plan = averaged.plan();
    plan.recipes[TensorIndex(0)].terms = {{plan.source, TensorIndex(0), 1}};
    EXPECT_EQ(workKindOf(plan), WorkKind::Compute);

    Source stored;
    TensorEntry& tensor = stored.add(rows());
    const CodecId codec = stored.data.addCodec(std::make_shared<SomeCodec>());
    for (Piece& piece : tensor.pieces) {
        piece.codec = codec; // an item as long as its elements, as torch.save keeps them
    }
    EXPECT_EQ(workKindOf(stored.plan()), WorkKind::Copy);
    tensor.pieces.front().bytes.length /= 2;
    EXPECT_EQ(workKindOf(stored.plan()), WorkKind::Compute);
}

void expectRate(const ForecastRate& found, double bytesPerSecond, RateOrigin origin) {
    EXPECT_DOUBLE_EQ(found.bytesPerSecond, bytesPerSecond);
    EXPECT_EQ(found.origin, origin);
}

TEST(ForecastRate, IsAssumedUntilSomethingIsMeasured) {
    expectRate(forecastRate(WorkKind::Cast, {}), kForecastBytesPerSecond, RateOrigin::Assumed);
    WorkRates known;
    known.of(WorkKind::Cast) = 550e6;
    expectRate(forecastRate(WorkKind::Cast, known), 550e6, RateOrigin::Measured);
}

TEST(ForecastRate, OfAKindNotSeenComesFromTheOthers) {
    WorkRates fast;
    fast.of(WorkKind::Copy) = 1100e6; // the disk is fast, casts may be slower
    expectRate(forecastRate(WorkKind::Cast, fast), kForecastBytesPerSecond, RateOrigin::Inferred);
    WorkRates slow;
    slow.of(WorkKind::Copy) = 90e6;
    expectRate(forecastRate(WorkKind::Pack, slow), 90e6, RateOrigin::Inferred);
    WorkRates gathered;
    gathered.of(WorkKind::Gather) = 450e6;
    expectRate(forecastRate(WorkKind::Copy, gathered), 450e6, RateOrigin::Inferred);
    WorkRates computed; // a rate that the disk's file has no entry for
    computed.of(WorkKind::Compute) = 40e6;
    expectRate(forecastRate(WorkKind::Copy, computed), kForecastBytesPerSecond,
               RateOrigin::Assumed);
}

TEST(Forecast, SecondsAreAtTheRateThatItNames) {
    Source source;
    source.add(rows());
    CopyPlan plan = source.plan();
    refreshForecast(plan);
    EXPECT_DOUBLE_EQ(plan.forecast.seconds, 4800 / kForecastBytesPerSecond);
    EXPECT_EQ(plan.forecast.rate.origin, RateOrigin::Assumed);
    plan.rates.of(WorkKind::Copy) = 1000;
    refreshForecast(plan);
    EXPECT_DOUBLE_EQ(plan.forecast.seconds, 4.8);
    expectRate(plan.forecast.rate, 1000, RateOrigin::Measured);
    EXPECT_TRUE(validate(plan).has_value());
}

} // namespace
} // namespace cairn
