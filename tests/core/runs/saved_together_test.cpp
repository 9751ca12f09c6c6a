// SPDX-License-Identifier: Apache-2.0
// Files and folders that one save wrote: how many checkpoints they are, and what counts as one.
#include "core/formats/format.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/retention/retention.h"
#include "core/runs/scan/experiment_scan.h"
#include "tests/core/runs/run_folder.h"
#include "tests/support/judged_run.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using test::examineAll;
using test::findCheckpoint;
using test::findRun;
using test::namesOf;
using test::scanned;
using test::smallSafetensors;
using test::TemporaryFolder;

TEST(Layouts, TheFilesOfOneSaveAreOneCheckpoint) {
    const TemporaryFolder folder;
    for (const std::string step : {"run/step_100/", "run/step_200/", "whole/"}) {
        folder.write(step + "net.safetensors", smallSafetensors());
        folder.write(step + "optimizer.safetensors", smallSafetensors());
    }
    // A copy of the weights next to them: the optimizer's owner is ambiguous.
    folder.write("other/net.safetensors", smallSafetensors());
    folder.write("other/optimizer.safetensors", smallSafetensors());
    folder.write("other/net_best.safetensors", smallSafetensors());
    Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.runs.size(), 3U);
    EXPECT_EQ(namesOf(*findRun(experiment, "run")),
              (std::vector<std::string>{"step_100", "step_200"}));
    EXPECT_EQ(namesOf(*findRun(experiment, "whole")), std::vector<std::string>{"whole"});
    EXPECT_EQ(findRun(experiment, "other")->checkpoints.size(), 3U);
    examineAll(experiment);
    const ScannedCheckpoint& last = findRun(experiment, "run")->checkpoints.back();
    EXPECT_EQ(last.format, "torch_folder");
    EXPECT_EQ(last.step, 200);
    EXPECT_EQ(last.state, CheckpointState::Complete);
    EXPECT_TRUE(last.latest);
    EXPECT_EQ(last.files, 2U);
}

TEST(Layouts, WhatHoldsNoTensorIsNotTheLatest) {
    const TemporaryFolder folder;
    folder.write("a_100.safetensors", smallSafetensors());
    folder.write("step_100.npz", std::string("PK\x05\x06", 4) + std::string(18, '\0')); // empty
    Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.runs.size(), 1U);
    ScannedRun& run = experiment.runs.front();
    ASSERT_EQ(run.checkpoints.size(), 2U);
    EXPECT_TRUE(run.checkpoints.front().latest); // it has a step
    examineAll(experiment);
    for (const ScannedCheckpoint& each : run.checkpoints) {
        EXPECT_EQ(each.latest, each.name == "a_100.safetensors") << each.name;
        EXPECT_EQ(each.noModel, each.name == "step_100.npz") << each.name;
    }
}

TEST(Layouts, AnOptimizersFileIsNeitherLatestNorBest) {
    const TemporaryFolder folder;
    const std::string state =
        test::safetensorsFile({test::byteTensor("optimizer.state.0.exp_avg")});
    folder.write("model_100.safetensors", smallSafetensors());
    folder.write("optimizer_100.safetensors", state); // the larger one
    folder.write("adam_100.safetensors", state);      // only recognized by its content
    Experiment experiment = scanned(folder);
    ScannedRun& run = experiment.runs.at(0);
    EXPECT_FALSE(findCheckpoint(run, "optimizer_100.safetensors")->latest);
    examineAll(experiment);
    test::judgeBy(run, "loss");
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.score = 0.5;
    }
    settleRun(run);
    for (const ScannedCheckpoint& each : run.checkpoints) {
        EXPECT_EQ(each.latest, each.name == "model_100.safetensors") << each.name;
        EXPECT_EQ(each.best, each.name == "model_100.safetensors") << each.name;
    }
}

TEST(Layouts, FoldersBesideTheFilesOfOneSaveAreLookedAt) {
    const TemporaryFolder folder;
    for (const std::string save : {"exp/", "exp/best/", "exp/epoch_1/", "exp/last/"}) {
        folder.write(save + "net.safetensors", smallSafetensors());
        folder.write(save + "optimizer.safetensors", smallSafetensors());
    }
    folder.write("exp/runs/a/ckpt_100.safetensors", smallSafetensors());
    folder.write("exp/fold_1/weights.safetensors", smallSafetensors());
    const Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.runs.size(), 3U);
    const ScannedRun* run = findRun(experiment, "exp");
    ASSERT_TRUE(run);
    std::vector<std::string> names = namesOf(*run);
    std::ranges::sort(names);
    EXPECT_EQ(names, (std::vector<std::string>{"best", "epoch_1", "exp", "last"}));
    EXPECT_TRUE(findCheckpoint(*run, "best")->best);
    EXPECT_EQ(findCheckpoint(*run, "exp")->files, 2U);
    EXPECT_TRUE(findRun(experiment, "exp/runs/a"));
    EXPECT_TRUE(findRun(experiment, "exp/fold_1"));
}

