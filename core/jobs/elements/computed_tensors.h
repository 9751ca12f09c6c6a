// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"
#include "core/plan/copy_plan.h"

#include <cstdint>
#include <memory>

namespace cairn {

/// With which code elements are computed: that of writing (SegmentReader), or the simple one of
/// verification (ExpectedElements).
enum class ComputedBy : std::uint8_t { Kernels, PlainCode };

/// The source of `sums` with the results in place of the tensors that have a recipe or another
/// dtype. Elements are computed when they are read, as many as are asked for, so that the tensors
/// can be viewed in any layout like stored ones. Up to kComputedReaders readers with their matrices
/// are kept. Reading fails with the errors of the two classes; stored checksums are not compared.
/// Any thread.
CheckpointPtr withComputed(const std::shared_ptr<const ComputedSource>& sums, ComputedBy code);

} // namespace cairn
