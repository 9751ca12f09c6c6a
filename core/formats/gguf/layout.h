// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

namespace cairn::formats::gguf {

/// GGUF version 3, little-endian: metadata as far as the values record the model
/// (layout_metadata.h), the tensors in the given order under their names, in the dtypes that ggml
/// has (blocks as they are). An alias that it is given is written with its own copy. With
/// maxShardBytes: numbered files as llama.cpp splits them. Pure. Fails: DtypeNotRepresentable,
/// NameNotRepresentable, LimitExceeded.
Result<OutputLayout> layOut(const LayoutRequest& request);

} // namespace cairn::formats::gguf
