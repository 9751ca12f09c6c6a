// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/experiment.h"

#include <string>
#include <vector>

/// The chain that made a checkpoint complete, best, latest, stated in sentences. It decides
/// nothing: everything is read from what settleRun() left. Any thread.
namespace cairn {

struct Explanation {
    std::string question; ///< "what is its step"
    std::string answer;
    std::string from; ///< file, row and step; empty where nothing records it
};

/// In this order: what is its step, is it complete, which metric decides, what is its value, why
/// (not) best, why (not) latest. REQUIRES: `checkpoint` is one of the run's, the run is settled.
std::vector<Explanation> explainCheckpoint(const ScannedRun& run,
                                           const ScannedCheckpoint& checkpoint);

/// "out/metrics.csv, row 7, step 30".
std::string placeText(const NumberFrom& from);

} // namespace cairn
