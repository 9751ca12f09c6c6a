// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

namespace cairn::formats::safetensors {

/// Where everything goes in `<baseName>.safetensors`, or, when a shard size is asked for and one
/// file would be larger, in `<baseName>-<k>-of-<n>.safetensors` and
/// `<baseName>.safetensors.index.json` (published last). Data start at a multiple of 4096; within a
/// file tensors are by falling dtype alignment, else in the order given, so that each is aligned to
/// its elements. Aliases are not stored twice: `__metadata__` maps their name to the stored one, as
/// safetensors' save_model does.
/// `__metadata__` has "format": "pt" unless the request states otherwise. Plain values have no
/// place in this format. Fails: DtypeNotRepresentable, NameNotRepresentable, LimitExceeded (header
/// beyond 100 MB).
Result<OutputLayout> layOut(const LayoutRequest& request);

} // namespace cairn::formats::safetensors
