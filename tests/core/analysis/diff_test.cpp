// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/diff.h"
#include "core/analysis/diff_elements.h"
#include "core/analysis/diff_rollup.h"
#include "core/analysis/plain_values_diff.h"
#include "tests/core/model/synthetic.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <unistd.h>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using synthetic::bytesOf;

/// Checkpoints of tensors in memory.
class MemoryCheckpoint {
public:
    MemoryCheckpoint& add(const std::string& name, Dtype dtype, Shape shape,
                          std::vector<std::byte> bytes) {
        TensorEntry tensor;
        tensor.name = name;
        tensor.dtype = dtype;
        tensor.shape = std::move(shape);
        const std::uint64_t size = bytes.size();
        const FileIndex file = synthetic::addMemoryFile(m_data, std::move(bytes), name);
        tensor.pieces.push_back({Box::whole(tensor.shape), file, {0, size}, {}, kRawCodec, {}});
        m_data.tensors.push_back(std::move(tensor));
        return *this;
    }
    MemoryCheckpoint& floats(const std::string& name, const std::vector<float>& values) {
        return add(name, Dtype::Float32, Shape{static_cast<std::int64_t>(values.size())},
                   bytesOf(values));
    }
    MemoryCheckpoint& values(Value value) {
        m_data.loadValues = [value](const CancelToken&) -> Result<LoadedValues> { return value; };
        return *this;
    }
    CheckpointPtr make() { return Checkpoint::make(std::move(m_data)); }

private:
    CheckpointData m_data;
};

CheckpointPtr named(const std::vector<std::string>& names) {
    MemoryCheckpoint maker;
    for (const std::string& name : names) {
        maker.floats(name, {1, 2});
    }
    return maker.make();
}

std::vector<std::string> pairsOf(const CheckpointPtr& left, const CheckpointPtr& right,
                                 const NameRules& rules = {}) {
    const StructureDiff diff = structureDiff(DiffSide::whole(left), DiffSide::whole(right), rules);
    std::vector<std::string> out;
    for (const TensorPair& pair : diff.pairs) {
        out.push_back(left->tensor(pair.left).name + (pair.renamed ? " -> " : " = ") +
                      right->tensor(pair.right).name);
    }
    for (const TensorIndex index : diff.onlyLeft) {
        out.push_back("< " + left->tensor(index).name);
    }
    for (const TensorIndex index : diff.onlyRight) {
        out.push_back("> " + right->tensor(index).name);
    }
    return out;
}

using Lines = std::vector<std::string>;

TEST(DiffStructure, MatchesUnderWrappers) {
    EXPECT_EQ(pairsOf(named({"module.a.weight", "b", "_orig_mod.layers.0._fsdp_wrapped_module.w",
                             "gone"}),
                      named({"a.weight", "b", "model.layers.0.w", "new"})),
              (Lines{"module.a.weight -> a.weight", "b = b",
                     "_orig_mod.layers.0._fsdp_wrapped_module.w -> model.layers.0.w", "< gone",
                     "> new"}));
}

TEST(DiffStructure, EqualNamesComeFirst) {
    EXPECT_EQ(pairsOf(named({"module.w", "w"}), named({"w"})), (Lines{"w = w", "< module.w"}));
}

TEST(DiffStructure, WhatIsAmbiguousMatchesNothing) {
    EXPECT_EQ(pairsOf(named({"module.w", "_orig_mod.w"}), named({"w"})),
              (Lines{"< module.w", "< _orig_mod.w", "> w"}));
}

TEST(DiffStructure, FollowsTheUsersRules) {
    const auto left = named({"encoder.0.w", "decoder.1.attn.q"});
    const auto right = named({"enc.0.w", "dec.1.self_attn.q"});
    const auto rules =
        NameRules::parse("encoder.=enc.;re:^decoder\\.(\\d+)\\.attn=dec.$1.self_attn");
    ASSERT_TRUE(rules);
    EXPECT_EQ(pairsOf(left, right, *rules),
              (Lines{"encoder.0.w -> enc.0.w", "decoder.1.attn.q -> dec.1.self_attn.q"}));
    EXPECT_FALSE(NameRules::parse("no-equals"));
    EXPECT_FALSE(NameRules::parse("re:(=x"));
}

