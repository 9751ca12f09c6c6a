// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dcp/item_archive.h"
#include "core/formats/dcp/item_source.h"
#include "core/model/tensor_entry.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <vector>

/// Private to this folder.
namespace cairn::formats::dcp {

/// Description of the single, uncompressed tensor in an item's archive.
struct ItemTensor {
    Dtype dtype{};
    Shape shape;
    Strides strides; ///< in elements; empty = dense
    ElementFlags flags;
    ByteRange elements;      ///< in the item, from the first element to the end of the last one
    ByteRange record;        ///< in the item, the range that the CRC-32 covers
    std::uint32_t crc32 = 0; ///< 0: not stored
};

/// Cache of examined items. The archives of chunks with the same shape differ only in elements and
/// checksums, so the result for the first one can be reused for others: an item is known if it has
/// the same length as an examined one, and the same bytes in all the parts that reading depends on.
/// These are
///   - the local header and content of data.pkl and byteorder,
///   - the local header of the record with the elements,
///   - the directory (without the checksums of records) and everything after it.
/// The checksum of the elements comes from the item itself; if its two copies differ, the item is
/// not known. Unknown items go to the full reader, which also reports errors.
///
/// Keeps the kMost most recently used items with at most kMostBytes each. Any thread.
class KnownItems {
public:
    /// Empty: not known. REQUIRES: looksLikeArchive(item).
    [[nodiscard]] std::optional<ItemTensor> find(const ItemSource& item);

    /// Adds an item that was read: `archive` is its archive, and `record` contains the elements of
    /// `tensor`.
    void keep(const ItemSource& item, const ItemArchive& archive, const ZipEntry& record,
              ItemTensor tensor);

    static constexpr std::size_t kMost = 64;
    static constexpr std::uint64_t kMostBytes = 16384;

private:
    struct Known {
        std::uint64_t size = 0; ///< of the item
        std::vector<ByteRange> places;
        std::vector<std::byte> bytes; ///< of the selected parts, concatenated
        std::uint64_t localCrc = 0;   ///< offset of the elements' checksum in the item
        std::uint64_t rowCrc = 0;
        ItemTensor tensor;

        [[nodiscard]] bool sameAs(const ItemSource& item) const;
    };
    static std::optional<Known> describe(const ItemSource& item, const ItemArchive& archive,
                                         const ZipEntry& record);

    std::mutex m_mutex;
    std::list<Known> m_known; ///< most recently used first
};

} // namespace cairn::formats::dcp