TEST(Layouts, OfTheFilesOfOneStepTheLargestIsTheLatest) {
    const TemporaryFolder folder;
    folder.write("step_10/model/net.safetensors", smallSafetensors());
    folder.write("step_10/train/rank0.safetensors", smallSafetensors() + std::string(4000, 'x'));
    folder.write("step_5.safetensors", smallSafetensors() + std::string(9000, 'x'));
    const Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.runs.size(), 1U);
    for (const ScannedCheckpoint& each : experiment.runs.front().checkpoints) {
        EXPECT_EQ(each.latest, each.name == "step_10/train/rank0.safetensors") << each.name;
    }
    EXPECT_EQ(experiment.newestComplete()->name, "step_10/train/rank0.safetensors");
}

TEST(Layouts, DataShardsOfTensorFlowAreNoCheckpointsOfTheirOwn) {
    const TemporaryFolder folder;
    for (const std::string prefix : {"model.ckpt-900", "model.ckpt-1000"}) {
        folder.write(prefix + ".index", "index");
        folder.write(prefix + ".meta", "graph");
        folder.write(prefix + ".data-00000-of-00002", "abcd");
        folder.write(prefix + ".data-00001-of-00002", "abcd");
    }
    const Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.runs.size(), 1U);
    EXPECT_EQ(namesOf(experiment.runs.front()),
              (std::vector<std::string>{"model.ckpt-900", "model.ckpt-1000"}));
    EXPECT_EQ(experiment.runs.front().checkpoints.front().files, 4U);
}

/// A generator and a discriminator at each of these steps.
ScannedRun runOfPairs(const std::vector<int>& steps) {
    ScannedRun run;
    test::judgeBy(run, "val_loss");
    for (const int step : steps) {
        for (const std::string part : {"generator", "discriminator"}) {
            ScannedCheckpoint each;
            each.name = part + "_" + std::to_string(step) + ".pt";
            each.path = "/run/" + each.name;
            each.step = step;
            each.examined = each.opened = true;
            each.state = CheckpointState::Complete;
            run.checkpoints.push_back(each);
        }
    }
    settleRun(run);
    return run;
}

TEST(Retention, CountsTheBestByWhatWasSavedTogether) {
    ScannedRun run = runOfPairs({100, 200, 300, 400});
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.score = static_cast<double>(*each.step);
    }
    test::judgeBy(run, "val_loss", names::Direction::Smaller, Strength::Recorded);
    const auto plan =
        planRetention(run, {.keepLast = 1, .keepBest = 2}, test::settledEvidence(run));
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->keep.size(), 6U);
    ASSERT_EQ(plan->remove.size(), 2U);
    EXPECT_EQ(plan->remove.front().path, "/run/discriminator_300.pt");
    EXPECT_EQ(plan->remove.back().path, "/run/generator_300.pt");
}

TEST(Retention, KeepsWhatWasSavedTogether) {
    ScannedRun run = runOfPairs({100, 200, 300});
    const auto plan = planRetention(run, {.keepLast = 2}, test::settledEvidence(run));
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->keep.size(), 4U);
    ASSERT_EQ(plan->remove.size(), 2U);
    EXPECT_EQ(plan->remove.front().path, "/run/discriminator_100.pt");
    run.checkpoints.front().pointedBy = {"best.txt"}; // one of the oldest
    EXPECT_TRUE(planRetention(run, {.keepLast = 2}, test::settledEvidence(run))->remove.empty());
}

