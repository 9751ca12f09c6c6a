// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/experiment.h"
#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/retention/retention.h"
#include "core/runs/scan/experiment_scan.h"
#include "tests/support/safetensors_file.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

/// A folder of runs to scan, removed after the test.
namespace cairn::test {

/// Empty, and a test failure, if it cannot be scanned.
inline Experiment scanned(const TemporaryFolder& folder) {
    auto experiment = scanExperiment(folder.path());
    EXPECT_TRUE(experiment) << describe(experiment.error());
    return experiment ? *experiment : Experiment();
}

inline const ScannedRun* findRun(const Experiment& experiment, const std::string& id) {
    for (const ScannedRun& run : experiment.runs) {
        if (run.id == id) {
            return &run;
        }
    }
    return nullptr;
}

inline const ScannedCheckpoint* findCheckpoint(const ScannedRun& run, const std::string& name) {
    for (const ScannedCheckpoint& each : run.checkpoints) {
        if (each.name == name) {
            return &each;
        }
    }
    return nullptr;
}

/// As if every checkpoint were one file, saved long ago in the order of the run.
inline RetentionEvidence settledEvidence(const ScannedRun& run) {
    RetentionEvidence evidence;
    evidence.nowNs = std::int64_t{1} << 60;
    std::int64_t time = 0;
    for (const ScannedCheckpoint& each : run.checkpoints) {
        SavedFiles& saved = evidence.files[each.path];
        saved.whole = true;
        saved.rows.push_back(
            {each.name, EntryKind::File, {1, 1, each.bytes, ++time * 1'000'000'000, 0}});
    }
    return evidence;
}

/// The names of its checkpoints, in order.
inline std::vector<std::string> namesOf(const ScannedRun& run) {
    std::vector<std::string> names;
    for (const ScannedCheckpoint& each : run.checkpoints) {
        names.push_back(each.name);
    }
    return names;
}

/// Opens every checkpoint that is not a link, and decides again what is best and latest.
inline void examineAll(Experiment& experiment) {
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

} // namespace cairn::test
