// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/pickle.h"
#include "core/formats/dcp/index.h"
#include "core/formats/dcp/names.h"
#include "core/formats/dcp/rank_steps.h"
#include "core/formats/dcp/step_check.h"
#include "core/formats/format.h"
#include "core/model/coverage.h"
#include "core/model/tensor_reader.h"
#include "tests/core/formats_dcp/dcp_builder.h"

#include <gtest/gtest.h>

#include <cstring>

namespace cairn::test {
namespace {

using formats::dcp::IndexBuilder;

formats::dcp::DcpIndex indexOf(const IndexSpec& spec) {
    const std::string bytes = IndexWriter().write(spec);
    const auto graph = pickle::parsePickle(asBytes(bytes));
    EXPECT_TRUE(graph);
    IndexBuilder builder;
    EXPECT_TRUE(builder.add(*graph, ".metadata"));
    return std::move(builder).finish();
}

std::vector<float> floatsOf(const Checkpoint& checkpoint, const char* name) {
    const auto bytes = readComplete(checkpoint, checkpoint.tensor(*checkpoint.find(name)), 1 << 20);
    EXPECT_TRUE(bytes) << (bytes ? "" : describe(bytes.error()));
    std::vector<float> numbers(bytes ? bytes->size() / 4 : 0);
    std::memcpy(numbers.data(), bytes->data(), numbers.size() * 4);
    return numbers;
}

TEST(DcpIndex, SortsChunksAndJoinsThemByOffset) {
    IndexSpec spec;
    spec.tensors = {{"t", {9}, {}}};
    for (const std::int64_t start : {6, 0, 3}) {
        spec.tensors[0].chunks.push_back({{start}, {3}, "__0_0.distcp", start * 100, 50, {}});
    }
    const auto index = indexOf(spec);
    ASSERT_EQ(index.tensors.size(), 1U);
    ASSERT_EQ(index.tensors[0].pieces.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(index.tensors[0].pieces[i].box.origin[0], static_cast<std::int64_t>(3 * i));
        EXPECT_EQ(index.tensors[0].pieces[i].bytes.offset, 300 * i);
    }
}

TEST(DcpIndex, SkipsEmptyChunks) {
    IndexSpec spec;
    spec.tensors = {{"t",
                     {2, 3},
                     {{{0, 0}, {2, 3}, "__0_0.distcp", 0, 50, {}},
                      {{2, 0}, {0, 3}, "__3_0.distcp", 0, 50, {}, false},
                      {{2, 0}, {0, 3}, "__2_0.distcp", 0, 50, {}}}}};
    const auto index = indexOf(spec);
    EXPECT_EQ(index.tensors[0].pieces.size(), 1U);
    EXPECT_FALSE(index.unsound);
    ASSERT_EQ(index.files.size(), 2U);
    EXPECT_TRUE(index.files[0].needed);
    EXPECT_FALSE(index.files[1].needed);
}

TEST(DcpIndex, AcceptsObjectsMadeByCalls) {
    // The pickle of a writer that every version of torch can read: Class(arguments).
    PickleAssembler out;
    const auto size = [&](int value) {
        out.global("torch", "Size").op('K').op(value).op(0x85).op(0x85).reduce();
    };
    constexpr const char* kModule = "torch.distributed.checkpoint.metadata";
    out.proto(2)
        .global(kModule, "Metadata")
        .op('(')
        .op('}')
        .text("t")
        .global(kModule, "TensorStorageMetadata")
        .op('(');
    out.global(kModule, "TensorProperties").global("torch", "int8").op(0x85).reduce();
    size(4);
    out.op(']').global(kModule, "ChunkStorageMetadata").op('(');
    size(0);
    size(4);
    out.op('t')
        .reduce()
        .op('a')
        .op('t')
        .reduce()
        .op('s')
        .op('N')
        .op('}')
        .global(kModule, "MetadataIndex")
        .op('(')
        .text("t");
    size(0);
    out.op('N')
        .op('t')
        .reduce()
        .global("torch.distributed.checkpoint.filesystem", "_StorageInfo")
        .op('(')
        .text("f.distcp");
    out.op('K').op(7).op('K').op(90).op('t').reduce().op('s').op('t').reduce().stop();
    const auto graph = pickle::parsePickle(asBytes(out.str()));
    ASSERT_TRUE(graph) << describe(graph.error());
    IndexBuilder builder;
    ASSERT_TRUE(builder.add(*graph, ".metadata"));
    const auto index = std::move(builder).finish();
    ASSERT_EQ(index.tensors.size(), 1U);
    EXPECT_EQ(index.tensors[0].dtype, Dtype::Int8);
    ASSERT_EQ(index.tensors[0].pieces.size(), 1U);
    EXPECT_EQ(index.tensors[0].pieces[0].bytes, (ByteRange{7, 90}));
}

TEST(DcpIndex, NoticesStayFew) {
    IndexSpec spec;
    spec.tensors = {{"t", {4}, {}}};
    spec.tensors[0].chunks.assign(1000, {{9}, {9}, "__0_0.distcp", 0, 1, {}});
    auto index = indexOf(spec);
    const auto notices = std::move(index.notices).take();
    EXPECT_EQ(notices.size(), formats::dcp::NoticeLog::kMaxOfAKind + 1);
    EXPECT_EQ(notices.back().error.message.text(), "And 980 more of this kind");
}

TEST(DcpNames, AnOptimizerIsKnownByItsGroups) {
    formats::dcp::OptimizerPlaces places;
    EXPECT_TRUE(places.empty());
    places.note("app.g_optim.param_groups.0.lr");
    places.note("other.param_groups"); // a list in one piece
    places.note("model.my_param_groups.w");
    EXPECT_TRUE(places.holds("app.g_optim.state.layer.state.w.exp_avg"));
    EXPECT_TRUE(places.holds("other.state.0.exp_avg"));
    EXPECT_TRUE(places.holds("app.g_optim.param_groups.0.betas"));
    EXPECT_FALSE(places.holds("app.g.state.w"));
    EXPECT_FALSE(places.holds("model.state.w"));
    EXPECT_FALSE(places.holds("other.stateful.w"));
}

TEST(DcpIndex, TensorsOfAnOptimizerOfAnyName) {
    IndexSpec spec;
    spec.tensors = {{"d_optim.state.w.exp_avg", {4}, {}}, {"d.state.w", {4}, {}}};
    EXPECT_EQ(indexOf(spec).tensors[0].role, Role::Weight);
    spec.values = {{"d_optim.param_groups.0.lr"}};
    const auto index = indexOf(spec);
    EXPECT_EQ(index.tensors[0].role, Role::Optimizer);
    EXPECT_EQ(index.tensors[1].role, Role::Weight);
}

TEST(DcpNames, RanksComeFromFileNames) {
    using namespace formats::dcp;
    EXPECT_EQ(rankInShardName("__3_0.distcp"), 3);
    EXPECT_EQ(rankInShardName("optimizer__12_1.distcp"), 12);
    EXPECT_EQ(rankInShardName("weights.distcp"), std::nullopt);
    EXPECT_EQ(rankInShardName("__3_0.pt"), std::nullopt);
    EXPECT_EQ(rankInMetadataName("__7.metadata"), 7);
    EXPECT_EQ(rankInMetadataName("__.metadata"), std::nullopt);
    EXPECT_EQ(rankInMetadataName(".metadata"), std::nullopt);
}

TEST(DcpFolder, ReadsShardsAndValues) {
    const TemporaryFolder folder;
    Sample().write(folder);
    const auto opened = openCheckpoint(folder.path());
    ASSERT_TRUE(opened) << describe(opened.error());
    EXPECT_EQ((*opened)->completeness(), Completeness::Complete);
    EXPECT_TRUE((*opened)->notices().empty());
    EXPECT_EQ((*opened)->data().worldSize, 2);
    const auto numbers = floatsOf(**opened, "w");
    ASSERT_EQ(numbers.size(), 12U);
    for (std::size_t i = 0; i < 12; ++i) {
        EXPECT_EQ(numbers[i], static_cast<float>(i));
    }
    const auto values = (*opened)->values();
    ASSERT_TRUE(values);
    EXPECT_EQ(*values->find("step")->asInt(), 3);
    EXPECT_EQ(values->find("w")->asTensor()->position(), 0U);
}

/// The updates of some parameters.
class UpdateSource : public ByteSource {
public:
    explicit UpdateSource(std::vector<float> updates) : m_updates(std::move(updates)) {}
    std::uint64_t size() const override { return m_updates.size() * sizeof(float); }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        std::memcpy(out.data(), std::as_bytes(std::span(m_updates)).data() + offset, out.size());
        return {};
    }
    const std::string& name() const override { return m_name; }

private:
    std::vector<float> m_updates;
    std::string m_name;
};

/// The code of the notice about shards, each of which has the updates of some parameters.
std::string noticed(const std::vector<std::pair<float, std::vector<std::string>>>& shards) {
    CheckpointData data;
    for (const auto& [update, parameters] : shards) {
        CheckpointFile file;
        file.path = std::to_string(data.files.size());
        file.source = std::make_shared<UpdateSource>(std::vector<float>(parameters.size(), update));
        file.identity.size = file.source->size();
        const FileIndex at = data.addFile(std::move(file));
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            TensorEntry step;
            step.name = "optimizer.state." + parameters[i] + ".step";
            step.dtype = Dtype::Float32;
            step.role = Role::Optimizer;
            step.pieces.push_back({Box::whole({}), at, {i * 4, 4}, {}, kRawCodec, {}});
            data.tensors.push_back(std::move(step));
        }
    }
    EXPECT_TRUE(formats::dcp::checkSteps(data, nullptr, {}));
    return data.notices.empty() ? "" : std::string(errorName(data.notices.front().error.code));
}

