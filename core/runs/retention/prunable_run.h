// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/location.h"
#include "core/model/names/metric_words.h"
#include "core/runs/retention/retention.h"
#include "core/runs/table/examine.h"

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

/// The one way to a retention plan, for the command line and the window: list, record the files,
/// examine, search for references, plan. The order matters: exactly the files that were recorded
/// before the examination are moved.
namespace cairn {

/// An experiment of one run, as listed: the folder itself, or the only run below it. Fails with
/// NotACheckpoint if there is none, InvalidArgument if there are several, and as scanExperiment().
Result<Experiment> scanRun(const Location& named, const CancelToken& cancel = {});

/// A run about which everything is known that a plan needs. A plain value: plans for other rules
/// need no second examination.
struct PrunableRun {
    ScannedRun run;
    RetentionEvidence evidence;
    std::vector<Notice> notices;            ///< what could not be searched for references
    std::set<std::filesystem::path> proven; ///< see planProvenRetention()
};

/// A metric that the user named to rank the checkpoints by.
struct RankedBy {
    std::string metric; ///< empty: none
    names::Direction better = names::Direction::Unknown;
};

/// `root`: a folder above the run in which its logs may be, too, as in the experiment of which it
/// is shown as a part; empty: only the run's own. `by`: replaces the run's own metric. Fails as
/// scanRun(), with InvalidArgument if no checkpoint has a value of that metric, and with Cancelled.
Result<PrunableRun> examineForPruning(const Location& named, const std::filesystem::path& root = {},
                                      const CancelToken& cancel = {}, const ForEach& forEach = {},
                                      const RankedBy& by = {});

/// Fails as planProvenRetention().
Result<RetentionPlan> planPruning(PrunableRun& run, const RetentionRules& rules,
                                  const CancelToken& cancel = {});

/// The removal of checkpoints that the user named: see planChosenRemoval().
RetentionPlan planChosen(PrunableRun& run, std::span<const std::filesystem::path> chosen);

} // namespace cairn
