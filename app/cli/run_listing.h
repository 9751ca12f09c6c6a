// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_writer.h"
#include "app/cli/session.h"
#include "core/base/cancel_token.h"
#include "core/io/location.h"
#include "core/model/names/metric_words.h"
#include "core/runs/experiment.h"
#include "core/runs/retention/prunable_run.h"
#include "core/runs/table/run_table.h"

#include <filesystem>
#include <set>

/// Runs with all facts about their checkpoints; shared by `runs`, `history`, `compare` and `prune`.
namespace cairn::cli {

/// Opens every checkpoint's index, several at a time, adds the facts to the listing, reads the
/// runs' histories for scores, and sorts. Unchanged results come from the index cache.
Result<RunTable> examineAll(Experiment& experiment, Session& session);

/// Only the first part: facts from the checkpoints, without histories.
Result<void> examineCheckpoints(Experiment& experiment, Session& session);

/// Fails as cairn::examineForPruning().
Result<PrunableRun> examineForPruning(const Location& named, Session& session,
                                      const RankedBy& by = {});

/// One run of an experiment, examined: the folder itself, or the only run below it. Fails as
/// scanRun().
Result<ScannedRun> openRun(const Location& named, Session& session);

/// Removes runs whose path is in `seen`, and adds the others: the same run may be given twice, as
/// "exp" and "exp/a".
void dropRepeatedRuns(Experiment& experiment, std::set<std::filesystem::path>& seen);

/// A step or an epoch: integers without a fraction; null if missing.
void writeEpoch(JsonWriter& json, const std::optional<double>& epoch);

/// `larger_is_better`: null if unknown.
void writeDirection(JsonWriter& json, names::Direction better);

/// A setting: null, true, 1, 0.5, "text"; empty containers as [] and {}.
void writeSetting(JsonWriter& json, std::string_view name, const Value& value);
void writeSettingValue(JsonWriter& json, const Value& value);

/// One row of `checkpoints`.
void writeCheckpoint(JsonWriter& json, const ScannedCheckpoint& checkpoint, const ScannedRun& run);

} // namespace cairn::cli
