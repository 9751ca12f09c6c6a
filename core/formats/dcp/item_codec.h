// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <memory>
#include <string>

/// Finds a chunk's elements inside its stored item. Private to this folder.
namespace cairn::formats::dcp {

/// Items that are complete `torch.save` archives at any offset (SerializationFormat.TORCH_SAVE),
/// and items that are one shared safetensors blob per file (SerializationFormat.SAFETENSORS). The
/// item's own dtype and shape are held against the chunk's: torch itself would silently cut a
/// stored tensor that is larger than the index states. Fails: DcpItemBeyondFile, DcpItemMismatch,
/// TorchStorageTooSmall, TorchMissingRecord, and the archive's own codes.
std::shared_ptr<const PieceCodec> makeTorchSaveCodec();

/// The same after the `stream.zstd/1` extension. The content is decoded while it is read, with
/// bounded memory.
std::shared_ptr<const PieceCodec> makeZstdCodec();

/// For transforms that are not known: every locate() fails with DcpUnknownTransform.
std::shared_ptr<const PieceCodec> makeUnknownCodec(std::string transforms);

} // namespace cairn::formats::dcp
