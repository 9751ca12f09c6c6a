// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/zip/zip_archive.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <memory>

namespace cairn::formats::torch {

/// Tensors in deflated records, which torch.load accepts though torch.save never writes them. A
/// piece's bytes are the compressed record; its first element lies `firstByte` into the inflated
/// one. Keeps the archive open. Fails with Zip* codes and TorchMissingRecord.
std::shared_ptr<const PieceCodec> makeDeflateCodec(const ZipArchive& zip, std::uint64_t firstByte);

} // namespace cairn::formats::torch