TEST(DiffStructure, RulesMayExchangeNamesThatBothSidesHave) {
    const auto both = named({"a.w", "b.w", "c.w"});
    EXPECT_EQ(pairsOf(both, both, *NameRules::parse("a.=b.;b.=a.")),
              (Lines{"a.w -> b.w", "b.w -> a.w", "c.w = c.w"}));
    // Two names that become one match as if there were no rule.
    EXPECT_EQ(pairsOf(both, both, *NameRules::parse("a.=b.")),
              (Lines{"a.w = a.w", "b.w = b.w", "c.w = c.w"}));
}

TEST(DiffStructure, ComparesBelowAMember) {
    const auto left = named({"model.x.w", "model.x.b", "other"});
    const auto right = named({"w", "b"});
    DiffSide part = DiffSide::whole(left);
    part.tensors.pop_back();
    part.prefix = "model.x";
    const StructureDiff diff = structureDiff(part, DiffSide::whole(right));
    EXPECT_EQ(diff.pairs.size(), 2U);
    EXPECT_FALSE(diff.pairs[0].renamed);
}

std::vector<float> noise(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    for (float& value : values) {
        value = normal(random);
    }
    return values;
}

TEST(DiffValues, ThreadsAndShardingDoNotShow) {
    const auto values = noise(2 * kSegmentElements + 1001, 1);
    auto changed = values;
    for (std::size_t i = 0; i < changed.size(); i += 1000) {
        changed[i] += 0.5F;
    }
    const auto left = MemoryCheckpoint().floats("w", values).floats("empty", {}).make();
    CheckpointData sharded;
    TensorEntry tensor;
    tensor.name = "w";
    tensor.shape = Shape{static_cast<std::int64_t>(changed.size())};
    for (const Box& box : synthetic::chunks(tensor.shape, 0, 3)) {
        const auto first = static_cast<std::ptrdiff_t>(box.origin[0]);
        const std::vector<float> part(changed.begin() + first,
                                      changed.begin() + first + box.extent[0]);
        const FileIndex file =
            synthetic::addMemoryFile(sharded, bytesOf(part), "s" + std::to_string(first));
        tensor.pieces.push_back({box, file, {0, part.size() * 4}, {}, kRawCodec, {}});
    }
    sharded.tensors.push_back(tensor);
    tensor.name = "empty";
    tensor.shape = Shape{0};
    tensor.pieces.clear();
    sharded.tensors.push_back(tensor);
    const auto right = Checkpoint::make(std::move(sharded));
    const StructureDiff structure = structureDiff(DiffSide::whole(left), DiffSide::whole(right));
    ASSERT_EQ(structure.pairs.size(), 2U);
    std::optional<ElementComparison> first;
    for (const std::size_t threads : {1U, 2U, 4U}) {
        DiffOptions options;
        options.threads = threads;
        std::atomic<std::uint64_t> progress{0};
        options.progress = &progress;
        std::size_t reported = 0;
        options.done = [&](std::size_t, const PairDiff&) { ++reported; };
        const auto diff = diffValues(*left, *right, structure.pairs, options);
        ASSERT_TRUE(diff) << describe(diff.error());
        EXPECT_EQ(reported, 2U);
        EXPECT_EQ(progress.load(), diffBytes(*left, *right, structure.pairs));
        const ElementComparison& sums = (*diff)[0].values;
        EXPECT_EQ(sums.count, values.size());
        EXPECT_EQ(sums.changed, (values.size() + 999) / 1000);
        EXPECT_FALSE(sums.identical);
        EXPECT_NEAR(sums.maxAbs, 0.5, 1e-6);
        EXPECT_TRUE((*diff)[1].values.identical);
        first = first.value_or(sums);
        EXPECT_TRUE(*first == sums);
    }
}

