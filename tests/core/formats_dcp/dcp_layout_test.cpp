// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/cuts.h"
#include "core/formats/dcp/flatten.h"
#include "core/formats/dcp/layout.h"

#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <string>
#include <string_view>

namespace cairn::formats::dcp {
namespace {

std::vector<ShardAxis> axes(std::initializer_list<ShardAxis> list) {
    return list;
}

std::string text(const std::vector<Cut>& cuts) {
    std::string all;
    for (const Cut& cut : cuts) {
        all += std::to_string(cut.rank) + ":" + formatDims(cut.box.origin) +
               formatDims(cut.box.extent) + " ";
    }
    return all;
}

TEST(DcpCuts, FollowTheRuleOfTorchChunk) {
    EXPECT_EQ(text(cutTensor({8, 3}, axes({{4, 0}}), 0)),
              "0:[0, 0][2, 3] 1:[2, 0][2, 3] 2:[4, 0][2, 3] 3:[6, 0][2, 3] ");
    // Five rows over four ranks: 2, 2, 1, and none for the last.
    EXPECT_EQ(text(cutTensor({5}, axes({{4, 0}}), 0)), "0:[0][2] 1:[2][2] 2:[4][1] ");
    EXPECT_EQ(text(cutTensor({2, 3}, axes({{8, 0}}), 0)), "0:[0, 0][1, 3] 1:[1, 0][1, 3] ");
    EXPECT_EQ(text(cutTensor({2, 3}, axes({{2, -1}}), 0)), "0:[0, 0][2, 2] 1:[0, 2][2, 1] ");
}

TEST(DcpCuts, GridsCountTheLastAxisFastest) {
    EXPECT_EQ(text(cutTensor({2, 4}, axes({{2, 0}, {2, 1}}), 0)),
              "0:[0, 0][1, 2] 1:[0, 2][1, 2] 2:[1, 0][1, 2] 3:[1, 2][1, 2] ");
    // Both axes along one dimension: the layout of FSDP over tensor parallelism.
    EXPECT_EQ(text(cutTensor({8}, axes({{2, 0}, {2, 0}}), 0)),
              "0:[0][2] 1:[2][2] 2:[4][2] 3:[6][2] ");
}

TEST(DcpCuts, WhatLacksTheDimensionLiesOnOneRank) {
    EXPECT_EQ(text(cutTensor({}, axes({{4, 0}}), 6)), "2:[][] ");
    EXPECT_EQ(text(cutTensor({7}, axes({{2, 0}, {3, 1}}), 2)), "2:[0][4] 5:[4][3] ");
    EXPECT_EQ(text(cutTensor({0, 5}, axes({{4, 0}}), 3)), "3:[0, 0][0, 5] "); // no elements
}

TEST(DcpCuts, EveryElementLiesOnOneRank) {
    for (const std::int64_t extent : {1, 2, 3, 7, 8, 13, 64, 65}) {
        for (const std::uint32_t ranks : {1U, 2U, 3U, 5U, 8U, 64U}) {
            std::int64_t next = 0;
            for (const Cut& cut : cutTensor({extent}, axes({{ranks, 0}}), 0)) {
                EXPECT_EQ(cut.box.origin[0], next);
                EXPECT_GT(cut.box.extent[0], 0);
                EXPECT_LT(cut.rank, ranks);
                next += cut.box.extent[0];
            }
            EXPECT_EQ(next, extent);
        }
    }
}

TEST(DcpCuts, TooManyRanksAreRefused) {
    EXPECT_EQ(rankCount(axes({{0, 0}})).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(rankCount(axes({{65536, 0}, {65536, 1}})).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(rankCount({}).value_or(0), 1U);
}

LayoutTensor tensor(std::size_t source, std::string_view name, Shape shape) {
    return {TensorIndex(source), name, Dtype::Float32, std::move(shape), std::nullopt};
}

std::string names(const Leaves& leaves) {
    std::string all;
    for (const Leaf& leaf : leaves.all) {
        all += std::string(leaf.name) + (leaf.tensor ? "* " : " ");
    }
    return all;
}

TEST(DcpFlatten, DescendsWhatTorchDescends) {
    const std::vector<LayoutTensor> tensors{tensor(0, "model.w", {2}), tensor(1, "list.1", {2}),
                                            tensor(2, "pair.0", {2}), tensor(3, "beside", {2})};
    const auto number = [](std::int64_t n) { return Value(n); };
    const Value values = Value::dict({
        {"model", Value::dict({{"w", TensorIndex(0U)}})},
        {"betas", Value::list({number(1), number(2)})},
        {"groups", Value::list({Value::dict({{"lr", Value(0.1)}})})},
        {"list", Value::list({number(1), TensorIndex(1U)})},
        {"pair", Value::container({ValueKind::Tuple, {}, {{Value(), TensorIndex(2U)}}})},
        {"empty", Value::dict({})},
        {number(3), Value("x")},
    });
    LayoutRequest request;
    request.tensors = tensors;
    request.values = &values;
    const auto leaves = flatten(request);
    ASSERT_TRUE(leaves) << describe(leaves.error());
    EXPECT_EQ(names(*leaves), "model.w* betas groups.0.lr list.0 list.1* pair empty 3 beside* ");
}

/// torch's flatten_state_dict refuses them ("duplicated flatten key"), and cannot load them.
TEST(DcpFlatten, KeysThatAreEqualWhenJoinedAreRefused) {
    const std::vector<LayoutTensor> tensors{tensor(0, "a.b", {2}), tensor(1, "a.b@2", {3})};
    const auto inner = [](Value value) { return Value::dict({{"b", std::move(value)}}); };
    const Value none(true);
    for (const Value& values :
         {Value::dict({{"a.b", none}, {"a", inner(none)}}),
          Value::dict({{"a.b", TensorIndex(0U)}, {"a", inner(TensorIndex(1U))}}),
          Value::dict({{"a.b", none}, {"a", inner(TensorIndex(0U))}}),
          Value::dict({{Value(std::int64_t{0}), none}, {"0", none}}),
          Value::dict({{"l", Value::list({TensorIndex(0U), none})}, {"l.1", none}})}) {
        LayoutRequest request;
        request.tensors = tensors;
        request.values = &values;
        const auto leaves = flatten(request);
        ASSERT_FALSE(leaves) << names(*leaves);
        EXPECT_EQ(leaves.error().code, ErrorCode::NameNotRepresentable);
    }
}

TEST(DcpFlatten, ValuesThatMultiplyAreRefused) {
    Value value = Value::dict({{"x", Value(true)}});
    for (int i = 0; i < 60; ++i) {
        value = Value::dict({{"a", value}, {"b", value}});
    }
    LayoutRequest request;
    request.values = &value;
    const auto leaves = flatten(request);
    ASSERT_FALSE(leaves);
    EXPECT_EQ(leaves.error().code, ErrorCode::LimitExceeded);
}

TEST(DcpFlatten, TwoTensorsOfOneNameAreRefused) {
    const std::vector<LayoutTensor> tensors{tensor(0, "w", {2}), tensor(1, "w", {2})};
    LayoutRequest request;
    request.tensors = tensors;
    EXPECT_EQ(flatten(request).error().code, ErrorCode::NameNotRepresentable);
}

struct Size {
    std::size_t segments = 0;
    std::uint64_t ownBytes = 0; ///< literals that no two segments share, without the index
    std::uint64_t indexBytes = 0;
    std::set<const void*> shared;
};

Size sizeOf(std::size_t count, std::uint32_t ranks, const Shape& shape = {16, 4}) {
    std::deque<std::string> names;
    std::vector<LayoutTensor> tensors;
    for (std::size_t i = 0; i < count; ++i) {
        names.push_back("layers." + std::to_string(i) + ".weight");
        tensors.push_back(tensor(i, names.back(), shape));
    }
    const auto grid = axes({{ranks, 0}});
    LayoutRequest request;
    request.tensors = tensors;
    request.axes = grid;
    const auto layout = layOut(request);
    Size size;
    EXPECT_TRUE(layout);
    for (const OutputFile& file : layout->files) {
        size.segments += file.tensors.size();
        for (const LiteralContent& content : file.contents) {
            (file.name == ".metadata" ? size.indexBytes : size.ownBytes) += content.bytes.size();
            size.shared.insert(content.shared.get());
        }
    }
    return size;
}

TEST(DcpLayout, GrowsWithChunksAndSharesWhatIsEqual) {
    const Size one = sizeOf(1000, 8);
    const Size two = sizeOf(2000, 8);
    EXPECT_EQ(one.segments, 8000U);
    EXPECT_EQ(two.segments, 16000U);
    EXPECT_EQ(one.ownBytes, 0U);
    EXPECT_EQ(one.shared.size(), 3U); // empty, a head and a tail
    EXPECT_LT(two.indexBytes, one.indexBytes * 21 / 10);
    EXPECT_LT(one.indexBytes / one.segments, 120U);
}

TEST(DcpLayout, ThePaddingOfLargeChunksIsSharedToo) {
    const Size one = sizeOf(40, 4, {4 * 512, 1040}); // chunks above 1 MiB, not in whole pages
    const Size two = sizeOf(80, 4, {4 * 512, 1040});
    EXPECT_EQ(two.segments, 320U);
    EXPECT_EQ(two.ownBytes, 0U);
    EXPECT_EQ(two.shared.size(), one.shared.size());
    EXPECT_LT(two.shared.size(), 3U + 64U); // at most one for each length
}

TEST(DcpLayout, TheIndexIsTheLastFile) {
    const std::vector<LayoutTensor> tensors{tensor(0, "w", {512, 1024})};
    const auto grid = axes({{3, 0}});
    LayoutRequest request;
    request.tensors = tensors;
    request.axes = grid;
    const auto layout = layOut(request);
    ASSERT_TRUE(layout);
    EXPECT_TRUE(layout->folder);
    ASSERT_EQ(layout->files.size(), 4U);
    EXPECT_EQ(layout->files[0].name, "__0_0.distcp");
    EXPECT_EQ(layout->files[2].name, "__2_0.distcp");
    EXPECT_EQ(layout->files[3].name, ".metadata");
}

TEST(DcpLayout, ElementsLieAtWholePagesWhenTheyAreMany) {
    const std::vector<LayoutTensor> tensors{tensor(0, "small", {3}),
                                            tensor(1, "large", {512, 1024})};
    LayoutRequest request;
    request.tensors = tensors;
    request.maxShardBytes = 1;
    auto layout = layOut(request);
    ASSERT_TRUE(layout);
    EXPECT_EQ(layout->files.size(), 3U) << "an item a file";
    request.maxShardBytes = 0;
    layout = layOut(request);
    ASSERT_TRUE(layout);
    ASSERT_EQ(layout->files[0].tensors.size(), 2U);
    EXPECT_EQ(layout->files[0].tensors[0].offset % 64, 0U);
    EXPECT_EQ(layout->files[0].tensors[1].offset % 4096, 0U);
}

} // namespace
} // namespace cairn::formats::dcp