TEST(DcpSteps, KindsOfParametersAreAWarning) {
    const std::vector<std::string> weights{"0.weight", "2.weight", "4.weight"};
    const std::vector<std::string> biases{"0.bias", "2.bias", "4.bias"};
    EXPECT_EQ(noticed({{20.0F, weights}, {20.0F, biases}}), "");
    EXPECT_EQ(noticed({{20.0F, weights}, {10.0F, biases}}), "unequal-steps");
    EXPECT_EQ(noticed({{10.0F, weights}, {20.0F, biases}}), "unequal-steps");
    // Parts of a model are no kinds.
    EXPECT_EQ(noticed({{20.0F, {"encoder.0.weight", "encoder.1.weight"}},
                       {10.0F, {"decoder.0.weight", "decoder.1.weight"}}}),
              "mixed-steps");
    EXPECT_EQ(noticed({{20.0F, {"layer1.0.conv.weight", "layer1.1.conv.weight"}},
                       {10.0F, {"layer2.0.conv.weight", "layer2.1.conv.weight"}}}),
              "mixed-steps");
    EXPECT_EQ(noticed({{20.0F, {"layers.0.w", "layers.1.w"}},
                       {10.0F, {"layers.2.w", "layers.3.w"}},
                       {5.0F, {"head.bias"}}}),
              "mixed-steps");
}

