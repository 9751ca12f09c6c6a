// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <memory>

/// Private to this folder.
namespace cairn::formats::dcp {

/// SerializationFormat.SAFETENSORS: one safetensors blob at the end of each shard holds all its
/// chunks under their fqn, and the index gives every chunk the blob's start and its own length. The
/// blobs' headers are read once each and kept. A chunk's dtype, shape and saved offsets are held
/// against the index. Fails: DcpItemMismatch and the errors of readSafetensorsHeader().
std::shared_ptr<const PieceCodec> makeBlobCodec();

} // namespace cairn::formats::dcp
