// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

namespace cairn::formats::dcp {

/// Where everything goes in a distributed checkpoint's folder: `__<rank>_<i>.distcp` files of
/// torch.save archives, one for each chunk of each tensor and for each plain value, and
/// `.metadata`, which comes last. Tensors are cut along LayoutRequest::axes (cuts.h); values and
/// what is not cut are spread over the ranks. maxShardBytes bounds one file, unless a single item
/// is larger. Aliases of equal dtype and shape share their holder's chunks. Memory: the index, the
/// values' pickles, and some 300 bytes a chunk. What torch makes of nested values: flatten.h.
/// Fails: DtypeNotRepresentable (quantised and sub-byte elements), NameNotRepresentable,
/// InvalidArgument (axes), LimitExceeded.
Result<OutputLayout> layOut(const LayoutRequest& request);

} // namespace cairn::formats::dcp
