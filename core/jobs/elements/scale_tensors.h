// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/consolidate.h"

#include <span>

namespace cairn {

/// See ScaleSource: each scale is the largest finite magnitude of its group divided by the
/// precision's largest element; 1 for a group of zeros. float32, in the shape of scaleGrid(), or
/// with one element. A scale is computed from its weight when it is read, a few MiB at a time; the
/// last ones are kept, because writing and verifying a weight need its scales, too.
CheckpointPtr withScales(const CheckpointPtr& source, const Precision& precision,
                         std::span<const ScaledWeight> weights);

/// The same for verification: with simple code that is independent of the kernels in compute/
/// (plain_quantize.h).
CheckpointPtr withPlainScales(const CheckpointPtr& source, const Precision& precision,
                              std::span<const ScaledWeight> weights);

} // namespace cairn