TEST(DcpSteps, OfRanksAreNotThoseOfParameters) {
    const auto counts = [](const char* name) {
        formats::dcp::BytesItem item;
        item.name = name;
        std::vector<formats::dcp::RankStep> steps;
        formats::dcp::addRankSteps(item, Value(std::int64_t{3}), steps);
        return steps.size();
    };
    for (const char* name : {"progress.rank_0.step", "progress.rank_0.state.step",
                             "state.rank_0.step", "state.ranks.0.step", "dp_rank3.iteration"}) {
        EXPECT_EQ(counts(name), 1U) << name;
    }
    for (const char* name :
         {"opt.state.ranker.0.weight.step", "state.ranker.step", "state.net.rank_0.weight.step",
          "OptimizerState.rank_0.step", "optimizer.rank_0.step", "state.0.step"}) {
        EXPECT_EQ(counts(name), 0U) << name;
    }
}

TEST(DcpFolder, AMissingShardLeavesTheRest) {
    const TemporaryFolder folder;
    Sample sample;
    sample.files.pop_back();
    sample.write(folder);
    const auto opened = openCheckpoint(folder.path());
    ASSERT_TRUE(opened);
    EXPECT_EQ((*opened)->completeness(), Completeness::Incomplete);
    ASSERT_EQ((*opened)->why().size(), 1U);
    EXPECT_EQ((*opened)->why()[0].text(), "shard __1_0.distcp is missing: 1 tensor is incomplete");
    EXPECT_TRUE((*opened)->files()[1].missing);
    const TensorEntry& w = (*opened)->tensors()[0];
    EXPECT_EQ(w.pieces.size(), 2U);
    EXPECT_EQ(readableCoverage(**opened, w).holes, 6U);
    EXPECT_EQ(*(*opened)->values()->find("step")->asInt(), 3);
}

