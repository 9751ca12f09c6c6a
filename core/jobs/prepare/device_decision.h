// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/copy_plan.h"

#include <string_view>

namespace cairn {

/// Chooses the device for the plan's casts, multiplications and averages, and records it with the
/// reason in the plan's forecast and decisions. `asked`: the value of `--device`. Fails with the
/// errors of chooseDevice(). Any thread.
Result<void> decideDevice(CopyPlan& plan, std::string_view asked);

} // namespace cairn
