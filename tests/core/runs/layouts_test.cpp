// SPDX-License-Identifier: Apache-2.0
// Folders as trainers leave them: which rows they give, in which order, and what is said of each.
#include "core/formats/format.h"
#include "core/model/names/file_names.h"
#include "core/runs/checkpoint_facts.h"
#include "core/runs/experiment_scan.h"
#include "core/runs/ranking.h"
#include "core/runs/retention.h"
#include "core/runs/run_counts.h"
#include "core/runs/scan_names.h"
#include "tests/core/runs/run_folder.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using test::findCheckpoint;
using test::findRun;
using test::scanned;
using test::smallSafetensors;
using test::TemporaryFolder;

constexpr std::int64_t kSecond = 1'000'000'000;

std::vector<std::string> namesOf(const ScannedRun& run) {
    std::vector<std::string> names;
    for (const ScannedCheckpoint& each : run.checkpoints) {
        names.push_back(each.name);
    }
    return names;
}

void writeTrainer(const TemporaryFolder& folder, const std::string& name, int step,
                  const std::string& best) {
    folder.write(name + "/config.json", R"({"model_type":"llama"})");
    folder.write(name + "/model.safetensors", smallSafetensors());
    folder.write(name + "/trainer_state.json",
                 R"({"global_step":)" + std::to_string(step) +
                     R"(,"epoch":1.5,"best_metric":0.25,"best_model_checkpoint":")" + best +
                     R"(","log_history":[{"loss":0.5,"step":1},{"eval_loss":0.25,"step":100}]})");
}

void examineAll(Experiment& experiment) {
    for (ScannedRun& run : experiment.runs) {
        for (ScannedCheckpoint& each : run.checkpoints) {
            if (each.isLink()) {
                continue;
            }
            const auto facts = examineCheckpoint(each.path);
            ASSERT_TRUE(facts);
            applyFacts(each, *facts);
        }
        settleRun(run);
    }
}

TEST(Layouts, FinalModelsOfSeveralOutputFoldersAreNoRunOfTheirOwn) {
    const TemporaryFolder folder;
    for (const std::string run : {"out_a", "out_b"}) {
        writeTrainer(folder, run + "/checkpoint-100", 100, run + "/checkpoint-100");
        writeTrainer(folder, run + "/checkpoint-200", 200, run + "/checkpoint-100");
        folder.write(run + "/config.json", R"({"model_type":"llama"})"); // save_model() at the end
        folder.write(run + "/model.safetensors", smallSafetensors());
    }
    Experiment experiment = scanned(folder);
    examineAll(experiment);
    ASSERT_EQ(experiment.runs.size(), 2U);
    for (const std::string run : {"out_a", "out_b"}) {
        const ScannedRun& found = *findRun(experiment, run);
        EXPECT_EQ(namesOf(found),
                  (std::vector<std::string>{"checkpoint-100", "checkpoint-200", run}));
        EXPECT_TRUE(findCheckpoint(found, "checkpoint-200")->latest);
        EXPECT_TRUE(findCheckpoint(found, run)->isExport);
    }
}

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

