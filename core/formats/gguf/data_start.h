// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstdint>
#include <optional>

namespace cairn::formats::gguf {

/// Finds the start of the tensor data from the file's size.
///
/// The data starts at the next multiple of general.alignment (32 if not declared) after the tensor
/// infos. Two writers of split models use an alignment that differs from the one that their parts
/// declare: gguf's GGUFWriter declares it in the first part only, and llama.cpp's gguf-split copies
/// the key but writes at multiples of 32. Readers that trust the key then read every tensor at a
/// wrong offset.
struct DataStart {
    std::uint64_t offset = 0;    ///< of the data in the file
    std::uint64_t alignment = 0; ///< actual alignment
    std::uint64_t trailing = 0;  ///< bytes after the last tensor and its padding
};

/// What the tensor infos declare about the data.
struct DataExtent {
    std::uint64_t infosEnd = 0;  ///< offset of the first byte after the infos
    std::uint64_t end = 0;       ///< end of the last tensor, relative to the start of the data
    std::uint64_t offsets = 0;   ///< bitwise or of all offsets: limits their common alignment
    std::uint32_t alignment = 0; ///< as declared, a power of two
};

/// The declared alignment, unless the file's size contradicts it and exactly one other power of two
/// fits, with only zeros before its data. Fails as reading does.
Result<DataStart> findDataStart(const ByteSource& file, const DataExtent& extent);

} // namespace cairn::formats::gguf
