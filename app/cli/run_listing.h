// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_writer.h"
#include "app/cli/session.h"
#include "core/base/cancel_token.h"
#include "core/io/location.h"
#include "core/model/names/metric_words.h"
#include "core/runs/experiment.h"
#include "core/runs/run_table.h"

/// Runs with everything found out about their checkpoints; shared by `runs`, `compare` and `prune`.
namespace cairn::cli {

/// Opens every checkpoint's index, some at a time, puts what they record into the listing, takes
/// the runs' histories for scores, and sorts. What was found before and has not changed since comes
/// from the index cache.
Result<RunTable> examineAll(Experiment& experiment, Session& session);

/// The first part of that alone: what the checkpoints themselves record, without histories.
Result<void> examineCheckpoints(Experiment& experiment, Session& session);

/// One run of an experiment, as the listing alone has it: the folder itself, or the only run below
/// it. Fails with NotACheckpoint when there is none and InvalidArgument when there are several.
Result<Experiment> findRun(const Location& named, Session& session);

/// The same, examined. Fails as findRun().
Result<ScannedRun> openRun(const Location& named, Session& session);

/// A step or an epoch: whole numbers without a fraction, null when there is none.
void writeEpoch(JsonWriter& json, const std::optional<double>& epoch);

/// `larger_is_better`: null where nothing states so.
void writeDirection(JsonWriter& json, names::Direction better);

/// One row of `checkpoints`.
void writeCheckpoint(JsonWriter& json, const ScannedCheckpoint& checkpoint, const ScannedRun& run);

} // namespace cairn::cli
