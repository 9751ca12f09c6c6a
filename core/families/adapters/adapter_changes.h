// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/adapters/adapter.h"
#include "core/families/adapters/adapter_keys.h"

/// Turns the tensors of an adapter into operations. Internal to core/families.
namespace cairn {

/// As adapterChanges(), without the test whether the adapter is complete.
Result<AdapterChanges> findChanges(const Checkpoint& adapter, const AdapterConfig& config,
                                   const AdapterBase& base, const AdapterKeys& keys, double scale,
                                   bool rounds);

} // namespace cairn
