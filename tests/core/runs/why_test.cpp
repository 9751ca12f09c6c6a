// SPDX-License-Identifier: Apache-2.0
// The chain that makes a checkpoint best or latest, and the number that stands for one.
#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/history/history.h"
#include "core/runs/rank/headline.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/rank/why.h"
#include "core/runs/scan/experiment_scan.h"
#include "core/runs/scan/open_named.h"
#include "tests/core/runs/run_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

using test::scanned;
using test::smallSafetensors;
using test::TemporaryFolder;

const ScannedCheckpoint& named(const ScannedRun& run, const std::string& name) {
    const ScannedCheckpoint* found = test::findCheckpoint(run, name);
    EXPECT_NE(found, nullptr) << name;
    return found != nullptr ? *found : run.checkpoints.front();
}

std::string answer(const ScannedRun& run, const std::string& name, const std::string& question) {
    for (const Explanation& why : explainCheckpoint(run, named(run, name))) {
        if (why.question == question) {
            return why.answer.text() + " | " + why.from.text();
        }
    }
    return "not asked";
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

ScannedRun threeSteps(const TemporaryFolder& folder) {
    for (const char* step : {"100", "200", "300"}) {
        folder.write("step-" + std::string(step) + ".safetensors", smallSafetensors());
    }
    return scanned(folder).runs.at(0);
}

RunHistory curve(std::vector<double> steps, std::vector<double> values) {
    RunHistory history;
    history.sources.push_back({"csv", "/logs/metrics.csv", 0, {}});
    MetricSeries series;
    series.name = "eval_loss";
    series.steps = std::move(steps);
    series.values = std::move(values);
    history.series.push_back(std::move(series));
    return history;
}

TEST(WhyOf, TellsTheCurveThatDecides) {
    TemporaryFolder folder;
    ScannedRun run = threeSteps(folder);
    settleRun(run, curve({50, 100, 200, 300}, {9, 3, 1, 2}));
    EXPECT_TRUE(has(answer(run, "step-200.safetensors", "which metric decides"),
                    "eval_loss, lower is better, assumed | named: by its name, the first of the "
                    "curves that were measured on held-out data (/logs/metrics.csv, eval_loss)"));
    EXPECT_EQ(answer(run, "step-200.safetensors", "what is its value"),
              "1 eval_loss | /logs/metrics.csv, eval_loss, step 200");
    EXPECT_TRUE(
        has(answer(run, "step-200.safetensors", "why best"), "lowest eval_loss of 3 checkpoints"));
    EXPECT_TRUE(has(answer(run, "step-300.safetensors", "why not best"), "1 eval_loss against 2"));
    EXPECT_TRUE(
        has(answer(run, "step-300.safetensors", "why latest"), "last in training order of 3"));
    EXPECT_TRUE(
        has(answer(run, "step-100.safetensors", "why not latest"), "later in training order"));
    EXPECT_TRUE(has(answer(run, "step-100.safetensors", "what is its step"),
                    "step 100 | named: step 100 in the name"));
}

TEST(WhyOf, TellsTheRecordBeforeTheCurve) {
    TemporaryFolder folder;
    ScannedRun run = threeSteps(folder);
    run.checkpoints[2].record = BestRecord{"step-100.safetensors", "eval_loss", 0.5};
    settleRun(run, curve({100, 200, 300}, {3, 1, 2}));
    EXPECT_TRUE(has(answer(run, "step-100.safetensors", "why best"), "record"));
    EXPECT_TRUE(
        has(answer(run, "step-100.safetensors", "which metric decides"), "step-300.safetensors"));
    EXPECT_TRUE(has(answer(run, "step-200.safetensors", "why not best"), "step-100.safetensors"));
}

TEST(WhyOf, TellsTheNameAndNothing) {
    TemporaryFolder folder;
    folder.write("best.safetensors", smallSafetensors());
    const ScannedRun byName = [&] {
        ScannedRun run = threeSteps(folder);
        settleRun(run, RunHistory());
        return run;
    }();
    EXPECT_TRUE(has(answer(byName, "best.safetensors", "why best"), "name"));
    EXPECT_TRUE(has(answer(byName, "best.safetensors", "which metric decides"), "none"));
    TemporaryFolder other;
    ScannedRun nothing = threeSteps(other);
    settleRun(nothing, RunHistory());
    EXPECT_TRUE(has(answer(nothing, "step-100.safetensors", "why not best"),
                    "no record, curve, value or name"));
}

TEST(Ranking, APointerFileDecidesWhatIsLatest) {
    TemporaryFolder folder;
    folder.write("latest", "step-200\n");
    const ScannedRun run = threeSteps(folder);
    EXPECT_TRUE(named(run, "step-200.safetensors").latest);
    EXPECT_TRUE(has(answer(run, "step-300.safetensors", "why not latest"), "pointer file latest"));
}

TEST(Ranking, ExportsAreNeverLatest) {
    TemporaryFolder folder;
    folder.write("a.safetensors", smallSafetensors());
    folder.write("b.safetensors", smallSafetensors());
    folder.age("a.safetensors", 500);
    folder.age("b.safetensors", 400);
    folder.write("out.safetensors", smallSafetensors());
    folder.write("merged/model.safetensors", smallSafetensors());
    folder.write("out.safetensors.cairn.json",
                 R"({"schema":"cairn/manifest/1","source":{"path":"/elsewhere"},"verified":true})");
    const Experiment experiment = scanned(folder);
    ASSERT_EQ(experiment.runs.size(), 1U);
    const ScannedRun& run = experiment.runs.front();
    EXPECT_TRUE(named(run, "b.safetensors").latest);
    EXPECT_TRUE(named(run, "out.safetensors").isExport);
    EXPECT_TRUE(has(answer(run, "out.safetensors", "why not latest"), "export"));
}

CheckpointPtr checkpoint() {
    CheckpointData data;
    data.path = "/run/checkpoint-30";
    CheckpointFile file;
    file.path = "trainer_state.json";
    data.files.push_back(file);
    return Checkpoint::make(std::move(data));
}

Value row(double step, const char* name, double value) {
    return Value::dict({{Value("step"), Value(step)}, {Value(name), Value(value)}});
}

Value list(std::vector<Value> values) {
    return Value::list(std::move(values));
}

TEST(Headline, IsTheValueAtTheStep) {
    const Value log = list({row(10, "loss", 5.086), row(20, "loss", 5), row(30, "loss", 4.944),
                            row(30, "eval_loss", 4.9), row(40, "loss", 1)});
    const Value values = Value::dict(
        {{Value("trainer_state"),
          Value::dict({{Value("best_metric"), Value(4.5)}, {Value("log_history"), log}})}});
    const auto headline = headlineOf(*checkpoint(), values, {30, 1.5});
    ASSERT_EQ(headline.size(), 2U);
    EXPECT_EQ(headline[0].name, "loss");
    EXPECT_EQ(headline[0].value(), 4.944);
    EXPECT_EQ(headline[0].from().row, 2U);
    EXPECT_EQ(headline[0].from().step, 30);
    EXPECT_EQ(headline[0].from().field, "trainer_state.log_history.2.loss");
    EXPECT_EQ(headline[1].name, "eval_loss");
}

TEST(Headline, TakesTheLossFromTheStateOfATrainingLoop) {
    for (const char* key : {"train_state", "trainer_state", "extra_state", "training_state"}) {
        const Value values = Value::dict(
            {{Value(key), Value::dict({{Value("step"), Value(30.0)},
                                       {Value("loss"), Value(0.9177)},
                                       {Value("best_eval_loss"), Value(0.5)}})},
             {Value("lr_scheduler"), Value::dict({{Value("_last_lr"), list({Value(4e-4)})}})}});
        const auto headline = headlineOf(*checkpoint(), values, {30, 1.5});
        ASSERT_EQ(headline.size(), 2U) << key;
        EXPECT_EQ(headline[0].name, "loss");
        EXPECT_EQ(headline[0].value(), 0.9177);
        EXPECT_EQ(headline[0].from().field, std::string(key) + ".loss");
        EXPECT_EQ(headline[1].name, "learning_rate");
    }
}

TEST(Headline, TakesListsThatAreAsLongAsTheTraining) {
    const Value values =
        Value::dict({{Value("losses"), list({Value(3.0), Value(2.0)})},
                     {Value("val_loss"), list({Value(3.0), Value(2.0), Value(1.0)})},
                     {Value("best_loss"), Value(0.5)}});
    const auto headline = headlineOf(*checkpoint(), values, {std::nullopt, 2});
    ASSERT_EQ(headline.size(), 2U);
    EXPECT_EQ(headline[0].value() + headline[1].value(), 3.0);
    EXPECT_TRUE(headlineOf(*checkpoint(), values, {7, std::nullopt}).empty());
}

TEST(OpenNamed, OpensTheLatestOfARun) {
    TemporaryFolder folder;
    threeSteps(folder);
    folder.write("step-400.safetensors", "");
    const auto opened = openNamed(folder.path());
    ASSERT_TRUE(opened.has_value()) << opened.error().message.text();
    EXPECT_EQ(opened->path.filename(), "step-300.safetensors");
    EXPECT_EQ(opened->chosenFrom, folder.path());
    EXPECT_EQ(opened->candidates, 4U);
    ASSERT_FALSE(opened->checkpoint->notices().empty());
    const Error& said = opened->checkpoint->notices().front().error;
    EXPECT_TRUE(has(said.message.text(), "step-300.safetensors")) << said.message.text();
    EXPECT_TRUE(has(said.found.text(), "step-200.safetensors")) << said.found.text();
    EXPECT_FALSE(opened->newestIsDamaged) << "it may still be written";
    folder.age("step-400.safetensors", 3600);
    const auto older = openNamed(folder.path());
    ASSERT_TRUE(older.has_value());
    EXPECT_EQ(older->path.filename(), "step-300.safetensors");
    EXPECT_TRUE(older->newestIsDamaged);
    EXPECT_TRUE(std::ranges::any_of(older->checkpoint->notices(), [](const Notice& notice) {
        return notice.severity == Severity::Warning &&
               has(notice.error.where.file, "step-400.safetensors");
    }));
}

TEST(OpenNamed, NamesTheRunsOfAnExperiment) {
    TemporaryFolder folder;
    folder.write("a/step-1.safetensors", smallSafetensors());
    folder.write("b/step-2.safetensors", smallSafetensors());
    const auto opened = openNamed(folder.path());
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code, ErrorCode::InvalidArgument);
    EXPECT_TRUE(has(opened.error().found.text(), "a/step-1.safetensors"))
        << opened.error().found.text();
}

