// SPDX-License-Identifier: Apache-2.0
// Nothing but a certainly superseded, complete checkpoint of the run may go.
#include "core/runs/rank/metric_decision.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/retention/name_series.h"
#include "core/runs/retention/references.h"
#include "core/runs/retention/retention.h"
#include "core/runs/retention/series_order.h"
#include "core/runs/scan/experiment_scan.h"
#include "tests/core/runs/run_folder.h"
#include "tests/support/judged_run.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <unistd.h>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;
using test::settledEvidence;
using test::smallSafetensors;
using test::TemporaryFolder;

ScannedCheckpoint saved(const std::string& name, std::int64_t step) {
    ScannedCheckpoint each;
    each.name = name;
    each.path = "/run/" + name;
    each.step = step;
    each.bytes = 100;
    each.examined = each.opened = each.resumable = true;
    each.state = CheckpointState::Complete;
    return each;
}

ScannedRun runOf(const std::vector<int>& steps) {
    ScannedRun run{"run", "run", "/run", {}};
    for (const int step : steps) {
        run.checkpoints.push_back(saved("ckpt_" + std::to_string(step) + ".pt", step));
    }
    settleRun(run);
    return run;
}

template <class Entries> Names namesOf(const Entries& entries) {
    Names names;
    for (const auto& each : entries) {
        names.push_back(each.path.filename().string());
    }
    return names;
}

Names removedOf(const ScannedRun& run, const RetentionEvidence& evidence,
                RetentionRules rules = {.keepLast = 1}) {
    const auto plan = planRetention(run, rules, evidence);
    EXPECT_TRUE(plan);
    const std::size_t all = plan->keep.size() + plan->remove.size() + plan->refused.size();
    EXPECT_EQ(all, run.checkpoints.size());
    return namesOf(plan->remove);
}

std::string whyRefused(const ScannedRun& run, const RetentionEvidence& evidence,
                       const std::string& name) {
    const auto plan = planRetention(run, {.keepLast = 1}, evidence);
    for (const auto& each : plan->refused) {
        if (each.path.filename() == name) {
            return each.why.text();
        }
    }
    return {};
}

TEST(NameSeries, KeepsWhatTellsModelsApart) {
    const auto series = [](std::string_view name, std::optional<std::int64_t> step = {}) {
        return seriesOfName(name, step, {});
    };
    EXPECT_EQ(series("ckpt_100.pt"), "ckpt_#.pt");
    EXPECT_EQ(series("global_step20"), "global_step#");
    EXPECT_EQ(series("epoch=3-step=128.ckpt"), "epoch=#-step=#.ckpt");
    EXPECT_EQ(series("fold_2_epoch_07-val_loss=0.15.ckpt"), "fold_2_epoch_#-val_loss=#.#.ckpt");
    EXPECT_EQ(series("epoch=1-elbo=-12.5.ckpt"), "epoch=#-elbo=#.#.ckpt");
    EXPECT_EQ(series("model.01-1.3240.keras"), "model.#-#.#.keras");
    EXPECT_EQ(series("model_1_100.pt", 100), "model_1_#.pt");
    EXPECT_EQ(series("model_1_100.pt"), "") << "either may be the position";
    EXPECT_EQ(series("generator_300.pt", 300), "generator_#.pt");
    EXPECT_EQ(series("generator_300.pt"), "");
    EXPECT_EQ(series("best.pt", 300), "");
    EXPECT_EQ(series("1000"), "#");
    EXPECT_EQ(series("CKPT+2024-05-01+12-00-00+00", 7), "CKPT+#-#-#+#-#-#+#");
}

