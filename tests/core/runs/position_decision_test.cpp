// SPDX-License-Identifier: Apache-2.0
// Which step and epoch a checkpoint has: recorded values before names, and no number that counts
// something else.
#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/facts/position_decision.h"
#include "core/runs/rank/ranking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <random>

namespace cairn {
namespace {

CheckpointFacts facts(std::optional<std::int64_t> step, std::optional<double> epoch = {},
                      std::optional<double> updates = {}) {
    CheckpointFacts all;
    all.format = "torch";
    all.step = step;
    all.epoch = epoch;
    if (updates) {
        all.metrics = {{"optimizer step", *updates}};
    }
    return all;
}

ScannedCheckpoint listedAs(const std::string& name) {
    ScannedCheckpoint each;
    each.name = name;
    each.path = "/run/" + name;
    each.named = positionFromName(name);
    decidePosition(each, {});
    return each;
}

ScannedCheckpoint examined(const std::string& name, const CheckpointFacts& all) {
    ScannedCheckpoint each = listedAs(name);
    applyFacts(each, all, 0);
    return each;
}

bool hasRule(const std::vector<Evidence>& all, std::string_view id) {
    return std::ranges::find(all, id, &Evidence::id) != all.end();
}

TEST(PositionDecision, WhatIsRecordedBeatsTheName) {
    const ScannedCheckpoint each = examined("step_300.pt", facts(200, 2));
    EXPECT_EQ(each.step, 200);
    EXPECT_EQ(stepFromName(each), "values");
    EXPECT_TRUE(hasRule(each.because, "step-in-values"));
    EXPECT_TRUE(hasRule(each.against, "step-in-name"));
    const ScannedCheckpoint proven = examined("a.pt", facts(200, {}, 200));
    EXPECT_EQ(proven.because.front().strength, Strength::Proven);
    EXPECT_EQ(examined("step_200.pt", facts(100, {}, 200)).step, 100)
        << "the optimizer's count does not make a name stronger";
}

TEST(PositionDecision, LessEvidenceIsNeverAnotherStep) {
    EXPECT_EQ(examined("step_300.pt", facts({})).step, 300);
    EXPECT_EQ(stepFromName(examined("step_300.pt", facts({}))), "name");
    EXPECT_EQ(stepFromName(examined("a.pt", facts({}))), "time");
    const ScannedCheckpoint updates = examined("a.pt", facts({}, {}, 40));
    EXPECT_FALSE(updates.step) << "the optimizer's count alone";
    EXPECT_EQ(updates.updates, 40);
    CheckpointFacts planned = facts(1000);
    planned.vagueStep = true;
    EXPECT_EQ(examined("step_300.pt", planned).step, 300);
    EXPECT_EQ(examined("a.pt", planned).step, 1000);
}

TEST(PositionDecision, NumbersOfSavesAreNotSteps) {
    ScannedRun run{"run", "run", "/run", {}};
    for (const int number : {10, 2, 3, 4}) { // natural order only by the number
        run.checkpoints.push_back(
            examined("checkpoint_" + std::to_string(number), facts({}, {}, 10.0 * (number + 1))));
    }
    settleRun(run);
    for (const ScannedCheckpoint& each : run.checkpoints) {
        EXPECT_FALSE(each.step) << each.name;
        EXPECT_TRUE(hasRule(each.against, "optimizer-count"));
        EXPECT_TRUE(hasRule(each.against, "step-in-name"));
    }
    EXPECT_EQ(run.checkpoints.back().name, "checkpoint_10") << "still an order";
    EXPECT_TRUE(run.checkpoints.back().latest);
    settleRun(run); // can be repeated
    EXPECT_EQ(run.checkpoints.back().against.size(), 2U);

    ScannedRun steps{"run", "run", "/run", {}};
    for (const int step : {99, 199}) { // counted from 0; the second with a new optimizer
        steps.checkpoints.push_back(
            examined("ckpt_" + std::to_string(step), facts({}, {}, step == 99 ? 100.0 : 50.0)));
    }
    settleRun(steps);
    EXPECT_EQ(steps.checkpoints[0].step, 99);
    EXPECT_EQ(steps.checkpoints[1].step, 199);
}

TEST(PositionDecision, NumbersOfEpochsAreNotSteps) {
    ScannedRun run{"run", "run", "/run", {}};
    for (const int epoch : {16, 17}) {
        run.checkpoints.push_back(
            examined("checkpoint-" + std::to_string(epoch) + ".pth.tar", facts({}, epoch)));
    }
    settleRun(run);
    EXPECT_FALSE(run.checkpoints[1].step);
    EXPECT_EQ(run.checkpoints[1].epoch, 17);
    ScannedRun steps{"run", "run", "/run", {}};
    for (const int step : {1, 500, 1000}) {
        steps.checkpoints.push_back(
            examined("ckpt_" + std::to_string(step) + ".pt", facts({}, step / 400)));
    }
    settleRun(steps);
    EXPECT_EQ(steps.checkpoints[0].step, 1) << "the others show that it is not the epoch";
}

TEST(PositionDecision, EachPieceLessIsWeakerOrNone) {
    // Four pieces that state step 300, epoch 3: values, the optimizer's count, and the name.
    for (unsigned bits = 0; bits < 16; ++bits) {
        const bool step = (bits & 1U) != 0;
        const bool epoch = (bits & 2U) != 0;
        const bool count = (bits & 4U) != 0;
        const bool name = (bits & 8U) != 0;
        const ScannedCheckpoint each =
            examined(name ? "epoch=3-step=300.ckpt" : "a.ckpt",
                     facts(step ? std::optional<std::int64_t>(300) : std::nullopt,
                           epoch ? std::optional(3.0) : std::nullopt,
                           count ? std::optional(300.0) : std::nullopt));
        EXPECT_EQ(each.step.has_value(), step || name) << bits;
        EXPECT_EQ(each.step.value_or(300), 300) << bits;
        EXPECT_EQ(each.epoch.has_value(), epoch || name) << bits;
        EXPECT_EQ(each.epoch.value_or(3), 3) << bits;
        EXPECT_EQ(hasRule(each.because, "step-equals-updates"), step && count) << bits;
        EXPECT_TRUE(each.against.empty()) << bits;
    }
}

TEST(PositionDecision, NamesHaveNoInfluenceOnWhatIsRecorded) {
    std::mt19937 random(23);
    const char* const words[] = {"step_", "epoch=", "iter-", "checkpoint-", "x", "model.", "2024-"};
    for (int round = 0; round < 500; ++round) {
        const std::string name = words[random() % 7] + std::to_string(random() % 5000) + "-" +
                                 words[random() % 7] + std::to_string(random() % 100) + ".pt";
        const ScannedCheckpoint each = examined(name, facts(200, 2, 200.0));
        EXPECT_EQ(each.step, 200) << name;
        EXPECT_EQ(each.epoch, 2.0) << name;
        EXPECT_EQ(each.because.front().strength, Strength::Proven) << name;
    }
}

TEST(PositionDecision, WhatContradictsItIsShown) {
    const ScannedCheckpoint each = examined("epoch=4-step=400.ckpt", facts(200, 2, 200.0));
    EXPECT_EQ(each.step, 200);
    EXPECT_EQ(each.epoch, 2.0);
    EXPECT_TRUE(hasRule(each.against, "step-in-name"));
    EXPECT_TRUE(hasRule(each.against, "epoch-in-name"));
    const ScannedCheckpoint count = examined("step=400.ckpt", facts(400, {}, 200.0));
    EXPECT_EQ(count.step, 400) << "several optimizers, or skipped steps";
    EXPECT_EQ(count.because.front().strength, Strength::Recorded) << "not proven";
}

TEST(PositionDecision, Neighbours) {
    std::mt19937 random(11);
    int wrong = 0;
    int decided = 0;
    int undecided = 0;
    const auto pick = [&](int count) {
        return static_cast<int>(random() % static_cast<unsigned>(count));
    };
    const char* const words[] = {"checkpoint_", "ckpt-", "model_", "step_", "iter-", "save"};
    for (int round = 0; round < 2000; ++round) {
        const int unit = pick(3); // the names count steps, saves or epochs
        const int every = 2 + pick(500);
        const int word = unit == 0 ? pick(6) : pick(3);
        const int records = pick(4); // step, epoch, optimizer's count only, step and optimizer
        const int accumulated = 1 + pick(3);
        ScannedRun run{"run", "run", "/run", {}};
        std::vector<std::int64_t> truth;
        const int saves = 2 + pick(6);
        for (int i = 0; i < saves; ++i) {
            const std::int64_t step = std::int64_t{every} * (i + 1);
            const std::int64_t number = unit == 0 ? step : i;
            const bool hasStep = records == 0 || records == 3;
            const bool hasCount = records >= 2 || unit == 1;
            const bool hasEpoch = records == 1 || unit == 2;
            run.checkpoints.push_back(examined(
                words[word] + std::to_string(number) + ".pt",
                facts(hasStep ? std::optional(step) : std::nullopt,
                      hasEpoch ? std::optional<double>(i) : std::nullopt,
                      hasCount
                          ? std::optional(static_cast<double>(step / (unit == 0 ? accumulated : 1)))
                          : std::nullopt)));
            run.checkpoints.back().linkTo = {};
            run.checkpoints.back().modifiedNs = step;
            truth.push_back(step);
        }
        settleRun(run);
        for (std::size_t i = 0; i < truth.size(); ++i) {
            const auto& step = run.checkpoints[i].step;
            wrong += step && *step != truth[i] ? 1 : 0;
            decided += step ? 1 : 0;
            undecided += step ? 0 : 1;
        }
    }
    std::cout << "positions: " << decided << " decided, " << wrong << " wrong, " << undecided
              << " undecided\n";
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(decided, undecided);
}

} // namespace
} // namespace cairn
