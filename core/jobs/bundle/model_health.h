// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/abilities.h"
#include "core/analysis/health.h"

namespace cairn {

/// checkHealth() with the config.json in the checkpoint's folder or above it (sidecars.h), if there
/// is one: what every face calls. Fails only with Cancelled.
Result<HealthReport> checkWithConfig(const Checkpoint& checkpoint, HealthOptions options);

/// abilitiesOf() with what checkWithConfig() finds without reading data: the same answer to whether
/// a loader takes the weights.
Result<std::array<Ability, kAbilities>> abilitiesWithConfig(const Checkpoint& checkpoint,
                                                            const CancelToken& cancel = {});

} // namespace cairn