TEST(SeriesOrder, FindsEveryDisagreement) {
    const auto kinds = [](std::vector<SeriesMember> members) {
        std::string text;
        for (const auto& each : seriesConflicts(members)) {
            text += each ? std::to_string(static_cast<int>(each->kind)) : "-";
        }
        return text;
    };
    EXPECT_EQ(kinds({{0, 1, 1, 10, 10}, {1, 2, 2, 20, 20}, {2, 3, 3, 30, 30}}), "---");
    EXPECT_EQ(kinds({{0, 1, 1, 10, 20}, {1, 2, 2, 15, 15}}), "--")
        << "they overlap: a file was added later";
    EXPECT_EQ(
        kinds(
            {{0, 500, 5, 10, 10}, {1, 1000, 10, 20, 20}, {2, 600, 6, 30, 30}, {3, 700, 7, 40, 40}}),
        "-211");
    EXPECT_EQ(kinds({{0, 1, 1, 10, 10}, {1, 1, 1, 20, 20}}), "00");
    EXPECT_EQ(kinds({{0, 1, 9, 10, 10}, {1, 2, 2, 20, 20}}), "33");
    EXPECT_EQ(kinds({{0, 1, 1, 99, 99, false}, {1, 2, 2, 20, 20}}), "--");
}

TEST(Retention, RemovesWhatALaterOneSupersedes) {
    const ScannedRun run = runOf({100, 200, 300});
    const auto plan = planRetention(run, {.keepLast = 1}, settledEvidence(run));
    ASSERT_TRUE(plan);
    EXPECT_EQ(namesOf(plan->remove), (Names{"ckpt_100.pt", "ckpt_200.pt"}));
    EXPECT_EQ(plan->remove[0].why.text(), "superseded by ckpt_300.pt");
    EXPECT_EQ(plan->freedBytes, 200U);
    EXPECT_FALSE(planRetention(run, {}, settledEvidence(run)));
    EXPECT_TRUE(removedOf(run, {}).empty()) << "without evidence nothing is certain";
}

TEST(Retention, FreesAFileWhenItsLastNameGoes) {
    const ScannedRun run = runOf({100, 200, 300, 400});
    RetentionEvidence evidence = settledEvidence(run);
    auto& files = evidence.files;
    std::uint64_t inode = 10;
    for (auto& [path, saved] : files) {
        saved.rows[0].identity.inode = ++inode; // 11 to 14, in the order of their names
    }
    files["/run/ckpt_200.pt"].rows[0].identity.inode = 11; // names of one file
    evidence.names[{1, 11}] = 2;
    evidence.names[{1, 13}] = 2; // the other one is elsewhere
    const auto plan = planRetention(run, {.keepLast = 1}, evidence);
    ASSERT_TRUE(plan);
    ASSERT_EQ(plan->remove.size(), 3U);
    EXPECT_EQ(plan->remove[0].frees, 0U);
    EXPECT_EQ(plan->remove[1].frees, 100U);
    EXPECT_EQ(plan->remove[2].frees, 0U);
    EXPECT_EQ(plan->freedBytes, 100U);
    EXPECT_EQ(plan->remove[1].loses.text(), "resuming from here");
    EXPECT_EQ(plan->remove[2].loses.text(), "nothing: its files have other names, which stay");
}

TEST(Retention, ForeignFilesAreNotOfTheRun) {
    ScannedRun run = runOf({100, 200, 300});
    for (const auto& [name, step] :
         std::vector<std::pair<std::string, int>>{{"base_model_512.pt", 512},
                                                  {"eval_step_5000_preds.pt", 5000},
                                                  {"pretrained_model_1000.pt", 1000}}) {
        run.checkpoints.push_back(saved(name, step));
    }
    settleRun(run);
    EXPECT_EQ(removedOf(run, settledEvidence(run)), (Names{"ckpt_100.pt", "ckpt_200.pt"}));
    EXPECT_FALSE(whyRefused(run, settledEvidence(run), "eval_step_5000_preds.pt").empty());
}

TEST(Retention, TwoModelsAreTwoRuns) {
    ScannedRun run = runOf({100, 200, 300});
    for (const int step : {50, 150, 1000}) {
        run.checkpoints.push_back(saved("other_step_" + std::to_string(step) + ".pt", step));
    }
    settleRun(run);
    EXPECT_EQ(removedOf(run, settledEvidence(run)),
              (Names{"other_step_50.pt", "ckpt_100.pt", "other_step_150.pt", "ckpt_200.pt"}));
}

