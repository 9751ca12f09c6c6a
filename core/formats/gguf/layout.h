// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

namespace cairn::formats::gguf {

/// GGUF version 3, little-endian: metadata derived from the values (layout_metadata.h), then the
/// tensors in the given order and with their names, in dtypes that ggml supports (quantised blocks
/// unchanged). Aliases are written as copies. With maxShardBytes: numbered files as llama.cpp
/// splits them. Pure. Fails: DtypeNotRepresentable, NameNotRepresentable, LimitExceeded.
Result<OutputLayout> layOut(const LayoutRequest& request);

} // namespace cairn::formats::gguf
