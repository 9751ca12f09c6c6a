// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

namespace cairn::formats::npz {

/// One archive of stored arrays that numpy.load opens without ml_dtypes and without pickles. Tied
/// tensors are written out; plain values are not. Fails: DtypeNotRepresentable (bfloat16 and
/// everything else that NumPy has no type for), NameNotRepresentable, InvalidArgument (several
/// shards: that is numpy-shards).
Result<OutputLayout> layOut(const LayoutRequest& request);

} // namespace cairn::formats::npz