TEST(Retention, OnlyWhatIsCompleteSupersedes) {
    for (const CheckpointState state : {CheckpointState::Unknown, CheckpointState::Incomplete,
                                        CheckpointState::BeingWritten, CheckpointState::Damaged}) {
        ScannedRun run = runOf({100, 200, 300});
        run.checkpoints[2].state = state;
        EXPECT_EQ(removedOf(run, settledEvidence(run)), Names{"ckpt_100.pt"}) << stateName(state);
        run.checkpoints[0].state = state;
        EXPECT_TRUE(removedOf(run, settledEvidence(run)).empty()) << stateName(state);
    }
    ScannedRun run = runOf({100, 200, 300});
    run.checkpoints[2].reason = "A tensor is beyond the end of its file";
    EXPECT_EQ(removedOf(run, settledEvidence(run)), Names{"ckpt_100.pt"});
}

TEST(Retention, WhatChangedLatelyStaysAndReplacesNothing) {
    const ScannedRun run = runOf({100, 200, 300});
    for (const std::int64_t age : {1, 500, -3600}) { // the last one from a clock that is ahead
        RetentionEvidence evidence = settledEvidence(run);
        evidence.files["/run/ckpt_300.pt"].rows[0].identity.mtimeNs =
            evidence.nowNs - age * 1'000'000'000;
        EXPECT_EQ(removedOf(run, evidence), Names{"ckpt_100.pt"}) << age;
        evidence.files["/run/ckpt_100.pt"].rows[0].identity.mtimeNs =
            evidence.nowNs - age * 1'000'000'000;
        EXPECT_TRUE(removedOf(run, evidence).empty()) << age;
        EXPECT_FALSE(whyRefused(run, evidence, "ckpt_100.pt").empty()) << age;
    }
}

TEST(Retention, TheNewestThatCanBeResumedStays) {
    ScannedRun run = runOf({100, 200, 300, 400});
    run.checkpoints[2].resumable = run.checkpoints[3].resumable = false;
    const auto plan = planRetention(run, {.keepLast = 1}, settledEvidence(run));
    EXPECT_EQ(namesOf(plan->keep), (Names{"ckpt_200.pt", "ckpt_400.pt"}));
    EXPECT_EQ(plan->keep[0].why.text(), "newest from which training can continue");
}

TEST(Retention, ARunThatWentBackIsShownNotDecided) {
    const ScannedRun run = runOf({500, 600, 700, 1000});
    RetentionEvidence evidence = settledEvidence(run);
    std::int64_t time = 0;
    for (const char* name : {"500", "1000", "600", "700"}) {
        evidence.files[std::string("/run/ckpt_") + name + ".pt"].rows[0].identity.mtimeNs =
            ++time * 1'000'000'000;
    }
    EXPECT_EQ(removedOf(run, evidence), Names{"ckpt_500.pt"});
    EXPECT_EQ(whyRefused(run, evidence, "ckpt_600.pt"),
              "the run went back: ckpt_1000.pt is at a later position, but was saved earlier");
}

TEST(Retention, WhatSupersedesHoldsTheSameKindsOfFiles) {
    const ScannedRun run = runOf({100, 200});
    RetentionEvidence evidence = settledEvidence(run);
    const auto fill = [&](const char* path, const Names& names, std::int64_t time) {
        auto& rows = evidence.files[path].rows;
        rows = {{"", EntryKind::Folder, {1, 1, 0, time, 0}}};
        for (const std::string& name : names) {
            rows.push_back({name, EntryKind::File, {1, rows.size() + 1, 10, time, 0}});
        }
    };
    fill("/run/ckpt_100.pt", {"rank_0.pt", "rank_1.pt", "rank_2.pt", "rank_3.pt"}, 1);
    fill("/run/ckpt_200.pt", {"rank_0.pt", "rank_1.pt", "rank_2.pt"}, 2);
    EXPECT_EQ(whyRefused(run, evidence, "ckpt_100.pt"),
              "it contains 4 files like rank_#.pt, and ckpt_200.pt 3");
    fill("/run/ckpt_200.pt", {"rank_0.pt", "rank_1.pt", "rank_2.pt", "rank_3.pt"}, 2);
    EXPECT_EQ(removedOf(run, evidence), Names{"ckpt_100.pt"});
    fill("/run/ckpt_100.pt", {"rank_0.pt", "notes.md"}, 1);
    EXPECT_EQ(whyRefused(run, evidence, "ckpt_100.pt"),
              "it contains notes.md, which ckpt_200.pt does not");
}

