// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

namespace cairn::formats::flax {

/// One file as flax.serialization.to_bytes() writes it: lists and tuples are maps with the keys
/// "0", "1", …; an array of more than 2^30 bytes is a map of chunks. Source: flax 0.12's
/// serialization.py. Fails: InvalidArgument (several files), DtypeNotRepresentable, Unsupported
/// (values that MessagePack cannot store, and as outputTree()).
Result<OutputLayout> layOut(const LayoutRequest& request);

} // namespace cairn::formats::flax
