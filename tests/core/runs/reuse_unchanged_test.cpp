// SPDX-License-Identifier: Apache-2.0
// A second listing of a folder that somebody works in: what is kept, what is new, what is the same.
#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/rank/best_decision.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/scan/experiment_scan.h"
#include "core/runs/scan/reuse_unchanged.h"
#include "tests/core/runs/run_folder.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using test::findCheckpoint;
using test::scanned;
using test::smallSafetensors;
using test::TemporaryFolder;

Experiment examined(const TemporaryFolder& folder) {
    Experiment experiment = scanned(folder);
    for (ScannedRun& run : experiment.runs) {
        for (ScannedCheckpoint& each : run.checkpoints) {
            if (!each.isLink()) {
                applyFacts(each, *examineCheckpoint(each.path));
            }
        }
        settleRun(run);
    }
    return experiment;
}

/// A checkpoint whose step is only stored in its values.
void writeTrainer(const TemporaryFolder& folder, const std::string& name, int step) {
    folder.write(name + "/config.json", "{}");
    folder.write(name + "/model.safetensors", smallSafetensors());
    folder.write(name + "/trainer_state.json", R"({"global_step":)" + std::to_string(step) +
                                                   R"(,"best_model_checkpoint":"x/first"})");
}

TEST(KeepKnown, WhatWasFoundOutGoesOver) {
    const TemporaryFolder folder;
    writeTrainer(folder, "run/first", 900);
    writeTrainer(folder, "run/second", 100);
    const Experiment before = examined(folder);
    ASSERT_EQ(before.runs.size(), 1U);
    ASSERT_EQ(before.runs[0].checkpoints[0].name, "second");
    Experiment now = scanned(folder);
    EXPECT_FALSE(now.runs[0].checkpoints[0].step) << "names tell nothing here";
    reuseUnchanged(now, before);
    EXPECT_TRUE(sameListing(before, now));
    ASSERT_EQ(now.runs[0].checkpoints[0].name, "second");
    const ScannedCheckpoint& first = now.runs[0].checkpoints[1];
    EXPECT_EQ(first.step, 900);
    EXPECT_EQ(stepFromName(first), "values");
    EXPECT_EQ(first.state, before.runs[0].checkpoints[1].state);
    EXPECT_TRUE(first.examined);
    EXPECT_TRUE(first.latest);
    EXPECT_TRUE(first.best);
    EXPECT_TRUE(now.runs[0].bestIs.isBy(kBestInRecord));
}

TEST(KeepKnown, NewAndChangedOnesAreBeingWrittenUntilTheyWereLookedAt) {
    const TemporaryFolder folder;
    folder.write("run/step-1.safetensors", smallSafetensors());
    folder.write("run/step-2.safetensors", smallSafetensors());
    const Experiment before = examined(folder);
    folder.write("run/step-2.safetensors", smallSafetensors() + "more");
    folder.write("run/step-3.safetensors", smallSafetensors());
    Experiment now = scanned(folder);
    reuseUnchanged(now, before);
    EXPECT_FALSE(sameListing(before, now));
    const ScannedRun& run = now.runs.at(0);
    EXPECT_EQ(run.checkpoints.at(0).state, before.runs[0].checkpoints[0].state);
    EXPECT_EQ(run.checkpoints.at(1).state, CheckpointState::BeingWritten);
    EXPECT_EQ(run.checkpoints.at(2).state, CheckpointState::BeingWritten);
    EXPECT_FALSE(run.checkpoints.at(2).reason.empty());
    EXPECT_TRUE(run.checkpoints.at(0).latest) << "the others may not be whole";
    ScannedCheckpoint third = run.checkpoints.at(2);
    applyFacts(third, *examineCheckpoint(third.path));
    EXPECT_NE(third.state, CheckpointState::BeingWritten) << "now it was looked at";
}

TEST(KeepKnown, WhatTheListingTellsCountsBeforeWhatWasKnown) {
    const TemporaryFolder folder;
    folder.write("run/step-1.safetensors", smallSafetensors());
    Experiment before = examined(folder);
    before.runs[0].checkpoints[0].state = CheckpointState::Complete;
    Experiment now = scanned(folder);
    now.runs[0].checkpoints[0].state = CheckpointState::Incomplete;
    now.runs[0].checkpoints[0].listedState = CheckpointState::Incomplete;
    reuseUnchanged(now, before);
    EXPECT_EQ(now.runs[0].checkpoints[0].state, CheckpointState::Incomplete);
}

TEST(KeepKnown, AFileThatBecameALinkKeepsNothing) {
    const TemporaryFolder folder;
    folder.write("run/step-1.safetensors", smallSafetensors());
    folder.write("run/last.safetensors", smallSafetensors());
    const Experiment before = examined(folder);
    fs::remove(folder.path() / "run/last.safetensors");
    folder.link("run/last.safetensors", "step-1.safetensors");
    Experiment now = scanned(folder);
    reuseUnchanged(now, before);
    EXPECT_FALSE(sameListing(before, now));
    const ScannedCheckpoint* link = findCheckpoint(now.runs.at(0), "last.safetensors");
    ASSERT_NE(link, nullptr);
    EXPECT_TRUE(link->isLink());
    EXPECT_FALSE(link->examined);
}

TEST(SameListing, SeesWhatComesGoesGrowsAndIsPointedAt) {
    const TemporaryFolder folder;
    folder.write("run/step-1.safetensors", smallSafetensors());
    folder.write("run/step-2.safetensors", smallSafetensors());
    folder.write("run/latest", "step-1.safetensors");
    const Experiment first = scanned(folder);
    EXPECT_TRUE(sameListing(first, scanned(folder)));
    folder.write("run/notes.txt", "of no interest");
    fs::create_directory(folder.path() / "empty");
    EXPECT_TRUE(sameListing(first, scanned(folder)));
    folder.write("run/latest", "step-2.safetensors");
    const Experiment pointed = scanned(folder);
    EXPECT_FALSE(sameListing(first, pointed));
    fs::remove(folder.path() / "run/step-1.safetensors");
    const Experiment gone = scanned(folder);
    EXPECT_FALSE(sameListing(pointed, gone));
    folder.age("run/step-2.safetensors", 100);
    EXPECT_FALSE(sameListing(gone, scanned(folder)));
    fs::remove_all(folder.path() / "run");
    EXPECT_FALSE(sameListing(gone, scanned(folder)));
}

} // namespace
} // namespace cairn
