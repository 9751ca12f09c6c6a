// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/heat_map.h"
#include "core/analysis/statistics.h"
#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <optional>
#include <string>

namespace cairn::ui {

/// Numbers and two small pictures about the elements of a tensor or a group.
struct TensorFigures {
    TensorStatistics statistics; ///< with histogram; `sampled`: how much of the tensor it covers
    std::optional<HeatMap> map;  ///< nothing: a scalar, or a group
};

/// Up to this size, all of a tensor is read automatically.
inline constexpr std::uint64_t kAutoReadLimit = std::uint64_t{512} << 20U;

/// Reads some blocks of a large tensor (`sample`), or all of it. Runs on a worker. Fails with the
/// errors of reading, Unsupported for non-numeric elements, Cancelled.
Result<TensorFigures> readFigures(const CheckpointPtr& checkpoint, TensorIndex tensor, bool sample,
                                  const CancelToken& cancel);

/// The same for all numeric tensors at or below a dotted name together ("": all weights, never
/// other tensors in their place), tied ones once; without a heat map. Also fails if one of them
/// cannot be read.
Result<TensorFigures> readGroupFigures(const CheckpointPtr& checkpoint, const std::string& name,
                                       bool sample, const CancelToken& cancel);

} // namespace cairn::ui
