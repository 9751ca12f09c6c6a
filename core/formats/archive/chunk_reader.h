// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/archive/container.h"
#include "core/formats/archive/earlier.h"
#include "core/model/checkpoint.h"

#include <memory>

namespace cairn::formats::archive {

/// Unpacks tensors chunk by chunk while they are read: a read costs the chunks that it overlaps;
/// chunks that were partly read are cached, up to a few. `earlier` may be null. Reads fail with
/// BadChecksum (damaged, or the wrong earlier checkpoint), BadEncoding, Truncated, and the errors
/// of the earlier checkpoint.
std::shared_ptr<const PieceCodec> makeChunkCodec(cairn::archive::Opened archive,
                                                 std::shared_ptr<EarlierCheckpoint> earlier);

} // namespace cairn::formats::archive
