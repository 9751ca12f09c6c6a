// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/statistics.h"

/// Internal to core/analysis.
namespace cairn {

/// True for a tensor that is not measured in segments: one without numbers, or one that is sampled.
bool isMeasuredWhole(const TensorEntry& tensor, const StatisticsOptions& options);

void addProgress(const StatisticsOptions& options, std::uint64_t bytes);

/// measureTensors() for tensors without quantised blocks.
std::vector<Result<TensorStatistics>> measureSegments(const Checkpoint& checkpoint,
                                                      std::span<const TensorIndex> tensors,
                                                      const StatisticsOptions& options,
                                                      const MeasuredTensor& done);

} // namespace cairn
