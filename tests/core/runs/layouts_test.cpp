// SPDX-License-Identifier: Apache-2.0
// Folders as trainers leave them: which rows they give, in which order, and what is said of each.
#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/rank/best_decision.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/run_counts.h"
#include "core/runs/scan/experiment_scan.h"
#include "tests/core/runs/run_folder.h"

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

constexpr std::int64_t kSecond = 1'000'000'000;

void writeTrainer(const TemporaryFolder& folder, const std::string& name, int step,
                  const std::string& best) {
    folder.write(name + "/config.json", R"({"model_type":"llama"})");
    folder.write(name + "/model.safetensors", smallSafetensors());
    folder.write(name + "/trainer_state.json",
                 R"({"global_step":)" + std::to_string(step) +
                     R"(,"epoch":1.5,"best_metric":0.25,"best_model_checkpoint":")" + best +
                     R"(","log_history":[{"loss":0.5,"step":1},{"eval_loss":0.25,"step":100}]})");
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
    EXPECT_EQ(stepFromName(run.checkpoints[2]), "values");
    EXPECT_TRUE(run.bestIs.isBy(kBestInRecord));
    EXPECT_EQ(run.bestMetric, "eval_loss");
    EXPECT_EQ(run.bestValue, 0.25);
}

TEST(Layouts, AStateInTheOutputFolderMakesItNoCheckpoint) {
    const TemporaryFolder folder; // trainer.save_state() with load_best_model_at_end
    writeTrainer(folder, "out/checkpoint-100", 100, "./out/checkpoint-100/");
    writeTrainer(folder, "out/checkpoint-200", 200, "C:\\\\exp\\\\out\\\\checkpoint-100");
    folder.write("out/trainer_state.json", R"({"global_step":200,"log_history":[]})");
    folder.write("bare/checkpoint-5/trainer_state.json", R"({"global_step":5,"log_history":[]})");
    Experiment experiment = scanned(folder);
    examineAll(experiment);
    const ScannedRun* run = findRun(experiment, "out");
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(namesOf(*run), (std::vector<std::string>{"checkpoint-100", "checkpoint-200"}));
    EXPECT_TRUE(run->checkpoints[0].best) << "its recorded path has another form";
    const ScannedRun* bare = findRun(experiment, "bare");
    ASSERT_NE(bare, nullptr) << "a save without weights is one that did not finish";
    EXPECT_EQ(bare->checkpoints.at(0).state, CheckpointState::Incomplete);
}

TEST(Layouts, TheStepInsideCountsBeforeTheName) {
    const TemporaryFolder folder;
    writeTrainer(folder, "out/checkpoint-1", 700, "");
    writeTrainer(folder, "out/checkpoint-2", 600, "");
    Experiment experiment = scanned(folder);
    EXPECT_EQ(experiment.runs.at(0).checkpoints.at(0).step, 1);
    EXPECT_EQ(stepFromName(experiment.runs.at(0).checkpoints.at(0)), "name");
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
    EXPECT_EQ(stepFromName(*findCheckpoint(run, "model_step_200.pkl")), "name");
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
    EXPECT_TRUE(run.bestIs.isBy(kBestInName));
    EXPECT_EQ(stepFromName(*best), "time");
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

} // namespace
} // namespace cairn
