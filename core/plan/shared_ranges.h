// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/copy_plan.h"

#include <optional>
#include <vector>

/// Which bytes of an output need not be copied, because the file system can share the source's
/// blocks. Pure.
namespace cairn {

/// The least bytes for which the file system is asked: below, its own records of the blocks cost
/// more than the copy.
inline constexpr std::uint64_t kLeastShared = std::uint64_t{64} << 10U;

/// By file and offset, merged where they continue in both files; empty when plan.sharing names no
/// block. Only elements that are written as they are stored, from tensors whose pieces all are raw
/// in files, and only in files without checksum slots: a checksum requires reading the data.
/// Linear in segments and pieces.
std::vector<SharedRange> sharedRanges(const CopyPlan& plan);

/// Where the complete tensor is, for layouts; see LayoutTensor::origin. `dtype`: of the output.
std::optional<LayoutTensor::Origin> originOf(const CopyPlan& plan, TensorIndex tensor, Dtype dtype);

} // namespace cairn
