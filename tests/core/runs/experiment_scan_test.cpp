// SPDX-License-Identifier: Apache-2.0
#include "core/model/names/position.h"
#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/scan/experiment_scan.h"
#include "tests/core/runs/run_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace cairn {
namespace {

namespace fs = std::filesystem;

using test::findRun;
using test::smallSafetensors;
using test::TemporaryFolder;

TEST(PositionFromName, KnowsTheUsualNames) {
    const std::map<std::string, std::int64_t> steps = {
        {"checkpoint-500", 500},        {"step-300", 300},         {"step_300", 300},
        {"global_step20", 20},          {"iter_0000100", 100},     {"1000", 1000},
        {"epoch=3-step=128.ckpt", 128}, {"ckpt-7.pt", 7},          {"model_step_12_v2.pt", 12},
        {"step_10k.pt", 10'000},        {"ckpt-2M.pt", 2'000'000}, {"step_0000500", 500},
    };
    for (const auto& [name, step] : steps) {
        EXPECT_EQ(positionFromName(name).step, step) << name;
    }
    EXPECT_EQ(positionFromName("epoch=3-step=128.ckpt").epoch, 3.0);
    EXPECT_EQ(positionFromName("checkpoint_epoch_2.pt").epoch, 2.0);
    EXPECT_FALSE(positionFromName("checkpoint_epoch_2.pt").step);
}

TEST(PositionFromName, LeavesOtherNumbersAlone) {
    for (const char* name :
         {"model-00001-of-00003.safetensors", "val_loss=0.15.ckpt", "best.pt", "llama7b",
          "model_7b.pt", "net_3d.ckpt", "version_0", "step-99999999999999999999.pt"}) {
        EXPECT_FALSE(positionFromName(name).step) << name;
        EXPECT_FALSE(positionFromName(name).epoch) << name;
    }
}

TEST(ExperimentScan, ListsTheSample) {
    const auto experiment =
        scanExperiment(fs::path(CAIRN_SOURCE_DIR) / "resources/sample/experiment");
    ASSERT_TRUE(experiment) << describe(experiment.error());
    const ScannedRun* a = findRun(*experiment, "tiny-llama-a");
    ASSERT_NE(a, nullptr);
    ASSERT_EQ(a->checkpoints.size(), 4U);
    EXPECT_EQ(a->checkpoints[0].step, 100);
    EXPECT_EQ(a->checkpoints[3].name, "step-400");
    EXPECT_TRUE(a->checkpoints[3].latest);
    EXPECT_EQ(a->checkpoints[3].format, "dcp");
    EXPECT_GT(a->checkpoints[3].bytes, 600'000U);
    const ScannedRun* b = findRun(*experiment, "tiny-llama-b");
    ASSERT_NE(b, nullptr);
    EXPECT_EQ(b->checkpoints.size(), 3U);
    EXPECT_NE(findRun(*experiment, "lightning_logs/version_0"), nullptr);
    for (const char* name : {"tiny-gru-tf", "tiny-mlp-jax"}) {
        const ScannedRun* run = findRun(*experiment, name);
        ASSERT_NE(run, nullptr) << name;
        EXPECT_EQ(run->checkpoints.size(), 3U) << name;
        EXPECT_TRUE(run->checkpoints[2].latest) << name;
    }
    EXPECT_EQ(experiment->checkpoints(), 15U);
}

TEST(ExperimentScan, ExaminesTheBrokenStep) {
    const fs::path run = fs::path(CAIRN_SOURCE_DIR) / "resources/sample/experiment/tiny-llama-a";
    const auto broken = examineCheckpoint(run / "step-300");
    ASSERT_TRUE(broken);
    EXPECT_EQ(broken->state, CheckpointState::Incomplete);
    EXPECT_FALSE(broken->reason.empty());
    const auto whole = examineCheckpoint(run / "step-400");
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->state, CheckpointState::Complete);
}

TEST(ExperimentScan, SortsByNumberAndMarksTheLatest) {
    const TemporaryFolder folder;
    for (const int step : {1000, 900, 10000}) {
        folder.write("run/step-" + std::to_string(step) + ".safetensors", smallSafetensors());
    }
    folder.write("run/notes.txt", "nothing");
    const auto experiment = scanExperiment(folder.path());
    ASSERT_TRUE(experiment);
    ASSERT_EQ(experiment->runs.size(), 1U);
    const auto& checkpoints = experiment->runs[0].checkpoints;
    ASSERT_EQ(checkpoints.size(), 3U);
    EXPECT_EQ(checkpoints[0].step, 900);
    EXPECT_EQ(checkpoints[2].step, 10000);
    EXPECT_TRUE(checkpoints[2].latest);
    EXPECT_FALSE(checkpoints[0].latest);
}

TEST(ExperimentScan, ShowsDamagedFilesAsSuch) {
    const TemporaryFolder folder;
    folder.write("run/step-1.safetensors", smallSafetensors());
    folder.write("run/step-2.safetensors", "");
    folder.write("run/step-3.safetensors", std::string(10'000, '\0'));
    const auto experiment = scanExperiment(folder.path());
    ASSERT_TRUE(experiment);
    ASSERT_EQ(experiment->checkpoints(), 3U);
    EXPECT_EQ(experiment->runs[0].checkpoints[1].state, CheckpointState::Damaged);
    EXPECT_EQ(experiment->runs[0].checkpoints[2].state, CheckpointState::Damaged);
    ASSERT_NE(experiment->newestComplete(), nullptr);
    EXPECT_EQ(experiment->newestComplete()->step, 1);
}

TEST(ExperimentScan, DoesNotFollowLinksOut) {
    const TemporaryFolder folder;
    const TemporaryFolder outside;
    outside.write("step-1.safetensors", smallSafetensors());
    folder.write("run/step-2.safetensors", smallSafetensors());
    fs::create_directory_symlink(outside.path(), folder.path() / "linked");
    const auto experiment = scanExperiment(folder.path());
    ASSERT_TRUE(experiment);
    EXPECT_EQ(experiment->checkpoints(), 1U);
}

TEST(ExperimentScan, StopsWhenCancelled) {
    const TemporaryFolder folder;
    CancelToken cancel;
    cancel.cancel();
    const auto experiment = scanExperiment(folder.path(), cancel);
    ASSERT_FALSE(experiment);
    EXPECT_EQ(experiment.error().code, ErrorCode::Cancelled);
}

TEST(ExperimentScan, SaysWhatIsWrongWithThePath) {
    const auto experiment = scanExperiment("/nonexistent/place");
    ASSERT_FALSE(experiment);
    EXPECT_EQ(experiment.error().code, ErrorCode::NotFound);
}

} // namespace
} // namespace cairn