TEST(Retention, AnUnverifiedExportAndAPointerKeep) {
    ScannedRun run = runOf({100, 200, 300});
    run.checkpoints[0].exports.push_back({"/out.safetensors", false});
    run.checkpoints[1].pointedBy = {"../best"};
    EXPECT_TRUE(removedOf(run, settledEvidence(run)).empty());
    run.checkpoints[0].exports[0].verified = true;
    EXPECT_EQ(removedOf(run, settledEvidence(run)), Names{"ckpt_100.pt"});
}

/// The run is deep enough that nothing beside the temporary folder is near it.
Names referencesTo(const TemporaryFolder& folder, const std::string& name) {
    auto experiment = scanExperiment(folder.path() / "near/out/run");
    EXPECT_TRUE(experiment);
    EXPECT_EQ(experiment->runs.size(), 1U);
    EXPECT_TRUE(markReferences(experiment->runs[0]));
    const ScannedCheckpoint* each = test::findCheckpoint(experiment->runs[0], name);
    EXPECT_NE(each, nullptr);
    return each != nullptr ? each->pointedBy : Names();
}

TEST(References, OfLinksAndTextsFromEverywhereNear) {
    const std::vector<std::function<void(const TemporaryFolder&)>> makers = {
        [](const auto& folder) { folder.write("near/out/run/latest", "step-1.safetensors\n"); },
        [](const auto& folder) { folder.write("near/out/run/best", "step-1"); },
        [](const auto& folder) {
            folder.write("near/out/run/best_checkpoint.json",
                         R"({"path": "x/step-1.safetensors", "loss": 1})");
        },
        [](const auto& folder) {
            folder.write("near/out/run/latest_checkpointed_iteration.txt", "1");
        },
        [](const auto& folder) {
            folder.write("near/out/run/start_from", "/elsewhere/run/step-1.safetensors");
        },
        [](const auto& folder) { folder.write("near/out/latest", "run/step-1.safetensors"); },
        [](const auto& folder) { folder.write("near/out/last.txt", "step-1"); },
        [](const auto& folder) { folder.write("near/best_step.txt", "1\n"); },
        [](const auto& folder) {
            folder.link("near/out/run/best.safetensors", "step-1.safetensors");
        },
        [](const auto& folder) { folder.link("near/out/best", "run/step-1.safetensors"); },
        [](const auto& folder) {
            folder.link("near/out/models/a/chosen", "../../run/step-1.safetensors");
        },
        [](const auto& folder) { folder.link("near/deployed", "out/run/step-1.safetensors"); },
        [](const auto& folder) {
            folder.write("near/out/run/lora/adapter_config.json",
                         R"({"base_model_name_or_path": "out/run/step-1.safetensors"})");
        },
    };
    for (std::size_t i = 0; i < makers.size(); ++i) {
        const TemporaryFolder folder;
        for (const char* name : {"step-1", "step-2", "step-3"}) {
            folder.write("near/out/run/" + std::string(name) + ".safetensors", smallSafetensors());
        }
        EXPECT_TRUE(referencesTo(folder, "step-1.safetensors").empty()) << i;
        makers[i](folder);
        EXPECT_EQ(referencesTo(folder, "step-1.safetensors").size(), 1U) << i;
        EXPECT_TRUE(referencesTo(folder, "step-2.safetensors").empty()) << i;
    }
}

TEST(References, LogsAndSettingsSingleOutNothing) {
    const TemporaryFolder folder;
    folder.write("near/out/run/step-1.safetensors", smallSafetensors());
    folder.write("near/out/run/train.log", "saved step-1.safetensors\nsaved step-2.safetensors\n");
    folder.write("near/out/run/checkpoint",
                 "model_checkpoint_path: \"step-9\"\nall_model_checkpoint_paths: \"step-1\"\n");
    folder.write("near/out/run/seed.txt", "1");
    EXPECT_TRUE(referencesTo(folder, "step-1.safetensors").empty());
}

