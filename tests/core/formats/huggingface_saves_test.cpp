// SPDX-License-Identifier: Apache-2.0
#include "tests/core/formats/huggingface_fixture.h"

#include <utility>

// DeepSpeed's own save in a Trainer's folder.

namespace cairn::test {
namespace {

/// The Trainer's folder with DeepSpeed: the weights at the top, the state for resuming in a
/// subfolder.
struct TrainersFolder {
    explicit TrainersFolder(std::string_view save) {
        folder.write("config.json", R"({"model_type":"x"})");
        folder.write("model.safetensors", weightFile({"w"}));
        folder.write("trainer_state.json", R"({"global_step": 5})");
        std::filesystem::copy(kDeepSpeed / save, folder / "global_step5");
    }
    CheckpointPtr open() const { return openedParts(folder.path()); }
    TemporaryFolder folder;
};

TEST(HuggingFaceSaves, TrustsWholeOnes) {
    for (const char* save : {"zero0", "zero2", "zero3", "slices", "pipeline", "experts"}) {
        SCOPED_TRACE(save);
        const CheckpointPtr checkpoint = TrainersFolder(save).open();
        ASSERT_TRUE(checkpoint);
        EXPECT_EQ(checkpoint->completeness(), Completeness::Complete) << noticesText(*checkpoint);
        EXPECT_EQ(namesOf(*checkpoint), Names{"w"});
    }
}

TEST(HuggingFaceSaves, NamesTheFilesThatTrainingMisses) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"zero2", "bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt"},
        {"zero2", "mp_rank_00_model_states.pt"},
        {"zero3", "bf16_zero_pp_rank_0_mp_rank_00_optim_states.pt"},
        {"zero3", "zero_pp_rank_1_mp_rank_00_model_states.pt"}};
    for (const auto& [save, name] : cases) {
        SCOPED_TRACE(save + " " + name);
        const TrainersFolder trainer(save);
        const std::string file = "global_step5/" + name;
        std::filesystem::remove(trainer.folder / file);
        const CheckpointPtr checkpoint = trainer.open();
        ASSERT_TRUE(checkpoint);
        EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
        ASSERT_EQ(checkpoint->why().size(), 1U);
        EXPECT_NE(checkpoint->why()[0].text().find("the weights do not need it"),
                  std::string::npos);
        const Notice* notice = noticeOf(*checkpoint, file);
        ASSERT_NE(notice, nullptr) << noticesText(*checkpoint);
        EXPECT_EQ(notice->error.code, ErrorCode::MissingShard);
        const auto listed = std::ranges::find(checkpoint->files(), file, &CheckpointFile::path);
        ASSERT_NE(listed, checkpoint->files().end());
        EXPECT_TRUE(listed->missing);
        EXPECT_EQ(listed->role,
                  Role::Optimizer); // so that reading the weights alone is not prevented
    }
}

TEST(HuggingFaceSaves, NamesEmptyFilesAndLostOptimizers) {
    const TrainersFolder empty("zero2");
    const std::string file = "global_step5/bf16_zero_pp_rank_0_mp_rank_00_optim_states.pt";
    empty.folder.write(file, "");
    EXPECT_TRUE(hasNotice(*empty.open(), ErrorCode::EmptyFile));
    const TrainersFolder lost("zero2");
    std::filesystem::remove(lost.folder / file);
    std::filesystem::remove(lost.folder /
                            "global_step5/bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt");
    const CheckpointPtr checkpoint = lost.open();
    EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete) << noticesText(*checkpoint);
    EXPECT_TRUE(hasNotice(*checkpoint, ErrorCode::MissingShard));
}

/// Model states of DeepSpeed that record this number of ranks and the parameters of each: a pickle
/// of {"dp_world_size": ranks, "param_shapes": [1]}.
std::string statesOf(std::uint32_t ranks) {
    std::string number;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        number += static_cast<char>((ranks >> shift) & 0xFFU);
    }
    const auto word = [](std::string_view text) {
        return std::string("X") + static_cast<char>(text.size()) + std::string(3, '\0') +
               std::string(text);
    };
    return "\x80\x02}(" + word("dp_world_size") + "J" + number + word("param_shapes") +
           "]K\x01"
           "au.";
}