TEST(Layouts, TheBestWithinAFinishedModelIsListed) {
    const TemporaryFolder folder;
    for (const std::string save :
         {"exp/", "exp/best_model/", "exp/checkpoint-100/", "exp/tower/"}) {
        folder.write(save + "config.json", R"({"model_type":"llama"})");
        folder.write(save + "model.safetensors", smallSafetensors());
    }
    const Experiment experiment = scanned(folder);
    std::vector<std::string> names;
    for (const ScannedRun& run : experiment.runs) {
        for (const ScannedCheckpoint& each : run.checkpoints) {
            names.push_back(each.name);
            EXPECT_EQ(each.files, each.name == "exp" ? 4U : 2U) << "with the tower, a part of it";
        }
    }
    std::ranges::sort(names);
    EXPECT_EQ(names, (std::vector<std::string>{"best_model", "checkpoint-100", "exp"}));
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
    run.scoreMetric = "val_loss";
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

TEST(Layouts, TrainerRunWithItsRecordOfTheBest) {
    const TemporaryFolder folder;
    writeTrainer(folder, "out/checkpoint-100", 100, "/somewhere/else/out/checkpoint-100");
    writeTrainer(folder, "out/checkpoint-200", 200, "/somewhere/else/out/checkpoint-100");
    writeTrainer(folder, "out/checkpoint-1000", 1000, "/somewhere/else/out/checkpoint-200");
    Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.runs.size(), 1U);
    examineAll(experiment);
    const ScannedRun& run = experiment.runs[0];
    EXPECT_EQ(namesOf(run),
              (std::vector<std::string>{"checkpoint-100", "checkpoint-200", "checkpoint-1000"}));
    EXPECT_FALSE(run.checkpoints[0].best) << "the record of the newest checkpoint counts";
    EXPECT_TRUE(run.checkpoints[1].best);
    EXPECT_TRUE(run.checkpoints[2].latest);
    EXPECT_EQ(run.checkpoints[2].stepFrom, StepFrom::Values);
    EXPECT_EQ(run.bestFrom, BestFrom::Record);
    EXPECT_EQ(run.bestMetric, "eval_loss");
    EXPECT_EQ(run.bestValue, 0.25);
}

TEST(Layouts, TheStepInsideCountsBeforeTheName) {
    const TemporaryFolder folder;
    writeTrainer(folder, "out/checkpoint-1", 700, "");
    writeTrainer(folder, "out/checkpoint-2", 600, "");
    Experiment experiment = scanned(folder);
    EXPECT_EQ(experiment.runs.at(0).checkpoints.at(0).step, 1);
    EXPECT_EQ(experiment.runs.at(0).checkpoints.at(0).stepFrom, StepFrom::Name);
    examineAll(experiment);
    EXPECT_EQ(namesOf(experiment.runs[0]),
              (std::vector<std::string>{"checkpoint-2", "checkpoint-1"}));
    EXPECT_EQ(experiment.runs[0].checkpoints[1].step, 700);
}

TEST(Layouts, TheNameKnowsTheStepBetterThanHowManyArePlanned) {
    const TemporaryFolder folder;
    const std::string plan("\x80\x02}(X\5\0\0\0stepsM\x20\x4eu.", 19); // {"steps": 20000}
    folder.write("model_step_100.pkl", plan);
    folder.write("model_step_200.pkl", plan);
    folder.write("g.pkl", plan);
    Experiment experiment = scanned(folder);
    examineAll(experiment);
    const ScannedRun& run = experiment.runs.at(0);
    EXPECT_EQ(findCheckpoint(run, "model_step_100.pkl")->step, 100);
    EXPECT_EQ(findCheckpoint(run, "model_step_200.pkl")->step, 200);
    EXPECT_EQ(findCheckpoint(run, "model_step_200.pkl")->stepFrom, StepFrom::Name);
    EXPECT_EQ(findCheckpoint(run, "g.pkl")->step, 20000) << "where nothing else tells";
}

TEST(Layouts, FinishedModelAboveItsCheckpointsIsNotCountedTwice) {
    const TemporaryFolder folder;
    writeTrainer(folder, "out", 200, "");
    writeTrainer(folder, "out/checkpoint-100", 100, "");
    const Experiment experiment = scanned(folder);
    std::uint64_t bytes = 0;
    std::uint64_t onDisk = 0;
    for (const ScannedRun& run : experiment.runs) {
        bytes += run.bytes();
    }
    for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
        onDisk += entry.is_regular_file() ? entry.file_size() : 0;
    }
    EXPECT_EQ(experiment.checkpoints(), 2U);
    EXPECT_EQ(bytes, onDisk);
}

