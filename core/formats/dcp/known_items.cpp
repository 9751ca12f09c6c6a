// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/known_items.h"

#include "core/base/endian.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cairn::formats::dcp {
namespace {

constexpr std::uint64_t kCrcBytes = 4;

/// Selects the parts of an item that identify it by skipping the others, front to back.
class Places {
public:
    /// False: the ranges are not in order.
    bool skip(std::uint64_t begin, std::uint64_t end) {
        if (begin < m_next || end < begin) {
            return false;
        }
        take(begin);
        m_next = end;
        return true;
    }
    std::vector<ByteRange> finish(std::uint64_t end) && {
        take(end);
        return std::move(m_places);
    }

private:
    void take(std::uint64_t end) {
        if (m_next < end) {
            m_places.push_back({m_next, end - m_next});
        }
    }

    std::vector<ByteRange> m_places;
    std::uint64_t m_next = 0;
};

std::optional<std::uint32_t> crcAt(const ItemSource& item, std::uint64_t offset) {
    const auto bytes = item.held({offset, kCrcBytes});
    return bytes ? std::optional(loadLittle<std::uint32_t>(*bytes)) : std::nullopt;
}

} // namespace

bool KnownItems::Known::sameAs(const ItemSource& item) const {
    if (item.size() != size) {
        return false;
    }
    const std::byte* expected = bytes.data();
    for (const ByteRange& place : places) {
        const auto found = item.held(place);
        if (!found || std::memcmp(found->data(), expected, found->size()) != 0) {
            return false;
        }
        expected += place.length;
    }
    return true;
}

std::optional<KnownItems::Known>
KnownItems::describe(const ItemSource& item, const ItemArchive& archive, const ZipEntry& record) {
    const ZipArchive& zip = archive.zip;
    const ZipEntry* pickle = zip.find(archive.prefix + "data.pkl");
    const ZipEntry* order = zip.find(archive.prefix + "byteorder");
    const auto data = zip.dataRange(record);
    if (!data || !record.stored() || pickle == nullptr || !pickle->stored() ||
        (order != nullptr && !order->stored())) {
        return std::nullopt;
    }
    Known known;
    known.size = item.size();
    known.localCrc = record.localHeaderOffset + kZipLocalCrc;
    known.rowCrc = zip.rowOffset(record) + kZipRowCrc;
    Places places;
    bool ordered = true;
    const auto skip = [&](std::uint64_t begin, std::uint64_t end) {
        ordered = ordered && places.skip(begin, end);
    };
    const auto isRead = [&](const ZipEntry& entry) { return &entry == pickle || &entry == order; };
    for (const ZipEntry& entry : zip.entries()) {
        if (&entry == &record) {
            skip(known.localCrc, known.localCrc + kCrcBytes);
            skip(data->offset, entry.limit);
        } else if (!isRead(entry)) {
            skip(entry.localHeaderOffset, entry.limit);
        }
    }
    for (const ZipEntry& entry : zip.entries()) {
        if (!isRead(entry)) {
            const std::uint64_t crc = zip.rowOffset(entry) + kZipRowCrc;
            skip(crc, crc + kCrcBytes);
        }
    }
    known.places = std::move(places).finish(known.size);
    for (const ByteRange& place : known.places) {
        const auto bytes = item.held(place);
        if (!ordered || !bytes || bytes->size() > kMostBytes - known.bytes.size()) {
            return std::nullopt;
        }
        known.bytes.insert(known.bytes.end(), bytes->begin(), bytes->end());
    }
    return known;
}

std::optional<ItemTensor> KnownItems::find(const ItemSource& item) {
    const std::scoped_lock lock(m_mutex);
    const auto known =
        std::ranges::find_if(m_known, [&](const Known& other) { return other.sameAs(item); });
    if (known == m_known.end()) {
        return std::nullopt;
    }
    m_known.splice(m_known.begin(), m_known, known);
    const auto local = crcAt(item, known->localCrc);
    const auto row = crcAt(item, known->rowCrc);
    if (!local || !row || (*local != 0 && *row != 0 && *local != *row)) {
        return std::nullopt;
    }
    ItemTensor tensor = known->tensor;
    tensor.crc32 = *row;
    return tensor;
}

void KnownItems::keep(const ItemSource& item, const ItemArchive& archive, const ZipEntry& record,
                      ItemTensor tensor) {
    auto known = describe(item, archive, record);
    if (!known) {
        return;
    }
    known->tensor = std::move(tensor);
    const std::scoped_lock lock(m_mutex);
    m_known.push_front(std::move(*known));
    if (m_known.size() > kMost) {
        m_known.pop_back();
    }
}

} // namespace cairn::formats::dcp
