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

/// What an item's archive states about the one tensor that is in it as it is.
struct ItemTensor {
    Dtype dtype{};
    Shape shape;
    Strides strides; ///< in elements; empty = dense
    ElementFlags flags;
    ByteRange elements;      ///< in the item, first element to one past the last
    ByteRange record;        ///< in the item, what the CRC-32 is of
    std::uint32_t crc32 = 0; ///< 0: none was stored
};

/// What was found in items before. The archives of chunks of one shape are the same but for their
/// elements and checksums, so that what the first one states need not be read from the others: an
/// item is known when it is as long as one that was read and has the same bytes wherever reading
/// that one looked. These are
///   - of data.pkl and byteorder, the local header and the content,
///   - of the record of the elements, the local header,
///   - the directory and everything after it;
/// not the elements, not the other records, and of the directory not their checksums. The checksum
/// of the elements is the item's own; where its two places differ, the item is not known. What is
/// not known is for the full reader, which also knows how to complain.
///
/// Keeps the kMost that were used last, kMostBytes each. Any thread.
class KnownItems {
public:
    /// Nothing: not known. REQUIRES: looksLikeArchive(item).
    [[nodiscard]] std::optional<ItemTensor> find(const ItemSource& item);

    /// `item` was read: `archive` is its archive and `record` holds the elements of `tensor`.
    void keep(const ItemSource& item, const ItemArchive& archive, const ZipEntry& record,
              ItemTensor tensor);

    static constexpr std::size_t kMost = 64;
    static constexpr std::uint64_t kMostBytes = 16384;

private:
    struct Known {
        std::uint64_t size = 0; ///< of the item
        std::vector<ByteRange> places;
        std::vector<std::byte> bytes; ///< of the places, one after another
        std::uint64_t localCrc = 0;   ///< where the elements' checksum stands in the item
        std::uint64_t rowCrc = 0;
        ItemTensor tensor;

        [[nodiscard]] bool sameAs(const ItemSource& item) const;
    };
    static std::optional<Known> describe(const ItemSource& item, const ItemArchive& archive,
                                         const ZipEntry& record);

    std::mutex m_mutex;
    std::list<Known> m_known; ///< the last used first
};

} // namespace cairn::formats::dcp
