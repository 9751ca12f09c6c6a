// SPDX-License-Identifier: Apache-2.0
// The judge of the best checkpoint: renamed, with less evidence, with evidence that contradicts
// itself. Random runs: scores_test.cpp.
#include "core/runs/history/history.h"
#include "core/runs/rank/best_decision.h"
#include "core/runs/rank/ranking.h"
#include "tests/core/runs/series.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace cairn {
namespace {

/// Which evidence a run has. All of it is for step 300.
struct Available {
    bool record = true;
    bool link = true;
    bool goal = true;
    bool curve = true;
    bool held = true; ///< the checkpoints hold the metric's values
};

struct Made {
    ScannedRun run{"run", "run", "/run", {}};
    RunHistory history;
};

Made made(const Available& has) {
    Made all;
    for (const int step : {100, 200, 300, 400}) {
        ScannedCheckpoint each;
        each.name = "step-" + std::to_string(step);
        each.path = all.run.path / each.name;
        each.step = step;
        each.because = {{Strength::Recorded, "step-in-values", "in the values"}};
        each.state = CheckpointState::Complete;
        each.examined = each.opened = true;
        if (has.held) {
            each.metrics = {{"eval_loss", step == 300 ? 0.25 : 1.0}};
        }
        all.run.checkpoints.push_back(std::move(each));
    }
    if (has.record) {
        all.run.checkpoints.back().record = BestRecord{"step-300", "eval_loss", 0.25};
    }
    if (has.link) {
        ScannedCheckpoint link;
        link.name = "best";
        link.path = all.run.path / link.name;
        link.linkTo = "step-300";
        all.run.checkpoints.push_back(std::move(link));
    }
    if (has.curve) {
        all.history.sources.push_back({"csv", "/run/metrics.csv", 0, {}});
        all.history.series = {
            test::series("eval_loss", {100, 200, 300, 400}, {1.0, 1.0, 0.25, 1.0})};
    }
    if (has.goal) {
        all.history.goals = {{"eval_loss", names::Direction::Smaller, true, "/run/wandb"}};
    }
    return all;
}

Available fromBits(unsigned bits) {
    return {(bits & 1U) != 0, (bits & 2U) != 0, (bits & 4U) != 0, (bits & 8U) != 0,
            (bits & 16U) != 0};
}

TEST(BestDecision, LessEvidenceIsWeakerOrNoneNeverAnother) {
    for (unsigned bits = 0; bits < 32; ++bits) {
        const Available has = fromBits(bits);
        Made all = made(has);
        settleRun(all.run, all.history);
        const bool hasScores = has.curve || has.held;
        if (!has.record && !has.link && !hasScores) {
            EXPECT_FALSE(all.run.bestIs) << bits;
            continue;
        }
        ASSERT_EQ(all.run.bestIs.value, "step-300") << bits;
        EXPECT_TRUE(all.run.bestIs.isBy(has.record ? kBestInRecord
                                        : has.link ? kBestInName
                                                   : kBestByScore))
            << bits;
        EXPECT_EQ(all.run.bestIs.isAtLeast(Strength::Recorded), has.record || has.link || has.goal)
            << bits << ": without a record, a name or a goal the direction is assumed";
        EXPECT_TRUE(all.run.bestIs.against.empty()) << bits;
    }
}

/// Its folder comes before "step-": the first in the run.
TEST(BestDecision, AnExportOfTheSameNameHidesNothing) {
    for (const bool byRecord : {true, false}) {
        Made all = made({.record = byRecord, .link = !byRecord, .curve = false, .held = false});
        ScannedCheckpoint output = all.run.checkpoints[2];
        output.name = "bf16/step-300";
        output.path = all.run.path / output.name;
        output.isExport = true;
        output.exportOf.value = "step-300";
        all.run.checkpoints.insert(all.run.checkpoints.begin(), output);
        settleRun(all.run, all.history);
        EXPECT_EQ(all.run.bestIs.value, "step-300") << byRecord;
        if (!byRecord) {
            for (ScannedCheckpoint& each : all.run.checkpoints) {
                each.linkTo = each.isLink() ? output.name : "";
            }
            settleRun(all.run, all.history);
            EXPECT_FALSE(all.run.bestIs) << "a link to the export names no checkpoint";
        }
    }
}

TEST(BestDecision, ARecordedNameThatSeveralHaveNamesNone) {
    Made all = made({.link = false, .curve = false, .held = false});
    for (ScannedCheckpoint& each : all.run.checkpoints) {
        each.name += "/model.pt";
    }
    all.run.checkpoints[3].record->name = "model.pt";
    settleRun(all.run, all.history);
    EXPECT_FALSE(all.run.bestIs);
    all.run.checkpoints[2].name = "step-300/other.pt";
    all.run.checkpoints[3].record->name = "other.pt";
    settleRun(all.run, all.history);
    EXPECT_EQ(all.run.bestIs.value, "step-300/other.pt");
}

TEST(BestDecision, OneValueLessGivesNoOther) {
    // The best one's own score is taken away: the curve ends before it, its values are lost.
    Made all = made({.record = false, .link = false, .goal = true, .curve = false, .held = true});
    all.run.checkpoints[2].state = CheckpointState::Incomplete;
    settleRun(all.run, all.history);
    ASSERT_TRUE(all.run.bestIs);
    EXPECT_EQ(all.run.bestIs.value, "step-100") << "of those that can be opened";
    for (ScannedCheckpoint& each : all.run.checkpoints) {
        each.metrics.clear();
        settleRun(all.run, all.history);
    }
    EXPECT_FALSE(all.run.bestIs);
}

TEST(BestDecision, NamesHaveNoInfluenceOnTheRecordAndOnScores) {
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        const bool hasRecord = round % 2 == 0;
        Made all = made({.record = hasRecord, .link = false});
        for (std::size_t i = 0; i < all.run.checkpoints.size(); ++i) {
            ScannedCheckpoint& each = all.run.checkpoints[i];
            each.name = "epoch_" + std::to_string(random() % 50) + "-" + std::to_string(i) + ".pt";
        }
        const std::string expected = all.run.checkpoints[2].name;
        if (hasRecord) {
            all.run.checkpoints[3].record->name = expected;
        }
        settleRun(all.run, all.history);
        EXPECT_EQ(all.run.bestIs.value, expected);
        EXPECT_TRUE(all.run.bestIs.isBy(hasRecord ? kBestInRecord : kBestByScore));
    }
}

TEST(BestDecision, WhatContradictsItIsShown) {
    Made all = made({});
    all.run.checkpoints[3].record->name = "step-100";
    settleRun(all.run, all.history);
    EXPECT_EQ(all.run.bestIs.value, "step-100") << "the trainer's record is asked first";
    ASSERT_EQ(all.run.bestIs.against.size(), 2U);
    EXPECT_EQ(all.run.bestIs.against[0].id, kBestInName);
    EXPECT_EQ(all.run.bestIs.against[1].id, kBestByScore);

    Made names =
        made({.record = false, .link = true, .goal = false, .curve = false, .held = false});
    ScannedCheckpoint second = names.run.checkpoints.back();
    second.name = "best_acc";
    second.path = names.run.path / second.name;
    second.linkTo = "step-100";
    names.run.checkpoints.push_back(second);
    settleRun(names.run, names.history);
    EXPECT_FALSE(names.run.bestIs);
    EXPECT_EQ(names.run.bestIs.against.size(), 2U) << "both sides";
}

} // namespace
} // namespace cairn
