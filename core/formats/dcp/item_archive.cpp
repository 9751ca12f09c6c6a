// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/item_archive.h"

#include "core/base/endian.h"

#include <array>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::formats::dcp {
namespace {

constexpr std::uint32_t kLocalSignature = 0x04034B50;
constexpr std::uint64_t kMaxSmallRecord = 64;

/// The entry "<prefix>/data.pkl"; torch may use any prefix.
const ZipEntry* findPickle(const ZipArchive& zip) {
    if (const ZipEntry* usual = zip.find("archive/data.pkl")) {
        return usual;
    }
    for (const ZipEntry& entry : zip.entries()) {
        const std::size_t slash = entry.name.find('/');
        if (slash != std::string_view::npos && entry.name.substr(slash + 1) == "data.pkl") {
            return &entry;
        }
    }
    return nullptr;
}

Result<bool> readByteOrder(const ZipArchive& zip, const std::string& prefix) {
    const ZipEntry* entry = zip.find(prefix + "byteorder");
    if (entry == nullptr) {
        return false; // older archives do not record it and are little-endian
    }
    CAIRN_TRY(const auto bytes, zip.readEntry(*entry, kMaxSmallRecord));
    const std::string_view order = asText(bytes);
    if (order != "little" && order != "big") {
        return fail(ErrorCode::TorchBadByteOrder,
                    "The archive's byte order is neither little nor big")
            .inField("byteorder")
            .at(entry->localHeaderOffset)
            .butFound(verbatim(std::string(order)));
    }
    return order == "big";
}

} // namespace

bool looksLikeArchive(const ByteSource& item) {
    std::array<std::byte, 4> magic{};
    return item.size() >= magic.size() && item.readAt(0, magic) &&
           loadLittle<std::uint32_t>(magic) == kLocalSignature;
}

Result<ItemArchive> openItemArchive(const ByteSourcePtr& item, std::uint64_t maxPickle) {
    CAIRN_TRY(ZipArchive zip, openZip(item));
    const ZipEntry* entry = findPickle(zip);
    if (entry == nullptr) {
        return fail(ErrorCode::TorchNoDataPickle, "The item's archive has no data.pkl")
            .at(0)
            .inFile(item->name());
    }
    std::string prefix(
        entry->name.substr(0, entry->name.size() - std::string_view("data.pkl").size()));
    CAIRN_TRY(auto bytes, zip.readEntry(*entry, maxPickle));
    CAIRN_TRY(const ByteRange range, zip.dataRange(*entry));
    auto graph =
        pickle::parsePickle(std::make_shared<const std::vector<std::byte>>(std::move(bytes)));
    if (!graph) {
        const std::uint64_t base = entry->stored() ? range.offset : entry->localHeaderOffset;
        return rebased(std::move(graph).error(), base, item->name());
    }
    CAIRN_TRY(const bool bigEndian, readByteOrder(zip, prefix));
    const auto pickleStart = entry->stored() ? std::optional(range.offset) : std::nullopt;
    const bool compared = entry->crc32 != 0; // by readEntry()
    return ItemArchive{std::move(zip), std::move(prefix), std::move(*graph),
                       bigEndian,      pickleStart,       compared};
}

Error rebased(Error error, std::uint64_t base, const std::string& file) {
    error.where.offset = base + error.where.offset.value_or(0);
    error.where.file = file;
    return error;
}

} // namespace cairn::formats::dcp
