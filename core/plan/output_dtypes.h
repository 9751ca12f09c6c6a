// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/consolidate.h"
#include "core/plan/draft.h"

#include <string_view>

/// Internal to core/plan: at which dtype each chosen tensor is written, and which are multiplied
/// with their scales.
namespace cairn {

/// Fills draft.dtypes and, for quantised weights, the plan's recipes; scales that are used up leave
/// draft.chosen. What is protected from a cast, and why, is a decision. Linear in tensors.
/// Fails: InvalidArgument for a dtype that is none and for a faulty pattern.
Result<void> chooseDtypes(Draft& draft, const ConsolidateOptions& options);

/// True for the parameters of normalisation layers, by name: `input_layernorm.weight`, `norm.bias`,
/// `ln_f.weight`, `bn1.weight`, `q_norm.weight`.
bool isNormName(std::string_view name);

} // namespace cairn
