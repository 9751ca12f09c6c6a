// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/health.h"

namespace cairn {

/// checkHealth() with the config.json in the checkpoint's folder or above it (sidecars.h), if there
/// is one: what every face calls. Fails only with Cancelled.
Result<HealthReport> checkWithConfig(const Checkpoint& checkpoint, HealthOptions options);

} // namespace cairn
