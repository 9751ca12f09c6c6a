// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/zip/zip_archive.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <memory>

namespace cairn::formats {

/// The entries of an archive, looked up by data offset; shared by all its codecs. Immutable; any
/// thread.
class DeflatedEntries;
using DeflatedPtr = std::shared_ptr<const DeflatedEntries>;
DeflatedPtr indexDeflated(const ZipArchive& zip);

/// Tensors in deflated entries of an archive (numpy.savez_compressed; torch.load accepts them,
/// too). A piece's bytes are the compressed entry; its strides refer to the inflated data, in which
/// its first element is at `firstByte`. Nothing is inflated before elements are read. Keeps the
/// archive open. Fails with Zip* codes and TorchMissingRecord.
std::shared_ptr<const PieceCodec> makeDeflateCodec(DeflatedPtr entries, std::uint64_t firstByte);

} // namespace cairn::formats