TEST(Layouts, AnAdapterWithoutAStepIsNoCheckpointOfTheRun) {
    const TemporaryFolder folder;
    const auto adapter = [&](const std::string& path) {
        folder.write(path + "/adapter_model.safetensors", smallSafetensors());
        folder.write(path + "/adapter_config.json", R"({"peft_type": "LORA"})");
    };
    adapter("run/checkpoint-100"); // the Trainer's: the checkpoint of that step
    adapter("run/checkpoint-200");
    adapter("run/lora-final");
    const Experiment experiment = scanned(folder);
    const ScannedRun* run = findRun(experiment, "run");
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->checkpoints.size(), 3U) << "all are listed";
    EXPECT_EQ(savesOf(*run), 2U);
    EXPECT_TRUE(findCheckpoint(*run, "lora-final")->isExport);
    EXPECT_FALSE(findCheckpoint(*run, "checkpoint-100")->isExport);
    EXPECT_TRUE(findCheckpoint(*run, "checkpoint-200")->latest);
    EXPECT_EQ(experiment.checkpoints(), 2U);
    std::vector<std::string> names; // the adapter is written last, but is no step
    for (const ScannedCheckpoint* each : newestFirst(*run)) {
        names.push_back(each->name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"checkpoint-200", "checkpoint-100", "lora-final"}));
    ScannedRun outputs; // nothing else: they are what there is
    outputs.checkpoints.resize(2);
    outputs.checkpoints[0].isExport = outputs.checkpoints[1].isExport = true;
    outputs.checkpoints[0].path = "out/a";
    outputs.checkpoints[1].path = "out/b";
    outputs.path = "out";
    EXPECT_EQ(savesOf(outputs), 2U);
    EXPECT_EQ(newestFirst(outputs).front(), &outputs.checkpoints[1]);
}

TEST(Layouts, LightningFolderWithALinkToTheLast) {
    const TemporaryFolder folder;
    const std::string at = "lightning_logs/version_3/checkpoints/";
    folder.write(at + "epoch=0-step=64.ckpt", smallSafetensors());
    folder.write(at + "epoch=1-step=128.ckpt", smallSafetensors());
    folder.link(at + "last.ckpt", "epoch=1-step=128.ckpt");
    const Experiment experiment = scanned(folder);
    const ScannedRun* run = findRun(experiment, "lightning_logs/version_3");
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(namesOf(*run), (std::vector<std::string>{"epoch=0-step=64.ckpt",
                                                       "epoch=1-step=128.ckpt", "last.ckpt"}));
    const ScannedCheckpoint& link = run->checkpoints[2];
    EXPECT_EQ(link.linkTo, "epoch=1-step=128.ckpt");
    EXPECT_FALSE(link.latest);
    EXPECT_FALSE(link.step);
    EXPECT_TRUE(run->checkpoints[1].latest);
    EXPECT_EQ(run->bytes(), 2 * smallSafetensors().size());
    EXPECT_EQ(run->links(), 1U);
    EXPECT_EQ(experiment.checkpoints(), 2U);
}

TEST(Layouts, StepFoldersThatAreNoCheckpointsThemselves) {
    const TemporaryFolder folder;
    folder.write("run/global_step20/actor/model.safetensors", smallSafetensors());
    folder.write("run/global_step20/extra.safetensors", smallSafetensors());
    folder.write("run/iter_0000100/state.safetensors", smallSafetensors());
    folder.write("run/epoch_3/state.safetensors", smallSafetensors());
    const Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.runs.size(), 1U) << "a step is no run of its own";
    const ScannedRun& run = experiment.runs[0];
    EXPECT_EQ(run.id, "run");
    const ScannedCheckpoint* step = findCheckpoint(run, "iter_0000100/state.safetensors");
    ASSERT_NE(step, nullptr);
    EXPECT_EQ(step->step, 100);
    const ScannedCheckpoint* epoch = findCheckpoint(run, "epoch_3/state.safetensors");
    ASSERT_NE(epoch, nullptr);
    EXPECT_EQ(epoch->epoch, 3.0);
}

