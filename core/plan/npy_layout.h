// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

namespace cairn {

/// One tensor as a NumPy file: version 1.0 header padded to 64 bytes, then the elements, C order,
/// little-endian. Fails: InvalidArgument unless there is exactly one tensor, DtypeNotRepresentable
/// (bfloat16, float8, …). Source: numpy.lib.format, "Format Version 1.0".
Result<OutputLayout> layoutNpy(const LayoutRequest& request);

} // namespace cairn
