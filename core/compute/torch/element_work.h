// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/torch/lane.h"

#include <span>

/// Implementations of the module's functions of the same names (module_api.h). Throw c10::Error and
/// others.
namespace cairn::torch_lane {

void castThere(Lane& lane, const CairnElements& in, std::uint64_t count, int to, void* out);

void dequantizeThere(Lane& lane, const CairnElements& in, std::uint64_t count,
                     const CairnScales& scales, int to, void* out);

void averageThere(Lane& lane, std::span<const CairnElements> terms, std::span<const double> weights,
                  std::uint64_t count, int to, void* out);

CairnStatistics statisticsThere(Lane& lane, const CairnElements& in, std::uint64_t count);

CairnComparison compareThere(Lane& lane, const CairnElements& left, const CairnElements& right,
                             std::uint64_t count, const CairnCompareOptions& options);

} // namespace cairn::torch_lane