TEST(Layouts, DistributedFolderWithoutItsIndex) {
    const TemporaryFolder folder;
    for (const char* step : {"step-100", "step-200"}) {
        folder.write(std::string("run/") + step + "/__0_0.distcp", "shard");
        folder.write(std::string("run/") + step + "/__1_0.distcp", "shard");
    }
    folder.age("run/step-100/__0_0.distcp", 600);
    folder.age("run/step-100/__1_0.distcp", 600);
    const Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.checkpoints(), 2U);
    EXPECT_EQ(experiment.runs[0].checkpoints[0].state, CheckpointState::Incomplete);
    EXPECT_EQ(experiment.runs[0].checkpoints[1].state, CheckpointState::BeingWritten);
    EXPECT_EQ(experiment.runs[0].checkpoints[1].reason.text(), "No .metadata file yet");
}

TEST(Layouts, TemporaryNamesAreBeingWrittenUntilTheyAreOld) {
    const TemporaryFolder folder;
    folder.write("run/step-1.safetensors", smallSafetensors());
    folder.write("run/tmp-checkpoint-500/optimizer.bin", "begun");
    folder.write("run/step-2.safetensors.tmp", "begun");
    folder.write("run/5.orbax-checkpoint-tmp-17/begun", "begun");
    folder.age("run/5.orbax-checkpoint-tmp-17/begun", 7200);
    const Experiment experiment = scanned(folder);
    const ScannedRun* run = findRun(experiment, "run");
    ASSERT_NE(run, nullptr);
    const ScannedCheckpoint* begun = findCheckpoint(*run, "tmp-checkpoint-500");
    ASSERT_NE(begun, nullptr);
    EXPECT_EQ(begun->state, CheckpointState::BeingWritten);
    const ScannedCheckpoint* abandoned = findCheckpoint(*run, "5.orbax-checkpoint-tmp-17");
    ASSERT_NE(abandoned, nullptr);
    EXPECT_EQ(abandoned->state, CheckpointState::Incomplete);
    EXPECT_TRUE(findCheckpoint(*run, "step-1.safetensors")->latest) << "the last that is whole";
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

TEST(Layouts, AFileThatEndsTooEarlyAndChangedJustNowIsBeingWritten) {
    const TemporaryFolder folder;
    const std::string whole = smallSafetensors();
    folder.write("run/step-1.safetensors", whole.substr(0, whole.size() - 2));
    Experiment experiment = scanned(folder);
    ScannedCheckpoint fresh = experiment.runs.at(0).checkpoints.at(0);
    ScannedCheckpoint old = fresh;
    const auto facts = examineCheckpoint(fresh.path);
    ASSERT_TRUE(facts);
    EXPECT_TRUE(facts->unfinished) << facts->reason.text();
    applyFacts(fresh, *facts, fresh.modifiedNs + 3 * kSecond);
    applyFacts(old, *facts, old.modifiedNs + 60 * kSecond);
    EXPECT_EQ(fresh.state, CheckpointState::BeingWritten);
    EXPECT_TRUE(fresh.reason.text().starts_with("It changed 3 s ago: ")) << fresh.reason.text();
    EXPECT_NE(old.state, CheckpointState::BeingWritten);
    EXPECT_NE(old.state, CheckpointState::Complete);
}

TEST(Layouts, PlainEpochLoopWithBestAndLast) {
    const TemporaryFolder folder;
    for (const char* name : {"checkpoint_epoch_1", "checkpoint_epoch_2", "checkpoint_epoch_10"}) {
        folder.write(std::string("run/") + name + ".safetensors", smallSafetensors());
    }
    folder.write("run/best.safetensors", smallSafetensors());
    folder.write("run/last.safetensors", smallSafetensors());
    const Experiment experiment = scanned(folder);
    const ScannedRun& run = experiment.runs.at(0);
    ASSERT_EQ(run.checkpoints.size(), 5U);
    EXPECT_EQ(run.checkpoints[2].epoch, 10.0);
    EXPECT_TRUE(run.checkpoints[2].latest);
    const ScannedCheckpoint* best = findCheckpoint(run, "best.safetensors");
    EXPECT_TRUE(best->best);
    EXPECT_EQ(run.bestFrom, BestFrom::Name);
    EXPECT_EQ(best->stepFrom, StepFrom::Time);
}

TEST(Layouts, LinksCalledBestMarkWhatTheyLeadTo) {
    const TemporaryFolder folder;
    folder.write("run/step-1.safetensors", smallSafetensors());
    folder.write("run/step-2.safetensors", smallSafetensors());
    folder.link("run/best", "step-1.safetensors");
    folder.link("run/latest", "step-2.safetensors");
    folder.link("run/notes", "/etc/hostname");
    folder.link("run/gone.safetensors", "step-9.safetensors");
    fs::create_hard_link(folder.path() / "run/step-2.safetensors",
                         folder.path() / "run/final.safetensors");
    const Experiment experiment = scanned(folder);
    const ScannedRun& run = experiment.runs.at(0);
    EXPECT_TRUE(findCheckpoint(run, "step-1.safetensors")->best);
    EXPECT_FALSE(findCheckpoint(run, "best")->best);
    EXPECT_EQ(findCheckpoint(run, "final.safetensors")->linkTo, "step-2.safetensors");
    EXPECT_EQ(findCheckpoint(run, "notes"), nullptr);
    EXPECT_EQ(findCheckpoint(run, "gone.safetensors")->state, CheckpointState::Damaged);
    EXPECT_EQ(run.bytes(), 2 * smallSafetensors().size());
}

TEST(Layouts, LinksThatRunInCirclesEndNowhere) {
    const TemporaryFolder folder;
    folder.write("run/step-1.safetensors", smallSafetensors());
    folder.link("run/best.safetensors", "best2.safetensors");
    folder.link("run/best2.safetensors", "best.safetensors");
    const Experiment experiment = scanned(folder);
    EXPECT_EQ(experiment.checkpoints(), 1U);
    EXPECT_EQ(experiment.runs.at(0).bestFrom, BestFrom::Nobody);
}

TEST(Layouts, PointerFilesNameTheirCheckpoint) {
    const TemporaryFolder folder;
    folder.write("a/global_step20/model.safetensors", smallSafetensors());
    folder.write("a/global_step40/model.safetensors", smallSafetensors());
    folder.write("a/latest", "global_step20\n");
    folder.write("b/iter_0000100/model.safetensors", smallSafetensors());
    folder.write("b/latest_checkpointed_iteration.txt", "100");
    folder.write("c/step-1.safetensors", smallSafetensors());
    folder.write("c/latest", "step-7\n");
    const Experiment experiment = scanned(folder);
    const auto pointed = [&](const std::string& id, const std::string& name) {
        const ScannedRun* run = findRun(experiment, id);
        const ScannedCheckpoint* at = run != nullptr ? findCheckpoint(*run, name) : nullptr;
        return at != nullptr ? at->pointedBy : std::vector<std::string>{"no such checkpoint"};
    };
    EXPECT_EQ(pointed("a", "global_step20"), std::vector<std::string>{"latest"});
    EXPECT_EQ(pointed("a", "global_step40"), std::vector<std::string>{});
    EXPECT_EQ(pointed("b", "iter_0000100"),
              std::vector<std::string>{"latest_checkpointed_iteration.txt"});
    ASSERT_EQ(experiment.notices.size(), 1U);
    EXPECT_EQ(experiment.notices[0].error.found.text(), "step-7");
}

TEST(Layouts, ManifestsBesideTellOfExports) {
    const TemporaryFolder folder;
    folder.write("run/step-1.safetensors", smallSafetensors());
    folder.write("run/step-2.safetensors", smallSafetensors());
    const auto manifest = [&](int step, bool verified) {
        return R"({"schema":"cairn/manifest/1","source":{"path":")" +
               (fs::canonical(folder.path()) / "run/step-").string() + std::to_string(step) +
               R"(.safetensors"},"output":{},"verified":)" + (verified ? "true" : "false") + "}";
    };
    folder.write("deploy/a.safetensors", smallSafetensors());
    folder.write("deploy/a.safetensors.cairn.json", manifest(1, true));
    folder.write("deploy/b/model.safetensors", smallSafetensors());
    folder.write("deploy/b/config.json", "{}");
    folder.write("deploy/b/MANIFEST.json", manifest(2, false));
    folder.write("deploy/c/MANIFEST.json", R"({"name":"somebody else's"})");
    const Experiment experiment = scanned(folder);
    const ScannedRun* run = findRun(experiment, "run");
    ASSERT_NE(run, nullptr);
    ASSERT_EQ(run->checkpoints[0].exports.size(), 1U);
    EXPECT_EQ(run->checkpoints[0].exports[0].path, folder.path() / "deploy/a.safetensors");
    EXPECT_TRUE(run->checkpoints[0].exports[0].verified);
    ASSERT_EQ(run->checkpoints[1].exports.size(), 1U);
    EXPECT_EQ(run->checkpoints[1].exports[0].path, folder.path() / "deploy/b");
    EXPECT_FALSE(run->checkpoints[1].exports[0].verified);
}