TEST(OpenNamed, NamesWhatIsThereWhenNothingIsComplete) {
    TemporaryFolder folder;
    for (const char* name : {"step-1.safetensors", "step-2.safetensors"}) {
        folder.write(name, "");
        folder.age(name, 3600);
    }
    const auto opened = openNamed(folder.path());
    ASSERT_FALSE(opened.has_value());
    EXPECT_TRUE(has(opened.error().found.text(), "step-1.safetensors (damaged)"))
        << opened.error().found.text();
}

TEST(LogRuns, AreRunsWithoutCheckpoints) {
    TemporaryFolder folder;
    folder.write("wandb/offline-run-1-abc/run-abc.wandb", ""); // it has just started
    folder.write("tb/a/events.out.tfevents.1.host", "x");
    folder.write("tb/a/1.5/events.out.tfevents.1.host", "x");
    folder.write("mlruns/1/9f/meta.yaml", "x");
    folder.write("mlruns/1/9f/metrics/loss", "x");
    folder.write("mlruns/1/9f/tags/mlflow.runName", "alpha");
    const Experiment experiment = scanned(folder);
    std::vector<std::string> names;
    for (const ScannedRun& run : experiment.runs) {
        EXPECT_TRUE(run.checkpoints.empty());
        names.push_back(run.id + "=" + run.name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"mlruns/1/9f=alpha", "tb/a=tb/a",
                                               "wandb/offline-run-1-abc=wandb/offline-run-1-abc"}));
}