TEST(References, KeysThatNameACheckpointInSettings) {
    for (const char* text : {"other: 3\nbest: step-1.safetensors\n",
                             R"({"lr": 1, "resume_from_checkpoint": "run/step-1"})",
                             "seed = 1\nlast_checkpoint = \"step-1.safetensors\"\n"}) {
        const TemporaryFolder folder;
        folder.write("near/out/run/step-1.safetensors", smallSafetensors());
        folder.write("near/out/run/settings.yaml", text);
        EXPECT_EQ(referencesTo(folder, "step-1.safetensors").size(), 1U) << text;
    }
    const TemporaryFolder folder;
    folder.write("near/out/run/step-1.safetensors", smallSafetensors());
    folder.write("near/out/run/settings.yaml",
                 "init: step-1\nbest: 1\nnote: step-1.safetensors was worse\n");
    folder.write("near/out/run/out.txt", "best: step-1\nbest: step-2\n");
    EXPECT_TRUE(referencesTo(folder, "step-1.safetensors").empty());
}

TEST(References, TextsAboveTheRunAreNoPointersUnlessTheyListNames) {
    const TemporaryFolder folder;
    folder.write("near/out/run/step-1.safetensors", smallSafetensors());
    folder.write("near/out/keep_in_mind.txt", "The loss of step-1.safetensors was high.\n");
    folder.write("near/best.txt", "1\n");
    folder.write("near/out/keep.json", R"({"rank": 1, "seed": 1, "lr": 1})");
    EXPECT_TRUE(referencesTo(folder, "step-1.safetensors").empty());
    folder.write("near/out/keep.yaml", "best: run/step-1.safetensors\nlast: run/step-9\n");
    EXPECT_EQ(referencesTo(folder, "step-1.safetensors").size(), 1U);
}

/// Five checkpoints whose lowest score is that of the second.
ScannedRun judgedRun(Strength direction) {
    ScannedRun run = runOf({100, 200, 300, 400, 500});
    const std::vector<double> scores{3, 1, 1, 2, 4};
    for (std::size_t i = 0; i < scores.size(); ++i) {
        run.checkpoints[i].score = scores[i];
    }
    test::judgeBy(run, "eval_loss", names::Direction::Smaller, direction);
    settleRun(run);
    return run;
}

TEST(Retention, AnAssumedDirectionRemovesNothing) {
    const RetentionRules rules{.keepLast = 1, .keepBest = 1};
    ScannedRun run = judgedRun(Strength::Named);
    EXPECT_EQ(removedOf(run, settledEvidence(run), rules), Names{});
    EXPECT_EQ(removedOf(run, settledEvidence(run)).size(), 3U) << "the best is not asked for";
    run = judgedRun(Strength::Recorded);
    EXPECT_EQ(removedOf(run, settledEvidence(run), rules),
              (Names{"ckpt_100.pt", "ckpt_300.pt", "ckpt_400.pt"}))
        << "of equal scores the earliest is kept, which is also shown as the best";
    EXPECT_TRUE(run.checkpoints[1].best);
    run = judgedRun(Strength::Named);
    run.checkpoints[4].record = BestRecord{"ckpt_400.pt", "", {}};
    settleRun(run);
    EXPECT_EQ(removedOf(run, settledEvidence(run), rules), (Names{"ckpt_100.pt", "ckpt_300.pt"}))
        << "the trainer recorded which one it is";
    EXPECT_EQ(removedOf(run, settledEvidence(run), {.keepLast = 1, .keepBest = 2}), Names{});
}

TEST(Retention, LogsThatWereNotReadCompletelyRemoveNothing) {
    const ScannedRun run = judgedRun(Strength::Recorded);
    RetentionEvidence evidence = settledEvidence(run);
    evidence.bestDoubt = "a limit";
    EXPECT_EQ(removedOf(run, evidence, {.keepLast = 1, .keepBest = 1}), Names{});
    EXPECT_EQ(removedOf(run, evidence).size(), 3U);
}