TEST(DiffValues, SaysWhatItDoesNotCompare) {
    const auto left = MemoryCheckpoint()
                          .floats("shape", {1, 2})
                          .floats("kind", {1})
                          .floats("holed", {1})
                          .floats("fine", {1})
                          .make();
    CheckpointData data = MemoryCheckpoint().floats("shape", {1}).make()->data();
    TensorEntry packed = data.tensors[0];
    packed.name = "kind";
    packed.dtype = Dtype::Bits8;
    packed.shape = Shape{1};
    packed.pieces[0].bytes.length = 1;
    TensorEntry holed = data.tensors[0];
    holed.name = "holed";
    holed.pieces.clear();
    TensorEntry fine = data.tensors[0];
    fine.name = "fine";
    data.tensors.push_back(packed);
    data.tensors.push_back(holed);
    data.tensors.push_back(fine);
    const auto right = Checkpoint::make(std::move(data));
    const StructureDiff structure = structureDiff(DiffSide::whole(left), DiffSide::whole(right));
    const auto diff = diffValues(*left, *right, structure.pairs);
    ASSERT_TRUE(diff);
    EXPECT_EQ((*diff)[0].by, DiffBy::OtherShape);
    EXPECT_EQ((*diff)[1].by, DiffBy::OtherDtype);
    EXPECT_EQ((*diff)[2].by, DiffBy::Unread);
    ASSERT_TRUE((*diff)[2].error);
    EXPECT_EQ((*diff)[2].error->code, ErrorCode::CoverageHole);
    EXPECT_EQ((*diff)[3].by, DiffBy::Values);
    EXPECT_TRUE((*diff)[3].values.identical);
}

TEST(DiffValues, StopsWhenCancelled) {
    const auto left = named({"w"});
    const auto right = named({"w"});
    const StructureDiff structure = structureDiff(DiffSide::whole(left), DiffSide::whole(right));
    DiffOptions options;
    options.cancel.cancel();
    const auto diff = diffValues(*left, *right, structure.pairs, options);
    ASSERT_FALSE(diff);
    EXPECT_EQ(diff.error().code, ErrorCode::Cancelled);
}

/// One tensor in a file on disk.
class OnDisk : public ::testing::Test {
protected:
    void write(const std::string& name, const std::vector<float>& values) const {
        std::ofstream(m_folder.path() / name, std::ios::binary)
            .write(reinterpret_cast<const char*>(values.data()),
                   static_cast<std::streamsize>(values.size() * 4));
    }
    CheckpointPtr open(const std::string& name, std::int64_t count) const {
        CheckpointData data;
        const auto folder = Folder::open(m_folder.path()).value();
        CheckpointFile file;
        file.path = name;
        file.folder = folder;
        file.identity = folder->openFile(name).value()->identity();
        const FileIndex index = data.addFile(std::move(file));
        TensorEntry tensor;
        tensor.name = "w";
        tensor.shape = Shape{count};
        tensor.pieces.push_back({Box::whole(tensor.shape),
                                 index,
                                 {0, static_cast<std::uint64_t>(count) * 4},
                                 {},
                                 kRawCodec,
                                 {}});
        data.tensors.push_back(std::move(tensor));
        return Checkpoint::make(std::move(data));
    }
    static Result<std::vector<PairDiff>> diff(const CheckpointPtr& left, const CheckpointPtr& right,
                                              const DiffOptions& options = {}) {
        return diffValues(*left, *right,
                          structureDiff(DiffSide::whole(left), DiffSide::whole(right)).pairs,
                          options);
    }
    test::TemporaryFolder m_folder;
};