TEST(LogRuns, AnyFileThatAReaderRecognisesIsARun) {
    TemporaryFolder folder;
    folder.write("a/trainer_log.jsonl", "{\"current_steps\": 10, \"loss\": 2}\n");
    folder.write("b/results.csv", "epoch,train/loss\n1,2\n2,1\n");
    folder.write("c/summary.csv", "epoch,train_loss,eval_loss\n0,2,3\n");
    folder.write("d/train.log", "iter 10: loss 3.2104, time 5.12ms, mfu 1.25%\n");
    folder.write("e/log.txt",
                 "{\"epoch\": 0, \"train_loss\": 2.5}\n{\"epoch\": 1, \"train_loss\": 2}\n");
    folder.write("f/history.json", "{\"loss\": [2, 1], \"val_loss\": [3, 2]}");
    folder.write("settings/config.yaml", "lr: 0.1\n");
    folder.write("text/readme.txt", "step one\n");
    std::vector<std::string> ids;
    for (const ScannedRun& run : scanned(folder).runs) {
        ids.push_back(run.id);
    }
    EXPECT_EQ(ids, (std::vector<std::string>{"a", "b", "c", "d", "e", "f"}));
}

TEST(LogRuns, TheDataSetsOfOneTrainingAreOneRun) {
    TemporaryFolder folder;
    for (const char* part :
         {"fit/train", "fit/validation", "other/train", "x/training", "x/eval"}) {
        folder.write(std::string(part) + "/events.out.tfevents.1.host.v2", "x");
    }
    std::vector<std::string> ids;
    for (const ScannedRun& run : scanned(folder).runs) {
        ids.push_back(run.id);
    }
    EXPECT_EQ(ids, (std::vector<std::string>{"fit", "other/train", "x"}));
}