TEST(Layouts, OutputsNamedAfterTheirSourceBelongToItsRun) {
    const TemporaryFolder folder;
    folder.write("a/step-1.safetensors", smallSafetensors());
    folder.write("a/step-10.safetensors", smallSafetensors());
    folder.write("a/deploy/a-step-10.safetensors", smallSafetensors());
    folder.write("a/deploy/a-step-10-2/model.safetensors", smallSafetensors());
    folder.write("a/deploy/a-step-10-2/config.json", "{}");
    folder.write("a/merged/step-77.safetensors", smallSafetensors()); // of another training
    const Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.runs.size(), 2U);
    const ScannedRun* run = findRun(experiment, "a");
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->checkpoints.size(), 4U);
    const ScannedCheckpoint* output = findCheckpoint(*run, "deploy/a-step-10.safetensors");
    ASSERT_NE(output, nullptr);
    EXPECT_TRUE(output->isExport);
    EXPECT_NE(findRun(experiment, "a/merged"), nullptr);
}

TEST(Layouts, TheCacheOfTheHubListsItsSnapshotsOnly) {
    const TemporaryFolder folder;
    const std::string model = "models--org--name/";
    folder.write(model + "blobs/0a1b2c3d", smallSafetensors());
    folder.write(model + "blobs/4e5f", "{}");
    folder.write(model + "refs/main", "abc");
    fs::create_directories(folder.path() / (model + "snapshots/abc"));
    const auto link = [&](const char* blob, const char* name) {
        fs::create_symlink(fs::path("../../blobs") / blob,
                           folder.path() / (model + "snapshots/abc") / name);
    };
    link("0a1b2c3d", "model.safetensors");
    link("4e5f", "config.json");
    const Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.runs.size(), 1U);
    EXPECT_EQ(experiment.runs.front().id, model + "snapshots");
    ASSERT_EQ(experiment.runs.front().checkpoints.size(), 1U);
    EXPECT_EQ(experiment.runs.front().checkpoints.front().name, "abc");
}

