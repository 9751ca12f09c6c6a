// SPDX-License-Identifier: Apache-2.0
#include "core/formats/megatron/cut_decision.h"
#include "core/formats/megatron/merge_rules.h"
#include "core/formats/megatron/parameter_names.h"
#include "core/formats/megatron/rank_folders.h"
#include "core/formats/megatron/stage_layers.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace cairn {
namespace {

using namespace formats::megatron;
using formats::Member;
using formats::ReplicaCheck;

TensorEntry part(Shape shape) {
    TensorEntry entry;
    entry.name = "w";
    entry.dtype = Dtype::Float32;
    entry.shape = shape;
    Piece piece;
    piece.box = Box::whole(shape);
    piece.bytes = {100, *elementCount(shape) * 4};
    entry.pieces.push_back(piece);
    return entry;
}

Layout layout() {
    Layout told;
    told.tensor = 2;
    told.inner = 24;
    told.version = 3.0;
    return told;
}

/// Zeros between a first and a last byte.
class Zeros : public ByteSource {
public:
    Zeros(std::uint64_t size, int first, int last)
        : m_size(size), m_first(static_cast<std::byte>(first)),
          m_last(static_cast<std::byte>(last)) {}
    [[nodiscard]] std::uint64_t size() const override { return m_size; }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        std::memset(out.data(), 0, out.size());
        if (offset == 0 && !out.empty()) {
            out.front() = m_first;
        }
        if (offset + out.size() == m_size && !out.empty()) {
            out.back() = m_last;
        }
        return {};
    }
    [[nodiscard]] const std::string& name() const override { return m_name; }

private:
    std::uint64_t m_size;
    std::byte m_first;
    std::byte m_last;
    std::string m_name = "zeros";
};

/// The parts of two ranks, each in a file of its own.
class CutDecisions : public ::testing::Test {
protected:
    CutDecision::Answer decide(std::string_view name, std::uint64_t size, int first, int last,
                               int lastOfSecond) {
        std::array<Member, 2> members;
        std::array<Part, 2> parts;
        for (std::uint32_t rank = 0; rank < 2; ++rank) {
            const auto bytes =
                std::make_shared<Zeros>(size, first, rank == 0 ? last : lastOfSecond);
            TensorEntry entry;
            entry.name = "w";
            entry.dtype = Dtype::Uint8;
            entry.shape = {static_cast<std::int64_t>(size)};
            Piece piece;
            piece.box = Box::whole(entry.shape);
            piece.bytes = {0, size};
            entry.pieces.push_back(piece);
            CheckpointData own;
            CheckpointFile file;
            file.source = bytes;
            own.addFile(std::move(file));
            own.tensors.push_back(entry);
            CheckpointFile shared;
            shared.source = bytes;
            entry.pieces.front().file = m_data.addFile(std::move(shared));
            members[rank].checkpoint = Checkpoint::make(std::move(own));
            members[rank].tensors.push_back(std::move(entry));
            parts[rank] = {rank, &members[rank], 0};
        }
        return m_decision.decide(name, parts, nullptr);
    }
    CheckpointData m_data;
    Layout m_layout = layout();
    CutDecision m_decision{m_data, m_layout};
};

TEST_F(CutDecisions, PartsThatNoRuleKnowsLeaveTheOthersTheirComparison) {
    constexpr std::string_view kUnknown = "decoder.layers.0.mixer.norm.weight";
    constexpr std::string_view kReplicated = "decoder.final_layernorm.weight";
    EXPECT_FALSE(decide(kUnknown, ReplicaCheck::kMaxRead, 0, 0, 0).cut) << "all are equal";
    constexpr std::uint64_t kPart = std::uint64_t{16} << 20U; // the largest that is read
    EXPECT_FALSE(decide(kUnknown, kPart, 1, 2, 3).cut);
    for (std::uint64_t read = kPart; read < ReplicaCheck::kMaxRead; read += kPart) {
        EXPECT_TRUE(decide(kUnknown, kPart, 1, 2, 2).cut);
    }
    EXPECT_FALSE(decide(kUnknown, kPart, 1, 2, 2).cut) << "too much to be compared";
    EXPECT_TRUE(decide(kReplicated, 8, 1, 2, 2).cut);
    EXPECT_FALSE(decide(kReplicated, 8, 1, 2, 3).cut);
}