TEST(DcpFolder, BytesAreSwappedInBigEndianArchives) {
    const TemporaryFolder folder;
    Sample sample;
    std::string big = floats(6, 6);
    for (std::size_t i = 0; i < big.size(); i += 4) {
        std::reverse(big.begin() + static_cast<std::ptrdiff_t>(i),
                     big.begin() + static_cast<std::ptrdiff_t>(i + 4));
    }
    sample.setHigh(archiveOf(itemPickle({{2, 3}, {3, 1}}), big, "big"));
    sample.write(folder);
    const auto opened = openCheckpoint(folder.path());
    ASSERT_TRUE(opened);
    EXPECT_EQ(floatsOf(**opened, "w")[11], 11.0F);
}

TEST(DcpFolder, ViewsIntoLargerStoragesAndDeflatedRecords) {
    const TemporaryFolder folder;
    Sample sample;
    ItemSpec view{{2, 3}, {1, 2}}; // transposed, after four other elements
    view.first = 4;
    sample.setHigh(buildZip(
        {deflatedEntry("x/data.pkl", itemPickle(view)), deflatedEntry("x/data/0", floats(20))}));
    sample.write(folder);
    const auto opened = openCheckpoint(folder.path());
    ASSERT_TRUE(opened);
    EXPECT_EQ(floatsOf(**opened, "w"), (std::vector<float>{0, 1, 2, 3, 4, 5, 4, 6, 8, 5, 7, 9}));
}

TEST(DcpFolder, PathsNestAndDotsDoNot) {
    const TemporaryFolder folder;
    Sample sample;
    const ValueSpec step = sample.index.values[0];
    const auto value = [&](const char* name) {
        ValueSpec made = step;
        made.name = name;
        return made;
    };
    sample.index.values = {value("a.b"),           value("list.1"), value("list.0"),
                           value("opt.state.w.x"), value("a"),      value("gap.5")};
    sample.index.planner = {{"list.1", {"list", "#1"}},
                            {"list.0", {"list", "#0"}},
                            {"opt.state.w.x", {"opt", "state.w.x"}},
                            {"a", {"opt", "state.w.x", "inner"}},
                            {"gap.5", {"gap", "#5"}}};
    sample.write(folder);
    const auto opened = openCheckpoint(folder.path());
    ASSERT_TRUE(opened);
    const auto values = (*opened)->values();
    ASSERT_TRUE(values);
    EXPECT_NE(values->find("a.b"), nullptr);
    EXPECT_EQ(values->find("list")->kind(), ValueKind::List);
    EXPECT_NE(values->findPath({"opt", "state.w.x"}), nullptr);
    EXPECT_NE(values->find("a"),
              nullptr); // its path passes through a plain value, so it keeps its name
    EXPECT_EQ(values->find("gap")->kind(), ValueKind::Dict);
}

