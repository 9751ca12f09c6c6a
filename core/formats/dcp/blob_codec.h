// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <memory>

/// Private to this folder.
namespace cairn::formats::dcp {

/// SerializationFormat.SAFETENSORS: one safetensors blob at the end of each shard contains all its
/// chunks under their fqn, and the index gives for every chunk the blob's start and length. Each
/// blob's header is read once and cached. A chunk's dtype, shape and saved offsets are checked
/// against the index. Fails: DcpItemMismatch and the errors of readSafetensorsHeader().
std::shared_ptr<const PieceCodec> makeBlobCodec();

} // namespace cairn::formats::dcp
