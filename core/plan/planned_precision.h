// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/consolidate.h"
#include "core/plan/draft.h"

#include <string>

/// Internal to core/plan.
namespace cairn {

/// A sentence: which elements share a scale.
std::string scalesText(const Precision& precision);

/// Adds the scales of weights that are quantised with separate ones, and the recipes that use them.
void addScales(Draft& draft, const ScaleSource& source, const ScaleSource& expected);

/// Completes the plan's precision, if it has one, with the tensors of the output. A precision that
/// cannot be written is a problem of the plan.
void listQuantised(Draft& draft);

} // namespace cairn
