// SPDX-License-Identifier: Apache-2.0
#include "core/plan/shared_ranges.h"
#include "tests/core/model/synthetic.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

constexpr std::uint64_t kBlock = 4096;

/// One source file and one output file; tensors are added to both.
class Bench {
public:
    Bench() {
        synthetic::addMemoryFile(m_data, {}, "source");
        plan.sharing = {kBlock, "a test", {true}};
        plan.layout.files.emplace_back();
    }
    /// Bytes at one position of the source that are to be written at another.
    void add(std::uint64_t from, std::uint64_t to, std::uint64_t bytes,
             Dtype dtype = Dtype::Uint8) {
        const auto count = static_cast<std::int64_t>(bytes * 8 / dtypeInfo(dtype).bits);
        TensorEntry tensor;
        tensor.name = "t" + std::to_string(m_data.tensors.size());
        tensor.dtype = dtype;
        tensor.shape = {count};
        tensor.pieces.push_back(
            {Box::whole(tensor.shape), FileIndex(0), {from, bytes}, {}, kRawCodec, {}});
        addTensor(std::move(tensor), to, bytes);
    }
    void addTensor(TensorEntry tensor, std::uint64_t to, std::uint64_t bytes) {
        plan.layout.files[0].tensors.push_back({to, bytes, TensorIndex(m_data.tensors.size()), "t",
                                                Box::whole(tensor.shape), tensor.dtype});
        m_data.tensors.push_back(std::move(tensor));
    }
    [[nodiscard]] std::vector<SharedRange> ranges() {
        m_data.files[0].identity.size = std::uint64_t{1} << 40U;
        plan.source = Checkpoint::make(m_data);
        return sharedRanges(plan);
    }
    CopyPlan plan;

private:
    CheckpointData m_data;
};

TEST(SharedRanges, TakeWholeBlocksAtTheSamePlace) {
    Bench bench;
    bench.add(100, 4096 + 100, 1'000'000);
    const auto ranges = bench.ranges();
    ASSERT_EQ(ranges.size(), 1U);
    EXPECT_EQ(ranges[0].offset, 2 * kBlock);
    EXPECT_EQ(ranges[0].sourceOffset, kBlock);
    EXPECT_EQ(ranges[0].end(), (4096 + 100 + 1'000'000) / kBlock * kBlock);
}

TEST(SharedRanges, NothingAtAnotherPlaceOrOfFewBytes) {
    Bench bench;
    bench.add(100, 101, 1'000'000);
    bench.add(1 << 24, 1 << 24, kLeastShared - kBlock);
    EXPECT_TRUE(bench.ranges().empty());
}

TEST(SharedRanges, RunsGoOnAcrossTensors) {
    Bench bench;
    std::uint64_t at = 24;
    for (int i = 0; i < 100; ++i) {
        bench.add(at + kBlock, at, 5000);
        at += 5000;
    }
    const auto ranges = bench.ranges();
    ASSERT_EQ(ranges.size(), 1U);
    EXPECT_EQ(ranges[0].offset, kBlock);
    EXPECT_EQ(ranges[0].end(), at / kBlock * kBlock);
}

TEST(SharedRanges, CutNoElement) {
    Bench bench;
    bench.add(8, kBlock * 3 + 8, 1'000'000, Dtype::Complex128); // 16 bytes, never on a block's edge
    bench.add(1 << 24, 1 << 24, 1'000'000, Dtype::Complex128);
    const auto ranges = bench.ranges();
    ASSERT_EQ(ranges.size(), 1U);
    EXPECT_EQ(ranges[0].offset, std::uint64_t{1} << 24U);
}

