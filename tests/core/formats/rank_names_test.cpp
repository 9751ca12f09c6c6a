// SPDX-License-Identifier: Apache-2.0
// Files of ranks by their names: kind, world, rank, and which files are one save.
#include "core/formats/ranks/rank_files.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cairn {
namespace {

using namespace formats::ranks;

FolderEntry file(std::string name) {
    return {std::move(name), EntryKind::File, {}};
}

TEST(RankNames, TellKindWorldAndRank) {
    const auto verl = splitRankName("model_world_size_16_rank_3.pt");
    ASSERT_TRUE(verl);
    EXPECT_EQ(verl->base, "model");
    EXPECT_EQ(verl->count, 16U);
    EXPECT_EQ(verl->index, 3U);
    EXPECT_EQ(splitRankName("extra_state_world_size_2_rank_1.pt")->base, "extra_state");
    EXPECT_EQ(splitRankName("rank_12.pth")->index, 12U);
    EXPECT_EQ(splitRankName("ckpt-rank7.ckpt")->base, "ckpt");
    EXPECT_EQ(splitRankName("step_5.rank-0.pt")->base, "step_5");
    EXPECT_EQ(splitRankName("consolidated.07.pth")->base, "consolidated");
    EXPECT_EQ(splitRankName("consolidated.07.pth")->index, 7U);
    for (const char* name :
         {"consolidated.pth", "consolidated.00x.pth", "consolidated.pt", "model.pt", "rank.pt",
          "rankings_3.pt", "frank_3.pt", "rank_3.npz", "model_rank_3",
          "model_world_size_4_rank_4.pt", "model_world_size_2_rank_99999999999.pt", ".pt", "",
          "zero_pp_rank_0_mp_rank_00_optim_states.pt", "mp_rank_00_model_states.pt"}) {
        EXPECT_FALSE(splitRankName(name)) << name;
    }
}

TEST(RankNames, TellTheWorldBehindOf) {
    const auto xla = splitRankName("final_ckpt_rank-00000001-of-00000004.pth");
    ASSERT_TRUE(xla);
    EXPECT_EQ(xla->base, "final_ckpt");
    EXPECT_EQ(xla->count, 4U);
    EXPECT_EQ(xla->index, 1U);
    EXPECT_FALSE(xla->hasWorldSize);
    EXPECT_EQ(splitRankName("model_rank_3_of_8.pt")->count, 8U);
    EXPECT_FALSE(splitRankName("model_rank_3_of.pt")->count);
    for (const char* name : {"rank-5-of-4.pt", "rank-0-of-0.pt", "world_size_2_rank_0_of_4.pt"}) {
        EXPECT_FALSE(splitRankName(name)) << name;
    }
    // Three of four; the name of the missing one follows from the others.
    const std::vector<FolderEntry> three = {file("c_rank-00000000-of-00000004.pth"),
                                            file("c_rank-00000001-of-00000004.pth"),
                                            file("c_rank-00000002-of-00000004.pth")};
    const auto sets = rankSets(three);
    ASSERT_EQ(sets.size(), 1U);
    EXPECT_EQ(sets[0].ranks(), 4U);
    EXPECT_EQ(sets[0].nameOf(3), "c_rank-00000003-of-00000004.pth");
    const std::vector<FolderEntry> some = {file("rank_08.pt"), file("rank_10.pt")};
    EXPECT_EQ(rankSets(some)[0].nameOf(9), "rank_09.pt");
    const std::vector<FolderEntry> plain = {file("rank_8.pt"), file("rank_10.pt")};
    EXPECT_EQ(rankSets(plain)[0].nameOf(9), "rank_9.pt");
}

TEST(RankNames, MayBeThoseOfOtherPrograms) {
    const auto deepSeek = splitRankName("model1-mp8.safetensors");
    ASSERT_TRUE(deepSeek);
    EXPECT_EQ(deepSeek->base, "model");
    EXPECT_EQ(deepSeek->index, 1U);
    EXPECT_EQ(deepSeek->count, 8U);
    const auto vllm = splitRankName("model-rank-3-part-2.safetensors");
    ASSERT_TRUE(vllm);
    EXPECT_EQ(vllm->base, "model");
    EXPECT_EQ(vllm->index, 3U);
    EXPECT_EQ(vllm->piece, 2U);
    EXPECT_EQ(splitRankName("pt_model_0_of_2.pt")->base, "pt_model");
    EXPECT_EQ(splitRankName("mp_rank_00.pt")->base, "mp");
    EXPECT_EQ(splitRankName("weights_tp2_rank1.safetensors")->index, 1U);
    EXPECT_EQ(splitRankName("pytorch_model_tp_01.bin")->base, "pytorch_model");
    for (const char* name : {"model_1.pt", "1.pt", "model-00001-of-00002.safetensors",
                             "train_shard_0.bin", "checkpoint_epoch_3_of_10.pt", "step_5_of_10.pt",
                             "fold_1.pt", "worker_0.pt", "layer_00-model_00-model_states.pt"}) {
        EXPECT_FALSE(splitRankName(name)) << name;
    }
    // Of a grid the number that differs is the rank; else they are counted in order.
    const std::vector<FolderEntry> one = {file("c_dp0_tp1_pp0.pt"), file("c_dp0_tp0_pp0.pt")};
    ASSERT_EQ(rankSets(one).size(), 1U);
    EXPECT_EQ(rankSets(one)[0].files.at(1).name, "c_dp0_tp1_pp0.pt");
    // Without the word "rank", numbers that do not count may be a setting.
    EXPECT_TRUE(rankSets(std::vector{file("c_mp2.pt"), file("c_mp4.pt")}).empty());
    const std::vector<FolderEntry> grid = {file("c_tp1_pp0.pt"), file("c_tp0_pp0.pt"),
                                           file("c_tp0_pp1.pt"), file("c_tp1_pp1.pt")};
    EXPECT_EQ(rankSets(grid)[0].files.at(3).name, "c_tp1_pp1.pt");
    const std::vector<FolderEntry> nanotron = {
        file("weight_pp-rank-0-of-1_tp-rank-0-of-2.safetensors"),
        file("weight_pp-rank-0-of-1_tp-rank-1-of-2.safetensors")};
    ASSERT_EQ(rankSets(nanotron).size(), 1U);
    EXPECT_EQ(rankSets(nanotron)[0].files.size(), 2U);
    // A rank has several files, numbered from 0.
    const std::vector<FolderEntry> pieces = {file("model-rank-1-part-0.safetensors"),
                                             file("model-rank-0-part-2.safetensors"),
                                             file("model-rank-0-part-0.safetensors")};
    ASSERT_EQ(rankSets(pieces).size(), 1U);
    EXPECT_EQ(rankSets(pieces)[0].files.size(), 3U);
    EXPECT_EQ(rankSets(pieces)[0].missingPieces(),
              std::vector<std::string>({"model-rank-0-part-1.safetensors"}));
}

TEST(RankNames, MayCountFromOne) {
    const std::vector<FolderEntry> fromOne = {file("r_rank_1_of_3.pt"), file("r_rank_3_of_3.pt")};
    const auto sets = rankSets(fromOne);
    ASSERT_EQ(sets.size(), 1U);
    EXPECT_EQ(sets[0].files.at(1).rank, 2U);
    EXPECT_EQ(sets[0].nameOf(1), "r_rank_2_of_3.pt");
    const std::vector<FolderEntry> both = {file("r_rank_0_of_2.pt"), file("r_rank_2_of_2.pt")};
    EXPECT_EQ(rankSets(both)[0].files.size(), 1U);
    EXPECT_EQ(rankSets(both)[0].strays, std::vector<std::string>({"r_rank_2_of_2.pt"}));
}

std::vector<std::string> savesOf(const std::vector<std::string>& names) {
    std::vector<FolderEntry> entries;
    for (const std::string& name : names) {
        entries.push_back(file(name + "0.pt"));
        entries.push_back(file(name + "1.pt"));
    }
    std::vector<std::string> saves;
    for (const RankSave& save : rankSaves(entries)) {
        saves.push_back(save.name);
        for (const RankSet& set : save.sets) {
            saves.back() += " " + set.kind;
        }
    }
    return saves;
}

TEST(RankNames, TellSavesApart) {
    using Names = std::vector<std::string>;
    EXPECT_EQ(savesOf({"step100_rank", "step200_rank", "step90_rank"}),
              Names({"step200 ", "step100 ", "step90 "}));
    EXPECT_EQ(savesOf({"model_0001999.rank_", "model_0003999.rank_"}),
              Names({"model_0003999 model", "model_0001999 model"}));
    EXPECT_EQ(savesOf({"optim_step_5_rank_", "model_step_5_rank_", "model_step_7_rank_"}),
              Names({"model_step_7 model", "model_step_5 model optim"}));
    EXPECT_EQ(savesOf({"ep0-ba900-rank", "ep1-ba5-rank", "final-rank"}),
              Names({"ep1-ba5 ", "ep0-ba900 ", "final final"}));
    // One save with several kinds of files, as long as their steps do not contradict each other.
    EXPECT_EQ(savesOf({"model_world_size_2_rank_", "optim_world_size_2_rank_"}),
              Names({"model model optim"}));
    EXPECT_EQ(savesOf({"model_step_5_rank_", "extra_rank_"}),
              Names({"model_step_5 model_step_5 extra"}));
    EXPECT_EQ(savesOf({"model_0_rank_", "model_1_rank_"}), Names({"model_0 model_0 model_1"}));
    EXPECT_EQ(savesOf({"pp_0_rank_", "pp_1_rank_"}), Names({"pp_0 pp_0 pp_1"}));
    // Links to the newest save are not another save.
    const std::vector<FolderEntry> linked = {file("step1_rank0.pt"),
                                             file("step1_rank1.pt"),
                                             file("step2_rank0.pt"),
                                             file("step2_rank1.pt"),
                                             {"latest_rank0.pt", EntryKind::Link, {}},
                                             {"latest_rank1.pt", EntryKind::Link, {}}};
    ASSERT_EQ(rankSaves(linked).size(), 2U);
    EXPECT_EQ(rankSaves(linked)[0].step, 2);
}

TEST(RankNames, MakeSets) {
    const std::vector<FolderEntry> entries = {file("extra_state_world_size_2_rank_0.pt"),
                                              file("extra_state_world_size_2_rank_1.pt"),
                                              file("model_world_size_2_rank_1.pt"),
                                              file("model_world_size_2_rank_0.pt"),
                                              file("model_world_size_4_rank_3.pt"),
                                              file("other_rank_0.pt"),
                                              {"model_world_size_2_rank_9", EntryKind::Folder, {}}};
    const auto sets = rankSets(entries);
    ASSERT_EQ(sets.size(), 3U); // a single file without a world size is not a set
    EXPECT_EQ(sets[0].base, "model");
    EXPECT_EQ(sets[0].files.at(0).rank, 0U);
    EXPECT_EQ(sets[0].nameOf(1), "model_world_size_2_rank_1.pt");
    EXPECT_EQ(sets[1].ranks(), 4U);
    EXPECT_EQ(sets[1].nameOf(2), "model_world_size_4_rank_2.pt");
    EXPECT_EQ(sets[2].base, "extra_state");
}

} // namespace
} // namespace cairn
