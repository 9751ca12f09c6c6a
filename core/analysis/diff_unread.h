// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/diff.h"

#include <optional>

/// Internal to core/analysis.
namespace cairn {

/// The result if it is known without reading elements; empty if both sides must be read.
std::optional<PairDiff> diffWithoutReading(const Checkpoint& left, const Checkpoint& right,
                                           const TensorPair& pair);

} // namespace cairn
