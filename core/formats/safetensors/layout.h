// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

namespace cairn::formats::safetensors {

/// Writes `<baseName>.safetensors`, or, if a shard size is requested and one file would exceed it,
/// `<baseName>-<k>-of-<n>.safetensors` and `<baseName>.safetensors.index.json` (published last).
/// Data starts at a multiple of 4096; within a file tensors are sorted by descending dtype
/// alignment, else in the given order, so that each is aligned to its elements. Aliases are not
/// stored twice: `__metadata__` maps their name to the stored tensor, as safetensors' save_model
/// does. `__metadata__` has "format": "pt" unless the request sets it. The format cannot store
/// plain values. Fails: DtypeNotRepresentable, NameNotRepresentable, LimitExceeded (header beyond
/// 100 MB).
Result<OutputLayout> layOut(const LayoutRequest& request);

} // namespace cairn::formats::safetensors
