// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

namespace cairn::formats::dcp {

/// The layout of a distributed checkpoint's folder: `__<rank>_<i>.distcp` files of torch.save
/// archives, one for each chunk of a tensor and for each plain value, and `.metadata`, which comes
/// last. Tensors are cut along LayoutRequest::axes (cuts.h); values and uncut tensors are
/// distributed over the ranks. maxShardBytes limits the size of a file, unless a single item is
/// larger. Aliases with equal dtype and shape share the chunks of the original. Memory: the index,
/// the values' pickles, and about 300 bytes a chunk. Nested values: see flatten.h. Fails:
/// DtypeNotRepresentable (quantised and sub-byte elements), NameNotRepresentable, InvalidArgument
/// (axes), LimitExceeded.
Result<OutputLayout> layOut(const LayoutRequest& request);

} // namespace cairn::formats::dcp
