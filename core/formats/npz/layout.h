// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

namespace cairn::formats::npz {

/// An archive of stored arrays, which numpy.load opens without ml_dtypes and pickles. Tied tensors
/// are written repeatedly; plain values are not written. Fails: DtypeNotRepresentable (bfloat16 and
/// other dtypes that NumPy lacks), NameNotRepresentable, InvalidArgument (several shards: use
/// numpy-shards).
Result<OutputLayout> layOut(const LayoutRequest& request);

} // namespace cairn::formats::npz