TEST(Retention, ValuesThatNoRowConfirmsRemoveNothing) {
    ScannedRun run = judgedRun(Strength::Recorded);
    RetentionEvidence evidence = settledEvidence(run);
    evidence.heldDoubt = "undecided rows";
    const RetentionRules rules{.keepLast = 1, .keepBest = 1};
    const auto plan = planRetention(run, rules, evidence);
    ASSERT_TRUE(plan);
    EXPECT_TRUE(plan->remove.empty());
    EXPECT_FALSE(plan->waitsForDirection) << "no direction would help";
    EXPECT_EQ(removedOf(run, evidence).size(), 3U) << "the best is not asked for";
    run.checkpoints[4].record = BestRecord{"ckpt_400.pt", "", {}};
    settleRun(run);
    EXPECT_EQ(removedOf(run, evidence, rules).size(), 2U) << "the trainer named it";
    EXPECT_EQ(removedOf(run, evidence, {.keepLast = 1, .keepBest = 2}), Names{});
    run.headline = decide<std::string>(
        {{"eval_loss", {Strength::Recorded, kMetricOfUser, "as requested", {}}}});
    EXPECT_EQ(removedOf(run, evidence, rules), Names{})
        << "by the user's metric, not the trainer's";
}

TEST(Retention, AMeasuredCheckpointWithoutAScoreIsRefused) {
    ScannedRun run = judgedRun(Strength::Recorded);
    run.checkpoints[0].metrics = {{"eval_loss", 0.5}};
    run.checkpoints[0].score.reset();
    run.checkpoints[2].score.reset(); // never measured
    settleRun(run);
    const RetentionRules rules{.keepLast = 1, .keepBest = 1};
    EXPECT_EQ(removedOf(run, settledEvidence(run), rules), (Names{"ckpt_300.pt", "ckpt_400.pt"}));
    run.checkpoints[0].metrics = {{"accuracy", 0.5}};
    EXPECT_EQ(removedOf(run, settledEvidence(run), rules).size(), 3U) << "of another metric";
}

TEST(Retention, StepsAndEpochsThatDisagreeAreRefused) {
    ScannedRun run = runOf({100, 1800, 2000});
    run.checkpoints[0].epoch = 3;
    run.checkpoints[1].epoch = 2;
    run.checkpoints[2].epoch = 4;
    const auto evidence = settledEvidence(run);
    EXPECT_EQ(removedOf(run, evidence), Names{});
    EXPECT_NE(whyRefused(run, evidence, "ckpt_100.pt").find("epoch"), std::string::npos);
    run.checkpoints[0].epoch = 1;
    EXPECT_EQ(removedOf(run, evidence), (Names{"ckpt_100.pt", "ckpt_1800.pt"}));
}

TEST(Retention, AFileThatIsOpenForWritingIsRefused) {
    const TemporaryFolder folder;
    for (const std::string name : {"ckpt_1", "ckpt_2", "ckpt_3"}) {
        folder.write("run/" + name + ".safetensors", smallSafetensors());
    }
    ScannedRun run = runOf({1, 2, 3});
    run.path = folder.path() / "run";
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.path = folder.path() / "run" / (fs::path(each.name).stem().string() + ".safetensors");
    }
    const auto planned = [&] {
        RetentionEvidence evidence = collectEvidence(run);
        evidence.nowNs += 7'200'000'000'000;
        return removedOf(run, evidence).size();
    };
    EXPECT_EQ(planned(), 2U);
    {
        const std::ofstream writer(run.checkpoints[0].path, std::ios::app);
        EXPECT_EQ(planned(), 1U);
    }
    {
        const std::ifstream reader(run.checkpoints[0].path);
        EXPECT_EQ(planned(), 2U);
    }
}

