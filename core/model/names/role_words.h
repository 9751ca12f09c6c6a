// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

#include <optional>
#include <string_view>

/// What training loops call the parts of what they save: one table of stems. What a name alone tells is a guess; what
/// lies around it decides (value_roles.h). Stems are in lower case; a number after them ("optimizer_1") counts several of
/// a kind. Pure. Any thread.
namespace cairn::names {

/// Of a dict's key, or the first part of a tensor's name: "optimizer_states", "rng_state_1".
std::optional<Role> roleOfKey(std::string_view stem);

/// Of a file without its ending, beside a model's: "optimizer_1", "trainer".
std::optional<Role> roleOfFile(std::string_view stem);

/// A file's stem that no checkpoint has that is one by itself: "random_states_0", "scheduler".
bool isNeverAlone(std::string_view stem);

/// Keys under which loops and trainers save the model: "model", "state_dict", "module", …
bool isModelKey(std::string_view key);

/// "ema", "params_ema", "swa_model": an average of a model. Any case.
bool isAverageKey(std::string_view key);

/// What is saved beside a model by training alone: "averaging_state", "dino_loss". Any case.
bool isTrainingKey(std::string_view key);

/// A single number that training keeps ("best_acc1"), and an array of many ("train_loss_history"). Any case.
bool namesAMeasure(std::string_view key);
bool namesACurve(std::string_view key);

} // namespace cairn::names
