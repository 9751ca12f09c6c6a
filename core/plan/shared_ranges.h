// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/copy_plan.h"

#include <optional>
#include <vector>

/// Bytes of an output that need not be copied, because the file system can share the source's
/// blocks. Pure.
namespace cairn {

/// The least bytes worth sharing: for less, the file system's metadata costs more than the copy.
inline constexpr std::uint64_t kLeastShared = std::uint64_t{64} << 10U;

/// By file and offset, merged where contiguous in both files; empty if plan.sharing has no block
/// size. Only elements that are written as stored, from tensors whose pieces are all raw, and only
/// in files without checksum slots, because a checksum requires reading the data. Linear in
/// segments and pieces.
std::vector<SharedRange> sharedRanges(const CopyPlan& plan);

/// Location of the complete tensor, for layouts; see LayoutTensor::origin. `dtype`: of the output.
std::optional<LayoutTensor::Origin> originOf(const CopyPlan& plan, TensorIndex tensor, Dtype dtype);

} // namespace cairn
