// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/experiment.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Derives from the facts of a run the score of each checkpoint, the training order, the latest and
/// the best. core/runs/README.md describes the chain, why.h explains a result. Call it after new
/// facts (of checkpoints, curves, cached scores); it can be called again. Any thread.
namespace cairn {

struct RunHistory; // core/runs/history/history.h

/// The scores of a run's checkpoints, which can be cached while its history is unchanged.
struct RunScores {
    Decided<std::string> headline; ///< these as in ScannedRun
    Decided<names::Direction> direction;
    std::filesystem::path source;       ///< see ScannedRun::scoreSource
    std::vector<Evidence> because = {}; ///< see ScannedRun::rowsBecause
    std::vector<Evidence> against = {};
    std::string undecidedMetric = {};
    struct Score {
        std::filesystem::path path; ///< of the checkpoint
        double value = 0;
        std::optional<Place> from;
    };
    std::vector<Score> values;
};
RunScores scoresOf(const ScannedRun& run);

/// Sorts the checkpoints in training order and marks the latest and the best; their scores are
/// unchanged. Which is the best: best_decision.h. Linear in memory,
/// n log n in time.
void settleRun(ScannedRun& run);

/// The same, after giving every checkpoint its value of one metric: the one that the trainer's
/// record names, if there is a curve of it; else the one with the lowest metricRank(), held-out
/// ones ("eval", "val", "test") before others. Which row is a checkpoint's is decided by
/// row_decision.h; if that is undecided, and without a curve, the values of the checkpoints are
/// used ("val_loss", "accuracy").
void settleRun(ScannedRun& run, const RunHistory& history);

/// The same with cached scores.
void settleRun(ScannedRun& run, const RunScores& scores);

/// Runs side by side. Values of different metrics have no order: only runs whose checkpoints are
/// scored by the metric that scores most of them are ranked.
struct RankedRuns {
    std::string metric;              ///< empty: no run has a score
    std::vector<std::uint32_t> runs; ///< indices into Experiment::runs: the ranked ones, best
                                     ///< first, then the others in the order given
    std::size_t ranked = 0;          ///< that many have a finite score of the metric
};

/// Ranks these runs (indices into Experiment::runs) by the scores of their best checkpoints; after
/// settleRun(). Of two metrics with as many runs, the one that comes first.
RankedRuns rankRuns(const Experiment& experiment, std::span<const std::uint32_t> runs);

} // namespace cairn
