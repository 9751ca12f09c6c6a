// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

#include <optional>
#include <string_view>

/// What training loops call the parts of what they save: one table of stems. What a name alone
/// shows is a guess; what is around it decides (value_roles.h). Stems are in lower case; a number
/// after them ("optimizer_1") counts several of a kind. Pure. Any thread.
namespace cairn::names {

/// Of a dict's key, or the first part of a tensor's name: "optimizer_states", "rng_state_1".
std::optional<Role> roleOfKey(std::string_view stem);

/// Of a file without its ending, beside a model's: "optimizer_1", "trainer".
std::optional<Role> roleOfFile(std::string_view stem);

/// A file's stem that no checkpoint has that is one by itself: "random_states_0", "scheduler".
bool isNeverAlone(std::string_view stem);

/// Keys under which loops and trainers save the model: "model", "state_dict", "module", …
bool isModelKey(std::string_view key);

/// Keys in which a state dict is packed, so that they are not part of the model's own names; also
/// "app", "weights".
bool isPackingKey(std::string_view key);

/// "ema", "params_ema", "swa_model": an average of a model. Any case.
bool isAverageKey(std::string_view key);

/// What is saved beside a model by training alone: "averaging_state", "dino_loss". Any case.
bool isTrainingKey(std::string_view key);

/// A dict's key that stands between the root and the parts of a training loop's state: "app",
/// "state", "chained_0".
bool isWrapperKey(std::string_view key);

/// A part of a tensor's name that only optimizers have: "exp_avg", "momentum_buffer",
/// "param_groups".
bool isMomentName(std::string_view part);

/// The last part of a name as modules call their parameters: "weight", "in_proj_bias", "kernel".
bool isParameterName(std::string_view leaf);

/// What users mean by buffers, by the last part of the name: running_mean, num_batches_tracked,
/// inv_freq, …
bool isBufferName(std::string_view name);

/// Parts of a tensor's name end at these: "./~". JAX's people flatten trees with slashes, and with
/// tildes in file names.
inline constexpr std::string_view kPartEnds = "./~";

/// A single number that training keeps ("best_acc1"), and an array of many ("train_loss_history").
/// Any case.
bool namesAMeasure(std::string_view key);
bool namesACurve(std::string_view key);

} // namespace cairn::names