/// Most names are their paths: one that is not was damaged. A planner may rename all of them.
TEST(DcpFolder, ANameAndItsPathContradictEachOther) {
    struct Recorded {
        std::vector<std::pair<std::string, std::vector<std::string>>> planner;
        std::size_t expected;
    };
    const std::vector<Recorded> cases{
        {{{"a.b", {"a", "b"}}, {"a.c", {"a", "c"}}, {"list.0", {"list", "#0"}}}, 0},
        {{{"a.b", {"a", "b"}}, {"a.c", {"a", "e"}}, {"list.0", {"list", "#0"}}}, 1},
        {{{"a.b", {"a", "b"}}, {"a.c", {"a", "c"}}, {"list.0", {"list", "#1"}}}, 1},
        {{{"a.b", {"a", "b"}}, {"a.d", {"a", "c"}}, {"list.0", {"list", "#0"}}}, 1},
        {{{"a.b", {"x"}}, {"a.c", {"y"}}, {"list.0", {"z", "#0"}}}, 0}};
    for (const Recorded& each : cases) {
        const TemporaryFolder folder;
        Sample sample;
        const ValueSpec step = sample.index.values[0];
        sample.index.values.clear();
        for (const char* name : {"a.b", "a.c", "list.0"}) {
            sample.index.values.push_back(step);
            sample.index.values.back().name = name;
        }
        sample.index.planner.clear();
        for (const auto& [name, path] : each.planner) {
            sample.index.planner.push_back({name, path});
        }
        sample.write(folder);
        const auto opened = openCheckpoint(folder.path());
        ASSERT_TRUE(opened);
        const auto complaints =
            std::ranges::count_if((*opened)->notices(), [](const Notice& notice) {
                return notice.error.code == ErrorCode::DcpBadMetadata;
            });
        EXPECT_EQ(static_cast<std::size_t>(complaints), each.expected);
    }
}

TEST(DcpFolder, AChangedShardIsNoticed) {
    const TemporaryFolder folder;
    Sample().write(folder);
    const auto opened = openCheckpoint(folder.path());
    ASSERT_TRUE(opened);
    folder.write("__1_0.distcp", "something else");
    const auto bytes = readComplete(**opened, (*opened)->tensors()[0], 1000);
    ASSERT_FALSE(bytes);
    EXPECT_EQ(bytes.error().code, ErrorCode::ChangedOnDisk);
    folder.write(".metadata", ""); // what was already read stays unchanged
    const auto values = (*opened)->values();
    ASSERT_TRUE(values);
    EXPECT_NE(expandedSize(*values, 1000), 0U);
}

TEST(DcpFolder, ABillionLaughsStayShort) {
    PickleAssembler laughs;
    laughs.proto(2).op(']').put(0);
    for (int level = 1; level < 60; ++level) {
        laughs.op(']').put(level).op('(').get(level - 1).get(level - 1).op('e');
    }
    const TemporaryFolder folder;
    Sample sample;
    const std::string item = archiveOf(laughs.stop().str(), "");
    sample.files.emplace_back("__2_0.distcp", item);
    sample.index.values[0] = {"step", "__2_0.distcp", 0, static_cast<std::int64_t>(item.size())};
    sample.write(folder);
    const auto opened = openCheckpoint(folder.path());
    ASSERT_TRUE(opened);
    const auto values = (*opened)->values();
    ASSERT_TRUE(values);
    EXPECT_GT(expandedSize(*values, 1000), 999U);
}

} // namespace
} // namespace cairn::test