/// Another process that maps a file and has closed it, until it is destroyed.
class MappingProcess {
public:
    MappingProcess(const fs::path& path, int protection, int flags) {
        EXPECT_EQ(::pipe(m_ready.data()), 0);
        m_child = ::fork();
        if (m_child != 0) {
            char done = 0;
            EXPECT_EQ(::read(m_ready[0], &done, 1), 1);
            return;
        }
        const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
        void* mapped = ::mmap(nullptr, 64, protection, flags, file, 0);
        ::close(file);
        (void)!::write(m_ready[1], mapped == MAP_FAILED ? "!" : ".", 1);
        ::pause();
        ::_exit(0);
    }
    MappingProcess(const MappingProcess&) = delete;
    MappingProcess& operator=(const MappingProcess&) = delete;
    ~MappingProcess() {
        ::kill(m_child, SIGKILL);
        ::waitpid(m_child, nullptr, 0);
        ::close(m_ready[0]);
        ::close(m_ready[1]);
    }

private:
    std::array<int, 2> m_ready{};
    pid_t m_child = -1;
};

TEST(Retention, AFileThatAnotherProcessMapsForWritingIsRefused) {
    const TemporaryFolder folder;
    for (const std::string name : {"ckpt_1", "ckpt_2", "ckpt_3"}) {
        folder.write("run/" + name + ".safetensors", smallSafetensors());
    }
    ScannedRun run = runOf({1, 2, 3});
    run.path = folder.path() / "run";
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.path = folder.path() / "run" / (fs::path(each.name).stem().string() + ".safetensors");
    }
    const auto planned = [&] {
        RetentionEvidence evidence = collectEvidence(run);
        evidence.nowNs += 7'200'000'000'000;
        return removedOf(run, evidence).size();
    };
    EXPECT_EQ(planned(), 2U);
    {
        const MappingProcess writer(run.checkpoints[0].path, PROT_READ | PROT_WRITE, MAP_SHARED);
        EXPECT_EQ(planned(), 1U);
    }
    {
        const MappingProcess reader(run.checkpoints[0].path, PROT_READ, MAP_SHARED);
        EXPECT_EQ(planned(), 2U);
    }
    {
        const MappingProcess own(run.checkpoints[0].path, PROT_READ | PROT_WRITE, MAP_PRIVATE);
        EXPECT_EQ(planned(), 2U);
    }
}

TEST(Retention, ExportsAreNeitherCountedNorRemoved) {
    ScannedRun run = runOf({40, 80, 120});
    for (const int step : {40, 80, 120}) {
        ScannedCheckpoint output = saved("x-" + std::to_string(step) + ".pt", step);
        output.isExport = true;
        output.exportOf.value = "ckpt_" + std::to_string(step) + ".pt";
        run.checkpoints.push_back(output);
    }
    settleRun(run);
    EXPECT_EQ(removedOf(run, settledEvidence(run)), (Names{"ckpt_40.pt", "ckpt_80.pt"}));
}

TEST(References, OfOtherRunsKeepNothing) {
    const TemporaryFolder folder;
    for (const std::string run : {"a", "b"}) {
        for (const int step : {1, 2}) {
            folder.write(run + "/epoch_" + std::to_string(step) + ".safetensors",
                         smallSafetensors());
        }
    }
    const auto pointedAt = [&] {
        ScannedRun run = *test::findRun(test::scanned(folder), "b");
        EXPECT_TRUE(markReferences(run));
        return run.checkpoints.front().pointedBy.size();
    };
    folder.write("a/last_checkpoint", (folder.path() / "a/epoch_1.safetensors").string());
    EXPECT_EQ(pointedAt(), 0U) << "a path of the other run";
    folder.write("a/last_checkpoint", "epoch_1.safetensors");
    EXPECT_EQ(pointedAt(), 0U) << "a name in the other run";
    folder.write("a/last_checkpoint", "../b/epoch_1.safetensors");
    EXPECT_EQ(pointedAt(), 1U);
    fs::remove(folder.path() / "a/last_checkpoint");
    for (const std::string path :
         {"/elsewhere/b/epoch_1.safetensors/", "C:\\exp\\epoch_1.safetensors"}) {
        folder.write("b/best_checkpoint", path);
        EXPECT_EQ(pointedAt(), 1U) << path;
    }
}

} // namespace
} // namespace cairn
