// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

namespace cairn::formats::orbax {

/// A tree as PyTreeCheckpointHandler(use_ocdbt=False) writes it: a Zarr 2 array for each leaf, in a
/// folder of its name, uncompressed; and `_METADATA`, which comes last. Restored without any
/// option: arrays as NumPy's, or as the target has them. Source: orbax-checkpoint 0.12.8,
/// _src/metadata/tree.py and _src/handlers/base_pytree_checkpoint_handler.py.
/// Fails: InvalidArgument (a limit for files), DtypeNotRepresentable, NameNotRepresentable,
/// DuplicateTensor, Unsupported (values that Orbax has no handler for, and as outputTree()).
Result<OutputLayout> layOut(const LayoutRequest& request);

} // namespace cairn::formats::orbax
