// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/consolidate.h"
#include "core/plan/draft.h"

#include <span>
#include <string>

/// Internal to core/plan: the output dtype of each selected tensor, and which ones are multiplied
/// with their scales.
namespace cairn {

/// Sets draft.dtypes and, for quantised weights, the plan's recipes; used scales are removed from
/// draft.chosen. Tensors that are protected from a cast are listed in decisions with the reason.
/// `float32`: as in PlanFacts. Linear in tensors. Fails: InvalidArgument for an unknown dtype or an
/// invalid pattern.
Result<void> chooseDtypes(Draft& draft, const JobRequest& request,
                          std::span<const std::string> float32, const UnpackedWeights& unpacked);

} // namespace cairn
