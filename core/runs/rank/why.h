// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/runs/experiment.h"

#include <string>
#include <vector>

/// Explains in sentences why a checkpoint is complete, best or latest. It decides nothing: all
/// facts are those that settleRun() left. Any thread.
namespace cairn {

struct Explanation {
    std::string question; ///< "what is its step"
    Sentence answer;
    Sentence from; ///< the evidence, or file, row and step; empty if not recorded
};

/// In this order: its step, its completeness, of an export why it is one, the deciding metric, what
/// the rows of its curve count, its value, why (not) best, why (not) latest. REQUIRES: `checkpoint`
/// belongs to the run, and the run is settled.
std::vector<Explanation> explainCheckpoint(const ScannedRun& run,
                                           const ScannedCheckpoint& checkpoint);

/// Parts of it, for tooltips.
Explanation explainStep(const ScannedCheckpoint& checkpoint);
Explanation explainExport(const ScannedCheckpoint& checkpoint); ///< no answer: it is none
Explanation explainRows(const ScannedRun& run);
Explanation explainValue(const ScannedRun& run, const ScannedCheckpoint& checkpoint);
Explanation explainBest(const ScannedRun& run, const ScannedCheckpoint& checkpoint);
/// "complete: everything in its index exists"; "unknown: its index was not read".
Explanation explainState(const ScannedCheckpoint& checkpoint);

/// Of decideSaved(): "yes", "not checked", "no" or "no values"; the evidence is the reason.
Explanation explainValuesSaved(const Decided<bool>& decided);

/// "recorded: step 300 in the values (step-300.pt, global_step); against it named: …".
Sentence evidenceText(const std::vector<Evidence>& because, const std::vector<Evidence>& against);

/// "out/metrics.csv, row 7, step 30".
Sentence placeText(const Place& from);

} // namespace cairn