TEST(MegatronFolders, AreKnownByTheirNames) {
    const auto folder = parseRankFolder("mp_rank_03_001_012");
    ASSERT_TRUE(folder);
    EXPECT_EQ(folder->tp, 3U);
    EXPECT_EQ(folder->rest, (std::vector<std::uint32_t>{1, 12}));
    for (const char* name : {"mp_rank_", "mp_rank_x", "mp_rank_0_", "mp_rank_-1", "mp_rank_0_1_2_3",
                             "mp_rank_00_model_states.pt", "mp_rank_9999999", "rank_0", ""}) {
        EXPECT_FALSE(parseRankFolder(name)) << name;
    }
    EXPECT_EQ(rankFolderName(1, 2, std::nullopt), "mp_rank_01_002");
    EXPECT_EQ(rankFolderName(12, std::nullopt, 3), "mp_rank_12_003");
    EXPECT_EQ(iterationOfFolder("iter_0000500"), 500);
    EXPECT_EQ(iterationOfFolder("iter_12345678"), 12345678);
    EXPECT_FALSE(iterationOfFolder("iter_500"));
    EXPECT_EQ(folderOfTracker("500"), "iter_0000500");
    EXPECT_EQ(folderOfTracker("release"), "release");
}

TEST(MegatronRules, KnowTheCutsByName) {
    const Layout told = layout();
    const auto kind = [&](std::string_view name) { return cutOf(name, told).kind; };
    EXPECT_EQ(kind("embedding.word_embeddings.weight"), CutKind::Rows);
    EXPECT_EQ(kind("decoder.layers.0.self_attention.linear_qkv.bias"), CutKind::Rows);
    EXPECT_EQ(kind("decoder.layers.0.self_attention.linear_qkv.layer_norm_weight"),
              CutKind::Replicated);
    EXPECT_EQ(kind("decoder.layers.0.self_attention.linear_proj.weight"), CutKind::Columns);
    EXPECT_EQ(kind("decoder.layers.0.self_attention.linear_proj.bias"), CutKind::Replicated);
    EXPECT_EQ(kind("language_model.encoder.layers.0.self_attention.dense.weight"),
              CutKind::Columns);
    EXPECT_EQ(kind("lm_head.dense.weight"), CutKind::Unknown);
    EXPECT_EQ(kind("decoder.layers.0.mlp.experts.linear_fc2.weight3"), CutKind::Columns);
    EXPECT_EQ(kind("decoder.layers.0.mlp.router.weight"), CutKind::Replicated);
    EXPECT_EQ(kind("decoder.final_layernorm.weight"), CutKind::Replicated);
    EXPECT_EQ(kind("decoder.layers.0.mixer.in_proj.weight"), CutKind::Unknown);
    EXPECT_EQ(kind("decoder.layers.0.mlp.linear_fc1._extra_state"), CutKind::Unknown);
    EXPECT_EQ(kind("decoder.layers.0.mixer.norm.weight"), CutKind::Unknown);
    EXPECT_EQ(cutOf("decoder.layers.0.mlp.linear_fc1.weight", told).blocks, 0U);
    Layout old = told;
    old.version.reset();
    EXPECT_EQ(cutOf("layers.0.attention.query_key_value.weight", old).blocks, 3U);
    EXPECT_EQ(cutOf("layers.0.inter_attention.key_value.weight", old).blocks, 2U);
    EXPECT_EQ(cutOf("layers.0.attention.query_key_value.weight", told).blocks, 1U);
    EXPECT_EQ(cutOf("layers.0.inter_attention.key_value.weight", told).blocks, 1U);
    Layout apart = told;
    apart.expertsShareTensorRanks = false;
    EXPECT_EQ(cutOf("decoder.layers.0.mlp.experts.local_experts.0.linear_fc1.weight", apart).kind,
              CutKind::Unknown);
}

TEST(MegatronRules, KnowGatesByTheirRows) {
    const Layout told = layout(); // 24 wide, on two ranks
    constexpr std::string_view kFirst = "decoder.layers.0.mlp.linear_fc1.weight";
    EXPECT_EQ(mlpBlocks(kFirst, 12, std::nullopt, told), 1U);
    EXPECT_EQ(mlpBlocks(kFirst, 24, std::nullopt, told), 2U);
    EXPECT_FALSE(mlpBlocks(kFirst, 36, std::nullopt, told));
    // A vision tower whose width differs from args: the second matrix of the MLP has as many inputs
    // as the first has outputs.
    EXPECT_EQ(mlpBlocks(kFirst, 24, 24, told), 1U);
    EXPECT_EQ(mlpBlocks(kFirst, 12, 6, told), 2U);
    EXPECT_FALSE(mlpBlocks(kFirst, 12, 8, told));
    Layout experts = told;
    experts.expertInner = 8;
    EXPECT_EQ(mlpBlocks("decoder.layers.0.mlp.experts.linear_fc1.weight3", 8, {}, experts), 2U);
    EXPECT_FALSE(mlpBlocks("decoder.layers.0.mlp.shared_experts.linear_fc1.weight", 8, {}, told));
    EXPECT_EQ(secondOfMlp("model.decoder.layers.0.mlp.experts.linear_fc1.bias3"),
              "model.decoder.layers.0.mlp.experts.linear_fc2.weight3");
    EXPECT_EQ(secondOfMlp("mlp.dense_h_to_4h.weight"), "mlp.dense_4h_to_h.weight");
    EXPECT_EQ(secondOfMlp("decoder.layers.0.mlp.linear_fc2.weight"), "");
}

