// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/compute/quantization_error.h"
#include "core/plan/copy_plan.h"

#include <cstdint>
#include <string>
#include <vector>

/// Forecasts what a plan's precision does to the weights, from a sample of their rows.
namespace cairn {

/// The sample of one tensor is the same at every call: rows at equal distances. A row is what the
/// last dimension holds; rows are counted through all others.
struct TensorPrecision {
    std::string name; ///< in the output
    Dtype dtype{};
    std::uint64_t bytes = 0; ///< in the output, with scales
    std::uint64_t sourceBytes = 0;
    std::int64_t rows = 0;
    std::int64_t rowsSampled = 0;
    std::int64_t columns = 0;
    std::int64_t columnsSampled = 0; ///< less than all only where a scale covers several rows
    QuantizationError error;         ///< of the sample
    std::int64_t worstRow = 0;
    double worstRmse = 0;
    std::string failure; ///< why it could not be read; empty: it was
};

struct PrecisionPreview {
    std::vector<TensorPrecision> tensors; ///< those of PlannedPrecision, in order
    QuantizationError error;              ///< of all samples
};

/// Elements that are read of all tensors together, but at least one row of each, and of tensors
/// with square blocks at least one row of blocks.
inline constexpr std::uint64_t kPreviewElements = std::uint64_t{1} << 25U;
inline constexpr std::int64_t kPreviewRows = 256; ///< of one tensor

/// Reads, and writes nothing. Memory: a few MiB. Elements are those that the plan's recipes make. A
/// tensor that cannot be read has a failure. Fails: Cancelled. REQUIRES: plan.precision.
Result<PrecisionPreview> previewPrecision(const CopyPlan& plan, const CancelToken& cancel);

} // namespace cairn
