// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/endian.h"
#include "core/model/tensor_reader.h"
#include "core/plan/copy_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace cairn {

/// One non-empty segment of an output file, literal or tensor, or the rest of it beside shared
/// ranges.
struct Part {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    std::uint32_t index = 0; ///< index into OutputFile::tensors or ::literals
    bool tensor = false;
    std::uint64_t skip = 0; ///< bytes of the segment before this part
    [[nodiscard]] std::uint64_t end() const { return offset + length; }
};

/// The segments of one file in ascending order, and its checksum slots by offset and by tensor.
/// Borrows the file.
class FileParts {
public:
    explicit FileParts(const OutputFile& file);
    /// Without the bytes of `shared`: ordered ranges of this file, complete elements at both ends.
    FileParts(const OutputFile& file, std::span<const SharedRange> shared);

    [[nodiscard]] const OutputFile& file() const { return *m_file; }
    [[nodiscard]] std::span<const Part> parts() const { return m_parts; }
    [[nodiscard]] bool checksummed() const { return m_file->needsChecksums(); }
    /// Continues the checksum of a segment, of the kind that the file's slots need.
    [[nodiscard]] std::uint32_t addToChecksum(std::uint32_t crc,
                                              std::span<const std::byte> bytes) const;

    /// Index of the part that contains the byte at `offset`, or parts().size().
    [[nodiscard]] std::size_t partAt(std::uint64_t offset) const;
    /// Slots that overlap bytes [begin, end).
    [[nodiscard]] std::span<const ChecksumSlot> slotsWithin(std::uint64_t begin,
                                                            std::uint64_t end) const;
    [[nodiscard]] std::span<const ChecksumSlot> slotsOf(std::uint32_t tensor) const;

private:
    const OutputFile* m_file;
    std::vector<Part> m_parts;
    std::vector<ChecksumSlot> m_byOffset;
    std::vector<ChecksumSlot> m_byTensor;
};

/// Number of files that are processed in parallel: 1, or more if several files take columns of the
/// same tensors. Rows that are read for one of them are needed for the others, too, so they are
/// kept at the same progressIn() each, and a source is read once instead of once per file.
std::size_t filesAbreast(const CopyPlan& plan);
/// Position of the byte at `offset` in its file, from 0 to 1.
double progressIn(const OutputFile& file, std::uint64_t offset);

/// Splits items (of any type with a `file`) into consecutive groups of at most `abreast` items, no
/// two with the same file.
template <class Item>
std::vector<std::span<const Item>> sideBySide(std::span<const Item> items, std::size_t abreast) {
    std::vector<std::span<const Item>> groups;
    while (!items.empty()) {
        std::size_t count = 1;
        const auto isSameFile = [&](const Item& item) { return item.file == items[count].file; };
        while (count < std::min(abreast, items.size()) &&
               std::ranges::none_of(items.first(count), isSameFile)) {
            ++count;
        }
        groups.push_back(items.first(count));
        items = items.subspan(count);
    }
    return groups;
}

/// Buffer size for each of `abreast` files, of which a single one would get `chunkBytes`: together
/// twice that.
inline std::size_t chunkAbreast(std::size_t chunkBytes, std::size_t abreast) {
    return abreast == 1 ? chunkBytes : 2 * chunkBytes / abreast;
}
/// Number of turns in which `abreast` files of `bytes` in total are processed: high enough that the
/// rows from which one file takes its columns are still cached (TensorReader::Scratch) when the
/// next file needs them.
inline std::uint64_t turnsAbreast(std::uint64_t bytes, std::size_t abreast) {
    return abreast == 1 ? 1 : 2 * bytes / TensorReader::kMaxSpan + 1;
}

/// By file and tensor segment: CRC-32, or CRC-32C where OutputFile::sumsSegments is set; 0 in files
/// that need none.
using Checksums = std::vector<std::vector<std::uint32_t>>;

/// A slot of an index and its value.
struct FilledSlot {
    std::uint64_t offset = 0;
    std::uint32_t value = 0;
};
/// The values of an index's slots, in ascending order of offsets, once the checksums of all its
/// segments are known.
std::vector<FilledSlot> fillIndexSlots(const OutputFile& index, const Checksums& checksums);
/// Writes those that overlap [begin, begin + bytes.size()).
void patchSlots(std::span<std::byte> bytes, std::uint64_t begin, std::span<const FilledSlot> slots);

/// Writes the bytes of a checksum that lie in [begin, begin + bytes.size()).
void patchChecksum(std::span<std::byte> bytes, std::uint64_t begin, std::uint64_t slotOffset,
                   std::uint32_t crc);

} // namespace cairn
