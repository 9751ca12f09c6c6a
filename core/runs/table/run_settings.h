// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/model/value.h"
#include "core/runs/experiment.h"
#include "core/runs/history/history.h"

#include <string>

/// Settings of a run that are stored in its checkpoints.
namespace cairn {

/// The settings in a checkpoint's values, one dict for each location, named by `name` and the
/// location: "checkpoint-12/training_args", "last.ckpt/hyper_parameters". Supported are the
/// Trainer's training_args.bin and config.json, Lightning's hyper_parameters, `args`, `config` and
/// similar keys at the top level of torch files, and the compile settings of a Keras model. Null:
/// none. Pure.
Value settingsIn(const Value& values, const std::string& name);

/// Adds the settings of the newest readable checkpoint to RunHistory::settings; they replace values
/// that the Trainer derived from them in its state. Opens that checkpoint's index and reads its
/// small values; unreadable checkpoints add nothing. Any thread; blocks.
void addCheckpointSettings(RunHistory& history, const ScannedRun& run,
                           const CancelToken& cancel = {});

/// All that the run's checkpoints record: addCheckpointValues() and addCheckpointSettings(). Call
/// it wherever a run is shown or compared, after applyFacts(): without it a run that is recorded
/// only in its checkpoints has no settings and no metrics.
void addCheckpointRecords(RunHistory& history, const ScannedRun& run,
                          const CancelToken& cancel = {});

} // namespace cairn
