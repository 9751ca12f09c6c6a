// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/model/value.h"
#include "core/runs/experiment_scan.h"
#include "core/runs/history/history.h"

#include <string>

/// The settings of a run that are in its checkpoints.
namespace cairn {

/// What a checkpoint's values hold of them, one dict for each place that has any, named `name` and
/// the place: "checkpoint-12/training_args", "last.ckpt/hyper_parameters". Known are the Trainer's
/// training_args.bin and config.json, Lightning's hyper_parameters, `args`, `config` and the like
/// at the top of what torch saved, and how a Keras model was compiled. Null: none. Pure.
Value settingsIn(const Value& values, const std::string& name);

/// Adds those of the newest checkpoint that can be read to RunHistory::settings; what the Trainer
/// derived from them in its state gives way to them. Opens that checkpoint's index and reads its
/// small values; what cannot be read adds nothing. Any thread; blocks.
void addCheckpointSettings(RunHistory& history, const ScannedRun& run,
                           const CancelToken& cancel = {});

} // namespace cairn
