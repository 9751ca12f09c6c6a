// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstdint>
#include <optional>

namespace cairn::formats::gguf {

/// Where the tensors' data begin, by the file's own size.
///
/// Readers begin the data at the next multiple of general.alignment (32 where it is not stated)
/// after the infos. Two writers of split models lay them out by another one than their parts state:
/// gguf's GGUFWriter states it in the first part only, llama.cpp's gguf-split copies the key and
/// writes at multiples of 32. Then every tensor is read from the wrong place, zeros first.
struct DataStart {
    std::uint64_t offset = 0;    ///< of the data in the file
    std::uint64_t alignment = 0; ///< by which they really are
    std::uint64_t trailing = 0;  ///< bytes after the last tensor and its padding
};

/// What the tensor infos state about the data.
struct DataExtent {
    std::uint64_t infosEnd = 0;  ///< offset of the first byte after the infos
    std::uint64_t end = 0;       ///< of the tensor that ends last, from the data's start
    std::uint64_t offsets = 0;   ///< all offsets, or-ed: which alignments they can have
    std::uint32_t alignment = 0; ///< as the file states, a power of two
};

/// The stated alignment, unless the file's size contradicts it and one other power of two fits it
/// exactly, with nothing but zeros before its data. Fails as reading does.
Result<DataStart> findDataStart(const ByteSource& file, const DataExtent& extent);

} // namespace cairn::formats::gguf