TEST(MegatronRules, PutGatesBeforeUps) {
    const Cut cut{CutKind::Rows, 2};
    EXPECT_EQ(fullShape(Shape{6, 5}, cut, 2), (Shape{12, 5}));
    const auto pieces = movedPieces(part(Shape{6, 5}), cut, 1, 2);
    ASSERT_TRUE(pieces);
    ASSERT_EQ(pieces->size(), 2U);
    EXPECT_EQ((*pieces)[0].box, (Box{{3, 0}, {3, 5}})); // the gate
    EXPECT_EQ((*pieces)[0].bytes.offset, 100U);
    EXPECT_EQ((*pieces)[0].bytes.length, 60U);
    EXPECT_EQ((*pieces)[1].box, (Box{{9, 0}, {3, 5}})); // the up projection
    EXPECT_EQ((*pieces)[1].bytes.offset, 160U);
    EXPECT_FALSE(fullShape(Shape{5, 5}, cut, 2));
}

TEST(MegatronRules, FollowStrides) {
    TensorEntry transposed = part(Shape{4, 3});
    transposed.pieces[0].strides = Strides{1, 4};
    const auto pieces = movedPieces(transposed, {CutKind::Rows, 2}, 0, 2);
    ASSERT_TRUE(pieces);
    ASSERT_EQ(pieces->size(), 2U);
    EXPECT_EQ((*pieces)[1].bytes.offset, 100U + 2 * 4);
    EXPECT_EQ((*pieces)[1].bytes.length, (1 + 2 * 4 + 1) * 4U);
    transposed.pieces[0].codec = 1;
    EXPECT_FALSE(movedPieces(transposed, {CutKind::Rows, 2}, 0, 2));
}

TEST(MegatronRules, PutColumnsSideBySide) {
    const Cut cut{CutKind::Columns};
    EXPECT_EQ(fullShape(Shape{6, 5}, cut, 4), (Shape{6, 20}));
    EXPECT_EQ((*movedPieces(part(Shape{6, 5}), cut, 3, 4))[0].box, (Box{{0, 15}, {6, 5}}));
    EXPECT_FALSE(fullShape(Shape{6}, cut, 2));
    EXPECT_FALSE(fullShape(Shape{std::int64_t{1} << 62, 0}, Cut{CutKind::Rows}, 4));
    EXPECT_FALSE(fullShape(Shape{6, 5}, Cut{CutKind::Unknown}, 2));
    EXPECT_EQ(fullShape(Shape{6, 5}, Cut{CutKind::Unknown}, 1), (Shape{6, 5}));
}

TEST(MegatronRules, HoldSizesAgainstArgs) {
    Layout told = layout();
    told.vocabulary = 64;
    told.heads = 4;
    told.groups = 2;
    told.headSize = 8;
    EXPECT_TRUE(agrees("embedding.word_embeddings.weight", Shape{64, 32}, told));
    EXPECT_FALSE(agrees("embedding.word_embeddings.weight", Shape{32, 32}, told));
    EXPECT_TRUE(agrees("decoder.layers.0.self_attention.linear_qkv.weight", Shape{64, 32}, told));
    EXPECT_FALSE(agrees("decoder.layers.0.self_attention.linear_qkv.weight", Shape{96, 32}, told));
}

TEST(MegatronRules, NumberLayersThroughStages) {
    using Counts = std::vector<std::optional<std::uint64_t>>;
    EXPECT_EQ(firstLayers(Counts{3, 5}, 8), (std::vector<std::uint64_t>{0, 3}));
    EXPECT_EQ(firstLayers(Counts{3, 5}, std::nullopt), (std::vector<std::uint64_t>{0, 3}));
    EXPECT_FALSE(firstLayers(Counts{3, 5}, 9));
    EXPECT_EQ(firstLayers(Counts{std::nullopt, 4}, 8), (std::vector<std::uint64_t>{0, 4}));
    EXPECT_FALSE(firstLayers(Counts{std::nullopt, 5}, 8));
    EXPECT_FALSE(firstLayers(Counts{std::nullopt, 4}, std::nullopt));
    const auto place = layerNumber("decoder.layers.12.mlp.linear_fc1.weight");
    ASSERT_TRUE(place);
    EXPECT_EQ(place->before, "decoder.layers.");
    EXPECT_EQ(withNumber("decoder.layers.12.mlp.linear_fc1.weight", *place, 40),
              "decoder.layers.40.mlp.linear_fc1.weight");
    EXPECT_FALSE(layerNumber("decoder.layers.x.weight"));
    EXPECT_EQ(expertNumber("a.mlp.experts.linear_fc1.weight7")->number, 7U);
    EXPECT_EQ(expertNumber("a.mlp.experts.local_experts.3.linear_fc1.weight")->number, 3U);
    EXPECT_FALSE(expertNumber("a.mlp.experts.weight1"));
}

} // namespace
} // namespace cairn
