// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/archive/container.h"
#include "core/formats/archive/earlier.h"
#include "core/model/checkpoint.h"

#include <memory>

namespace cairn::formats::archive {

/// Unpacks tensors chunk by chunk as they are read: a read costs the chunks that it touches, and
/// those that it touches in part are kept for the next one, up to a few. `earlier` may be null.
/// Reads fail with BadChecksum (damaged, or the earlier checkpoint is another one), BadEncoding,
/// Truncated, and what the earlier checkpoint states.
std::shared_ptr<const PieceCodec> makeChunkCodec(cairn::archive::Opened archive,
                                                 std::shared_ptr<EarlierCheckpoint> earlier);

} // namespace cairn::formats::archive