/// Four ranks' files for each step, and a file that is none of them.
TEST(Layouts, SavesOfEveryRankInOneFolderAreListedOneByOne) {
    const TemporaryFolder folder;
    const fs::path sample = CAIRN_SOURCE_DIR "/tests/data/ranks/uneven";
    const fs::path run = folder.path() / "run";
    fs::create_directories(run);
    for (const char* step : {"step100", "step200"}) {
        for (const char* rank : {"0", "1", "2", "3"}) {
            fs::copy(sample / (std::string("model_world_size_4_rank_") + rank + ".pt"),
                     run / (std::string(step) + "_rank" + rank + ".pt"));
        }
    }
    folder.write("run/other.safetensors", smallSafetensors());
    fs::remove(run / "step200_rank3.pt");
    Experiment experiment = scanned(folder);
    examineAll(experiment);
    const ScannedRun* there = findRun(experiment, "run");
    ASSERT_TRUE(there);
    const ScannedRun& found = *there;
    ASSERT_EQ(namesOf(found),
              (std::vector<std::string>{"step100", "step200", "other.safetensors"}));
    EXPECT_EQ(found.checkpoints[0].step, 100);
    EXPECT_EQ(found.checkpoints[0].files, 4U);
    EXPECT_EQ(found.checkpoints[0].format, "ranks");
    EXPECT_EQ(found.checkpoints[0].state, CheckpointState::Complete)
        << found.checkpoints[0].reason.text();
    EXPECT_EQ(found.checkpoints[1].path, run / "step200");
    // Rank 3 of step 200 is missing; its part is a hole.
    EXPECT_EQ(found.checkpoints[1].state, CheckpointState::Incomplete);
    EXPECT_EQ(filesOfSave(run / "step100").size(), 4U);
    const auto alone = scanExperiment(run / "step100");
    ASSERT_TRUE(alone);
    ASSERT_EQ(alone->checkpoints(), 1U);
    EXPECT_EQ(alone->runs[0].checkpoints[0].files, 4U);
}

TEST(Layouts, OneSaveOfEveryRankDoesNotHideWhatLiesBesideIt) {
    const TemporaryFolder folder;
    const fs::path sample = CAIRN_SOURCE_DIR "/tests/data/ranks/uneven";
    fs::copy(sample, folder.path() / "run");
    Experiment experiment = scanned(folder);
    EXPECT_EQ(experiment.checkpoints(), 1U);
    EXPECT_EQ(experiment.runs.at(0).checkpoints.at(0).path, folder.path() / "run");
    folder.write("run/final_step_400.safetensors", smallSafetensors());
    experiment = scanned(folder);
    examineAll(experiment);
    const ScannedRun* run = findRun(experiment, "run");
    ASSERT_TRUE(run);
    ASSERT_EQ(namesOf(*run), (std::vector<std::string>{"final_step_400.safetensors", "model"}));
    EXPECT_EQ(run->checkpoints[1].state, CheckpointState::Complete)
        << run->checkpoints[1].reason.text();
    EXPECT_EQ(filesOfSave(folder.path() / "run" / "model").size(), 4U);
}

TEST(Layouts, FoldersOfOneSaveAreOneRowEach) {
    const TemporaryFolder folder;
    const fs::path samples = CAIRN_SOURCE_DIR "/tests/data/torch_folder";
    const auto copy = [&](const char* from, const std::string& to) {
        fs::create_directories((folder.path() / to).parent_path());
        fs::copy(samples / from, folder.path() / to, fs::copy_options::recursive);
    };
    copy("CKPT+2026-11-22+10-00-00+00", "asr/save/CKPT+2026-11-22+10-00-00+00");
    copy("CKPT+2026-11-22+10-00-00+00", "asr/save/CKPT+2026-11-22+11-00-00+00");
    copy("step40", "olmo/step40");
    copy("step40", "olmo/step80");
    const Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.runs.size(), 2U);
    EXPECT_EQ(
        namesOf(experiment.runs[0]),
        (std::vector<std::string>{"CKPT+2026-11-22+10-00-00+00", "CKPT+2026-11-22+11-00-00+00"}));
    EXPECT_EQ(namesOf(experiment.runs[1]), (std::vector<std::string>{"step40", "step80"}));
    EXPECT_EQ(experiment.runs[1].checkpoints[0].files, 9U);
}

TEST(Layouts, StateBesideASaveIsNoRow) {
    const TemporaryFolder folder; // accelerate with DeepSpeed: the save is in a subfolder
    folder.write("run/latest", "pytorch_model");
    folder.write("run/pytorch_model/mp_rank_00_model_states.pt", smallSafetensors());
    folder.write("run/random_states_0.pkl", smallSafetensors());
    folder.write("run/scheduler.bin", smallSafetensors());
    const Experiment experiment = scanned(folder);
    const ScannedRun* run = findRun(experiment, "run");
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(namesOf(*run), std::vector<std::string>{"pytorch_model"});
}

} // namespace
} // namespace cairn