TEST(SharedRanges, RowsAreRunsAndColumnsAreNot) {
    for (const std::size_t dim : {0U, 1U}) {
        Bench bench;
        TensorEntry tensor;
        tensor.name = "t";
        tensor.dtype = Dtype::Float32;
        tensor.shape = {512, 512};
        std::uint64_t at = 0;
        for (const Box& box : synthetic::chunks(tensor.shape, dim, 4)) {
            tensor.pieces.push_back({box, FileIndex(0), {at, 512 * 512}, {}, kRawCodec, {}});
            at += 512 * 512;
        }
        bench.addTensor(std::move(tensor), 0, 4 * 512 * 512);
        const auto ranges = bench.ranges();
        ASSERT_EQ(ranges.size(), dim == 0 ? 1U : 0U);
        if (dim == 0) {
            EXPECT_EQ(ranges[0].length, 4U * 512 * 512);
        }
    }
}

TEST(SharedRanges, ABoxOfSomeRowsLiesInsideItsPiece) {
    Bench bench;
    bench.add(0, 0, 1 << 20);
    bench.plan.layout.files[0].tensors[0].box = {{1 << 19}, {1 << 19}};
    bench.plan.layout.files[0].tensors[0].length = 1 << 19;
    const auto ranges = bench.ranges();
    ASSERT_EQ(ranges.size(), 1U);
    EXPECT_EQ(ranges[0].sourceOffset, 1U << 19U);
    EXPECT_EQ(ranges[0].length, 1U << 19U);
}

TEST(SharedRanges, NothingThatIsMadeOrSummedOrElsewhere) {
    const auto count = [](const auto& change) {
        Bench bench;
        bench.add(0, 0, 1 << 20, Dtype::Float32);
        change(bench.plan);
        return bench.ranges().size();
    };
    EXPECT_EQ(count([](CopyPlan&) {}), 1U);
    EXPECT_EQ(count([](CopyPlan& plan) { plan.sharing.block = 0; }), 0U);
    EXPECT_EQ(count([](CopyPlan& plan) { plan.sharing.files[0] = false; }), 0U);
    EXPECT_EQ(count([](CopyPlan& plan) { plan.layout.files[0].tensors[0].dtype = Dtype::Int32; }),
              0U);
    EXPECT_EQ(count([](CopyPlan& plan) { plan.recipes[TensorIndex(0)] = {}; }), 0U);
    EXPECT_EQ(count([](CopyPlan& plan) { plan.layout.files[0].checksums.push_back({0, 0}); }), 0U);
}

TEST(SharedRanges, NothingThatLiesInTwoPlaces) {
    Bench bench;
    TensorEntry tensor;
    tensor.name = "t";
    tensor.dtype = Dtype::Uint8;
    tensor.shape = {1 << 20};
    for (const std::uint64_t from : {0U, 1U << 20U}) {
        tensor.pieces.push_back(
            {Box::whole(tensor.shape), FileIndex(0), {from, 1 << 20}, {}, kRawCodec, {}});
    }
    bench.addTensor(std::move(tensor), 0, 1 << 20);
    EXPECT_TRUE(bench.ranges().empty());
}

TEST(SharedRanges, OriginIsThatOfTheLongestRun) {
    Bench bench;
    TensorEntry tensor;
    tensor.name = "t";
    tensor.dtype = Dtype::Uint8;
    tensor.shape = {1000};
    tensor.pieces.push_back({{{0}, {100}}, FileIndex(0), {7, 100}, {}, kRawCodec, {}});
    tensor.pieces.push_back({{{100}, {900}}, FileIndex(0), {5000, 900}, {}, kRawCodec, {}});
    bench.addTensor(std::move(tensor), 0, 1000);
    (void)bench.ranges();
    const auto origin = originOf(bench.plan, TensorIndex(0), Dtype::Uint8);
    ASSERT_TRUE(origin.has_value());
    EXPECT_EQ(origin->offset, 4900U);
    EXPECT_EQ(origin->bytes, 900U);
    EXPECT_FALSE(originOf(bench.plan, TensorIndex(0), Dtype::Int8).has_value());
}

} // namespace
} // namespace cairn