TEST(LogRuns, ALogAboveSeveralRunsDoesNotJoinThem) {
    TemporaryFolder folder;
    folder.write("log.txt", "iter 10: loss 3.2104, time 5.12ms, mfu 1.25%\n");
    folder.write("a/metrics.csv", "step,loss\n1,0.5\n");
    folder.write("b/metrics.csv", "step,loss\n1,0.5\n");
    folder.write("one/log.txt", "iter 10: loss 3.2104, time 5.12ms, mfu 1.25%\n");
    folder.write("one/logs/metrics.csv", "step,loss\n1,0.5\n");
    std::vector<std::string> ids;
    for (const ScannedRun& run : scanned(folder).runs) {
        ids.push_back(run.id);
    }
    EXPECT_EQ(ids, (std::vector<std::string>{"a", "b", "one"}));
}

TEST(LogRuns, AreNotListedWhereARunReadsThem) {
    TemporaryFolder folder;
    folder.write("out/step-1.safetensors", smallSafetensors());
    folder.write("out/runs/host/events.out.tfevents.1.host", "x");
    folder.write("checkpoints/a/step-1.safetensors", smallSafetensors());
    folder.write("checkpoints/b/step-1.safetensors", smallSafetensors());
    folder.write("logs/a/metrics.csv", "step,loss\n1,0.5\n");
    folder.write("b/metrics.csv", "step,loss\n1,0.5\n");
    folder.write("bare/net.safetensors", smallSafetensors());
    folder.write("bare/other/metrics.csv", "step,loss\n1,0.5\n");
    std::vector<std::string> ids;
    for (const ScannedRun& run : scanned(folder).runs) {
        ids.push_back(run.id);
    }
    EXPECT_EQ(ids, (std::vector<std::string>{"bare", "bare/other", "checkpoints/a", "checkpoints/b",
                                             "out"}));
    const auto of = [&](const std::string& run) {
        const auto history = readHistory(folder.path() / run, folder.path());
        return history ? history->series.size() : 99;
    };
    EXPECT_EQ(of("checkpoints/a"), 1U);
    EXPECT_EQ(of("checkpoints/b"), 1U);
    EXPECT_EQ(of("bare"), 0U);
    EXPECT_EQ(of("bare/other"), 1U);
}

} // namespace
} // namespace cairn
