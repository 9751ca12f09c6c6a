// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/copy_plan.h"

#include <string_view>

namespace cairn {

/// Chooses the device that computes what a plan casts, multiplies or averages, and writes it with
/// its reason into the plan's forecast and decisions. `asked`: as `--device` takes it. Fails with
/// the errors of chooseDevice(). Any thread.
Result<void> decideDevice(CopyPlan& plan, std::string_view asked);

} // namespace cairn
