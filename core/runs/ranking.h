// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/experiment.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// What follows from everything that is known of a run: the score of each checkpoint, the training
/// order, the latest and the best. core/runs/README.md draws the chain, why.h tells it. One call after new evidence
/// (facts of checkpoints, curves, kept scores); it may be repeated. Any thread.
namespace cairn {

struct RunHistory; // core/runs/history/history.h

/// The scores of a run's checkpoints, to be kept as long as its history is the same.
struct RunScores {
    std::string metric;
    std::filesystem::path source; ///< see ScannedRun::scoreSource
    bool largerIsBetter = false;
    struct Score {
        std::filesystem::path path; ///< of the checkpoint
        double value = 0;
        std::optional<NumberFrom> from;
    };
    std::vector<Score> values;
};
RunScores scoresOf(const ScannedRun& run);

/// Puts the checkpoints in training order and marks the latest and the best; their scores stay as
/// they are. The best is what the record of the newest checkpoint that has one names; else the one
/// with the best score; else the one whose name, or a link to which, says so. Linear in memory,
/// n log n in time.
void settleRun(ScannedRun& run);

/// The same, after giving every checkpoint its value of one metric: the one that the trainer's
/// record names, where a curve of it is there; else the one with the lowest metricRank(), held-out
/// ones ("eval", "val", "test") before others. The value is the one logged at its step, else the
/// last one within an interval between checkpoints before it; where only epochs were logged, the
/// one of the epoch that it was saved after (epoch_rows.h), and none where that cannot be told.
/// Where no curve tells one, the values that the checkpoints hold do ("val_loss", "accuracy").
void settleRun(ScannedRun& run, const RunHistory& history);

/// The same with scores that were kept.
void settleRun(ScannedRun& run, const RunScores& scores);

} // namespace cairn
