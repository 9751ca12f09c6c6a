// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/draft.h"

/// Internal to core/plan.
namespace cairn {

/// Completes the plan's precision, if it has one, with the tensors of the output. A precision that
/// cannot be written is a problem of the plan.
void listQuantised(Draft& draft);

} // namespace cairn