TEST(HuggingFaceSaves, CountsAllTheFilesThatAreMissing) {
    const TrainersFolder trainer("zero2");
    const std::string save = "global_step5/";
    trainer.folder.write(save + "mp_rank_00_model_states.pt", statesOf(5000));
    CheckpointPtr checkpoint = trainer.open();
    ASSERT_TRUE(checkpoint);
    ASSERT_EQ(checkpoint->why().size(), 1U) << noticesText(*checkpoint);
    EXPECT_NE(checkpoint->why()[0].text().find("4998 files"), std::string::npos)
        << checkpoint->why()[0].text();
    const Notice* more = noticeOf(*checkpoint, "global_step5");
    ASSERT_NE(more, nullptr);
    EXPECT_EQ(more->error.found.text(), "4978 files more");
    EXPECT_NE(noticeOf(*checkpoint, save + "bf16_zero_pp_rank_2_mp_rank_00_optim_states.pt"),
              nullptr);
    // Millions of missing files are counted, not listed.
    trainer.folder.write(save + "mp_rank_00_model_states.pt", statesOf(1'000'000));
    for (int i = 0; i < 50; ++i) {
        trainer.folder.write(
            save + "x" + std::to_string(i) + "_zero_pp_rank_7_mp_rank_00_optim_states.pt", "x");
    }
    checkpoint = trainer.open();
    ASSERT_EQ(checkpoint->why().size(), 1U) << noticesText(*checkpoint);
    EXPECT_NE(checkpoint->why()[0].text().find(std::to_string(51 * 1'000'000 - 52) + " files"),
              std::string::npos)
        << checkpoint->why()[0].text();
}

TEST(HuggingFaceSaves, SaysThatTheModelStatesAreEmpty) {
    const TrainersFolder trainer("zero2");
    const std::string file = "global_step5/mp_rank_00_model_states.pt";
    trainer.folder.write(file, "");
    std::filesystem::remove(trainer.folder /
                            "global_step5/bf16_zero_pp_rank_0_mp_rank_00_optim_states.pt");
    const CheckpointPtr checkpoint = trainer.open();
    ASSERT_TRUE(checkpoint);
    const Notice* notice = noticeOf(*checkpoint, file);
    ASSERT_NE(notice, nullptr) << noticesText(*checkpoint);
    EXPECT_EQ(notice->error.code, ErrorCode::EmptyFile);
    EXPECT_EQ(notice->severity, Severity::Error);
    ASSERT_EQ(checkpoint->why().size(), 2U); // and the first rank is reported as missing
    EXPECT_NE(checkpoint->why()[1].text().find("1 file of it is empty"), std::string::npos);
}

/// `latest` names the save of step 5, of which the weights are; step 7 was being written.
struct TwoSaves {
    TwoSaves(std::string_view fifth, std::string_view seventh) {
        folder.write("trainer_state.json", R"({"global_step": 5})");
        std::filesystem::copy(kDeepSpeed / fifth, folder / "global_step5");
        std::filesystem::copy(kDeepSpeed / seventh, folder / "global_step7");
    }
    TemporaryFolder folder;
};

std::size_t filesBelow(const Checkpoint& checkpoint, std::string_view folder) {
    return static_cast<std::size_t>(
        std::ranges::count_if(checkpoint.files(), [&](const CheckpointFile& file) {
            return file.path.starts_with(folder);
        }));
}

TEST(HuggingFaceSaves, TakesTheWeightsThatLatestNames) {
    const TwoSaves two("zero3", "zero3");
    two.folder.write("latest", "global_step5\n");
    CheckpointPtr checkpoint = openedParts(two.folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_GT(filesBelow(*checkpoint, "global_step5/"), 0U);
    EXPECT_EQ(filesBelow(*checkpoint, "global_step7/"), 0U);
    EXPECT_NE(noticeOf(*checkpoint, "global_step7"), nullptr) << noticesText(*checkpoint);
    // If `latest` names a missing save, the one with the highest number is taken, by value and not
    // alphabetically.
    two.folder.write("latest", "global_step6");
    std::filesystem::rename(two.folder / "global_step7", two.folder / "global_step10");
    checkpoint = openedParts(two.folder.path());
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(filesBelow(*checkpoint, "global_step5/"), 0U);
    EXPECT_GT(filesBelow(*checkpoint, "global_step10/"), 0U);
    EXPECT_NE(noticeOf(*checkpoint, "latest"), nullptr) << noticesText(*checkpoint);
    for (const char* pointer : {"", "..", "../elsewhere", "trainer_state.json"}) {
        two.folder.write("latest", pointer);
        EXPECT_GT(filesBelow(*openedParts(two.folder.path()), "global_step10/"), 0U) << pointer;
    }
}

TEST(HuggingFaceSaves, LooksAtTheOneThatLatestNames) {
    const TwoSaves two("zero2", "zero2");
    two.folder.write("model.safetensors", weightFile({"w"}));
    std::filesystem::remove(two.folder / "global_step7/mp_rank_00_model_states.pt");
    EXPECT_EQ(openedParts(two.folder.path())->completeness(), Completeness::Incomplete);
    two.folder.write("latest", "global_step5");
    const CheckpointPtr checkpoint = openedParts(two.folder.path());
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete) << noticesText(*checkpoint);
}

} // namespace
} // namespace cairn::test
