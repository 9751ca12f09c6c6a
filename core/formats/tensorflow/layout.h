// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

namespace cairn::formats::tensorflow {

/// A TensorBundle in a folder: data shards, the state file `checkpoint` that names it, and its
/// index, as tensorflow/core/util/tensor_bundle writes them. Tensors in the order of their keys;
/// tied ones refer to the same bytes. An object graph is adapted to what is written
/// (object_graph.h). Fails: DtypeNotRepresentable (blocks, opaque bytes), NameNotRepresentable,
/// DuplicateTensor, BadEncoding (a damaged object graph), LimitExceeded.
Result<OutputLayout> layOut(const LayoutRequest& request);

} // namespace cairn::formats::tensorflow
