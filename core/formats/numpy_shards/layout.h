// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

namespace cairn::formats::numpy_shards {

/// Writes `<base>_shard_0000.npz` … and `manifest.json` (see README.md). Shards are filled in the
/// given order up to maxShardBytes; a larger tensor is cut into rows. Element types that NumPy
/// lacks are written as raw bytes of their size, as ml_dtypes does; the manifest names them. Tied
/// tensors are written repeatedly; plain values are not written. Fails: DtypeNotRepresentable
/// (packed, quantised, text), NameNotRepresentable.
Result<OutputLayout> layOut(const LayoutRequest& request);

} // namespace cairn::formats::numpy_shards