TEST(ScanNames, PointerTextIsOneNameOrNothing) {
    EXPECT_EQ(pointerTarget("global_step20\n"), "global_step20");
    EXPECT_EQ(pointerTarget("/data/run/step-5/\n"), "step-5");
    EXPECT_EQ(pointerTarget("model_checkpoint_path: \"ckpt-5\"\nall_model_checkpoint_paths: x"),
              "ckpt-5");
    EXPECT_EQ(pointerTarget("{\"a\": 1}"), "");
    EXPECT_EQ(pointerTarget(std::string_view("PK\x03\x04\x00", 5)), "");
    EXPECT_EQ(pointerTarget(".."), "");
    EXPECT_EQ(pointerTarget(""), "");
}

TEST(ScanNames, StateFilesAreNoCheckpoints) {
    for (const char* name : {"random_states_0.pkl", "rng_state_12.pth", "rng_state.pth",
                             "scheduler.bin", "scheduler_1.bin", "scaler.pt", "training_args.bin",
                             "rl_model_replay_buffer_100_steps.pkl",
                             "rl_model_vecnormalize_100_steps.pkl", "vec_normalize.pkl"}) {
        EXPECT_TRUE(isStateFile(name)) << name;
    }
    for (const char* name : {"model.pt", "scheduler", "noise_scheduler_net.pt", "rng_state_x.pth",
                             "optimizer.pt", "vecnormalized.pkl", "replay_buffer.pt"}) {
        EXPECT_FALSE(isStateFile(name)) << name;
    }
}

