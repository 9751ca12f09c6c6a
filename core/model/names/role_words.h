// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

#include <optional>
#include <string_view>

/// Names that training loops give to the parts of a save: one table of stems. A name alone is weak
/// evidence; its context decides (value_roles.h). Stems are in lower case; a trailing number
/// ("optimizer_1") counts several of a kind. Pure. Any thread.
namespace cairn::names {

/// For a dict's key, or the first component of a tensor's name: "optimizer_states", "rng_state_1".
std::optional<Role> roleOfKey(std::string_view stem);

/// For a file without its extension, beside a model's: "optimizer_1", "trainer".
std::optional<Role> roleOfFile(std::string_view stem);

/// Stems of files that are never complete checkpoints: "random_states_0", "scheduler".
bool isNeverAlone(std::string_view stem);

/// Keys and stems of a gradient scaler's state: "scaler", "amp_scaler".
bool isScalerKey(std::string_view stem);
/// Of the position in the data: "dataloader", "sampler".
bool isLoaderKey(std::string_view stem);

/// Keys under which loops and trainers save the model: "model", "state_dict", "module", …
bool isModelKey(std::string_view key);

/// Keys of containers around a state dict, which are not part of the model's names; also "app",
/// "weights".
bool isPackingKey(std::string_view key);

/// "ema", "params_ema", "swa_model": an average of a model. Any case.
bool isAverageKey(std::string_view key);
/// Of a copy of the model at its best step: "best_model_state_dict". Weak: beside a model with the
/// same shapes only.
bool isBestKey(std::string_view key);

/// Training data saved beside a model: "averaging_state", "dino_loss". Any case.
bool isTrainingKey(std::string_view key);

/// A key between the root and the parts of a training loop's state: "app", "state", "chained_0".
bool isWrapperKey(std::string_view key);

/// A component of a tensor's name that only optimizers have: "exp_avg", "momentum_buffer",
/// "param_groups".
bool isMomentName(std::string_view part);

/// The last component of a typical parameter name: "weight", "in_proj_bias", "kernel".
bool isParameterName(std::string_view leaf);

/// Buffers, judged by the last component of the name: running_mean, num_batches_tracked, inv_freq,
/// …
bool isBufferName(std::string_view name);

/// Separators of the components of tensor names: "./~". JAX programs flatten trees with slashes,
/// and with tildes in file names.
inline constexpr std::string_view kPartEnds = "./~";

/// Whether the key names a number that training keeps ("best_acc1"), or an array of many
/// ("train_loss_history"). Any case.
bool namesAMeasure(std::string_view key);
bool namesACurve(std::string_view key);

} // namespace cairn::names