TEST_F(OnDisk, LinksAreNotRead) {
    write("a", {1, 2, 3, 4});
    fs::create_hard_link(m_folder.path() / "a", m_folder.path() / "b");
    fs::create_symlink("a", m_folder.path() / "c");
    write("d", {1, 2, 3, 4});
    const auto a = open("a", 4);
    for (const char* link : {"a", "b", "c"}) {
        std::atomic<std::uint64_t> read{0};
        DiffOptions options;
        options.progress = &read;
        const auto result = diff(a, open(link, 4), options);
        ASSERT_TRUE(result) << describe(result.error());
        EXPECT_EQ((*result)[0].by, DiffBy::SameFile);
        EXPECT_TRUE((*result)[0].values.identical);
        EXPECT_EQ(read.load(), 0U);
    }
    const auto copy = diff(a, open("d", 4));
    ASSERT_TRUE(copy);
    EXPECT_EQ((*copy)[0].by, DiffBy::Values);
    EXPECT_TRUE((*copy)[0].values.identical);
}

TEST_F(OnDisk, AChangeMeanwhileEndsTheDiff) {
    const std::vector<float> values(100'000, 1.0F);
    for (const char* how : {"rewritten", "replaced", "removed", "cut"}) {
        SCOPED_TRACE(how);
        write("a", values);
        write("b", values);
        const auto a = open("a", 100'000);
        const auto b = open("b", 100'000);
        DiffOptions options;
        options.threads = 1;
        // the pair is finished, the diff is not
        options.done = [&](std::size_t, const PairDiff&) {
            if (std::string(how) == "rewritten") {
                write("b", std::vector<float>(100'000, 2.0F));
            } else if (std::string(how) == "replaced") {
                write("new", std::vector<float>(100'000, 2.0F));
                fs::rename(m_folder.path() / "new", m_folder.path() / "b");
            } else if (std::string(how) == "removed") {
                fs::remove(m_folder.path() / "b");
            } else {
                fs::resize_file(m_folder.path() / "b", 10);
            }
        };
        const auto result = diff(a, b, options);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::ChangedOnDisk);
        fs::remove(m_folder.path() / "b");
    }
}

TEST_F(OnDisk, AChangeBeforehandIsSeen) {
    write("a", {1, 2, 3, 4});
    write("b", {1, 2, 3, 4});
    const auto a = open("a", 4);
    const auto b = open("b", 4);
    write("b", {1, 2, 3, 5});
    const auto result = diff(a, b);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::ChangedOnDisk);
}

TEST(DiffRollup, AddsUpAndPutsTheMostChangedFirst) {
    const auto left = MemoryCheckpoint()
                          .floats("model.layers.0.w", {3, 4})
                          .floats("model.layers.2.w", {1, 0})
                          .floats("model.layers.10.w", {1, 1})
                          .floats("head", {2})
                          .floats("gone", {1})
                          .make();
    const auto right = MemoryCheckpoint()
                           .floats("model.layers.0.w", {3, 4})
                           .floats("model.layers.2.w", {1, 2})
                           .floats("model.layers.10.w", {1, 1.5F})
                           .floats("head", {3})
                           .make();
    const DiffSide l = DiffSide::whole(left);
    const DiffSide r = DiffSide::whole(right);
    const StructureDiff structure = structureDiff(l, r);
    const auto values = diffValues(*left, *right, structure.pairs).value();
    const DiffTree tree = rollUp(l, r, structure, values);
    const DiffSums& root = tree.root().sums;
    EXPECT_EQ(root.tensors, 4U);
    EXPECT_EQ(root.changed, 3U);
    EXPECT_EQ(root.onlyLeft, 1U);
    EXPECT_EQ(root.values.changed, 3U);
    EXPECT_EQ(root.values.maxAbs, 2);
    EXPECT_EQ(root.mostChanged, 2);
    EXPECT_NEAR(root.relativeChange(), std::sqrt(4 + 0.25 + 1) / std::sqrt(25.0 + 1 + 2 + 4),
                1e-15);
    Lines order;
    for (const std::uint32_t child : tree.root().children) {
        order.push_back(tree.nodes[child].name);
    }
    EXPECT_EQ(order, (Lines{"head", "model", "gone"}));
    const auto strip = layerStrip(l, structure, values);
    ASSERT_EQ(strip.size(), 4U);
    EXPECT_EQ(strip[0].layer, "head");
    EXPECT_FALSE(strip[0].number);
    EXPECT_EQ(strip[1].layer, "model.layers.0");
    EXPECT_EQ(strip[1].sums.relativeChange(), 0);
    EXPECT_EQ(strip[2].number, 2U);
    EXPECT_EQ(strip[2].sums.relativeChange(), 2);
    EXPECT_EQ(strip[3].layer, "model.layers.10");
    EXPECT_EQ(mostChangedFirst(structure, values), (std::vector<std::size_t>{1, 3, 2, 0}));
}

TEST(DiffElements, GivesSlicesAndPlaces) {
    std::vector<float> values(3 * kBlockElements, 1.0F);
    auto other = values;
    const std::vector<std::uint64_t> places{5, 70'000, 70'001, 3 * kBlockElements - 1};
    for (const std::uint64_t place : places) {
        other[place] = 2.0F;
    }
    other[9] = 1.0F;
    const Shape shape{3, static_cast<std::int64_t>(kBlockElements)};
    const auto left = MemoryCheckpoint().add("w", Dtype::Float32, shape, bytesOf(values)).make();
    const auto right = MemoryCheckpoint().add("w", Dtype::Float32, shape, bytesOf(other)).make();
    const TensorEntry& l = left->tensor(TensorIndex(0));
    const TensorEntry& r = right->tensor(TensorIndex(0));
    EXPECT_EQ(changedPositions({*left, l}, {*right, r}, 0, 100).value(), places);
    EXPECT_EQ(changedPositions({*left, l}, {*right, r}, 6, 1).value(),
              (std::vector<std::uint64_t>{70'000}));
    const auto slice = diffSlice({*left, l}, {*right, r}, {Dims{0, 4}, Dims{2, 3}});
    ASSERT_TRUE(slice);
    EXPECT_EQ(slice->changed, (std::vector<std::uint8_t>{0, 1, 0, 0, 0, 0}));
    EXPECT_EQ(slice->rightValues[1], 2);
    EXPECT_FALSE(diffSlice({*left, l}, {*right, r}, {Dims{2, 4}, Dims{2, 3}}));
}

TEST(DiffPlainValues, ComparesLeafByLeaf) {
    const auto dict = [](std::int64_t epoch, double loss, std::string extra) {
        return Value::dict(
            {{Value("epoch"), Value(epoch)},
             {Value("loss"), Value(loss)},
             {Value("opt"), Value::list({Value(std::int64_t{1}), Value(std::move(extra))})},
             {Value("w"), Value(TensorIndex(0))}});
    };
    const auto left = MemoryCheckpoint().floats("w", {1}).values(dict(3, NAN, "a")).make();
    const auto right = MemoryCheckpoint().floats("w", {1}).values(dict(4, NAN, "b")).make();
    const auto diff = diffPlainValues(*left, *right);
    ASSERT_TRUE(diff);
    ASSERT_EQ(diff->changed.size(), 2U);
    EXPECT_EQ(diff->changed[0].key, "epoch");
    EXPECT_EQ(*diff->changed[0].right.asInt(), 4);
    EXPECT_EQ(diff->changed[1].key, "opt.1");
    EXPECT_EQ(diff->same, 2U);
    const auto none = MemoryCheckpoint().floats("w", {1}).values(Value::dict({})).make();
    const auto only = diffPlainValues(*left, *none);
    ASSERT_TRUE(only);
    EXPECT_EQ(only->onlyLeft.size(), 4U);
}

} // namespace
} // namespace cairn
