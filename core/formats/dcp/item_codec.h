// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <memory>
#include <string>

/// Locates a chunk's elements inside its stored item. Private to this folder.
namespace cairn::formats::dcp {

/// For items that are complete `torch.save` archives at any offset
/// (SerializationFormat.TORCH_SAVE). The item's dtype and shape are checked against the chunk's:
/// torch itself would silently truncate a stored tensor that is larger than declared by the index.
/// Fails: DcpItemBeyondFile, DcpItemMismatch, TorchStorageTooSmall, TorchMissingRecord, and the
/// archive's codes.
std::shared_ptr<const PieceCodec> makeTorchSaveCodec();

/// The same for items with the `stream.zstd/1` extension. The content is decoded while it is read,
/// with bounded memory.
std::shared_ptr<const PieceCodec> makeZstdCodec();

/// For unknown transforms: every locate() fails with DcpUnknownTransform.
std::shared_ptr<const PieceCodec> makeUnknownCodec(std::string transforms);

} // namespace cairn::formats::dcp