TEST(Layouts, ArchivesAreRowsWhereAFormatNamesThemSo) {
    const TemporaryFolder folder;
    const fs::path sample = CAIRN_SOURCE_DIR "/tests/data/stable_baselines3/sac.zip";
    folder.write("run/data.zip", std::string("PK\x05\x06", 4) + std::string(18, '\0'));
    folder.write("run/empty.zip", "");
    fs::copy(CAIRN_SOURCE_DIR "/tests/data/torch/module.pt", folder.path() / "run/net.zip");
    fs::copy(sample, folder.path() / "run/rl_model_9_steps.zip");
    fs::copy(sample, folder.path() / "run/rl_model_10_steps.zip");
    folder.write("run/rl_model_replay_buffer_10_steps.pkl", smallSafetensors());
    const Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.runs.size(), 1U);
    EXPECT_EQ(namesOf(experiment.runs[0]),
              (std::vector<std::string>{"rl_model_9_steps.zip", "rl_model_10_steps.zip"}));
    EXPECT_EQ(experiment.runs[0].checkpoints[1].step, 10) << "as the name tells";
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

TEST(Layouts, TheLastBesideStepsIsOfTheirRun) {
    const TemporaryFolder folder; // LitGPT
    for (const std::string run : {"a/", "b/checkpoints/"}) {
        folder.write(run + "step-00000100/net.safetensors", smallSafetensors());
        folder.write(run + "step-00000200/net.safetensors", smallSafetensors());
        folder.write(run + "final/net.safetensors", smallSafetensors());
        folder.link(run + "final/same.safetensors", "net.safetensors");
    }
    folder.write("c/step_1/net.safetensors", smallSafetensors());
    folder.write("c/final/other.safetensors", smallSafetensors()); // perhaps of another training
    const Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.runs.size(), 4U);
    for (const char* run : {"a", "b"}) {
        ASSERT_TRUE(findRun(experiment, run)) << run;
        std::vector<std::string> names = namesOf(*findRun(experiment, run));
        std::ranges::sort(names);
        EXPECT_EQ(names, (std::vector<std::string>{
                             "final/net.safetensors", "final/same.safetensors",
                             "step-00000100/net.safetensors", "step-00000200/net.safetensors"}));
        EXPECT_EQ(findCheckpoint(*findRun(experiment, run), "final/same.safetensors")->linkTo,
                  "final/net.safetensors");
    }
    EXPECT_TRUE(findRun(experiment, "c/final"));
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

TEST(ScanNames, BestStandsAlone) {
    EXPECT_TRUE(isBestName("best"));
    EXPECT_TRUE(isBestName("model_best.pth"));
    EXPECT_TRUE(isBestName("checkpoint-best-0.17"));
    EXPECT_FALSE(isBestName("bestow.pt"));
    EXPECT_FALSE(isBestName("best_effort.pt"));
    EXPECT_FALSE(isBestName("asbestos"));
}

} // namespace
} // namespace cairn
