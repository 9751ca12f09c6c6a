// SPDX-License-Identifier: Apache-2.0
#include "core/codec/zip/zip_archive.h"

#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/codec/zip/inflate_source.h"
#include "core/codec/zip/zip_content.h"
#include "core/io/hash.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

namespace cairn {
namespace {

constexpr std::uint32_t kLocalSignature = 0x04034B50;
constexpr std::uint64_t kLocalHeaderSize = 30;
constexpr std::uint16_t kHasDescriptor = 0x0008;
/// Largest expansion of deflate: a 258-byte match takes two bits.
constexpr std::uint64_t kDeflateReach = 1032;
constexpr std::uint32_t kInZip64 = 0xFFFFFFFF;

/// APPNOTE 4.3.7. Sizes and CRC may be zero here when a data descriptor follows the data.
struct LocalHeader {
    std::uint16_t flags = 0;
    std::uint16_t method = 0;
    std::uint32_t crc32 = 0;
    std::uint32_t compressedSize = 0;
    std::uint32_t size = 0;
    std::uint16_t nameLength = 0;
    std::uint16_t extraLength = 0;
};

LocalHeader parseLocal(std::span<const std::byte> bytes) {
    return {.flags = loadLittle<std::uint16_t>(bytes, 6),
            .method = loadLittle<std::uint16_t>(bytes, 8),
            .crc32 = loadLittle<std::uint32_t>(bytes, kZipLocalCrc),
            .compressedSize = loadLittle<std::uint32_t>(bytes, 18),
            .size = loadLittle<std::uint32_t>(bytes, 22),
            .nameLength = loadLittle<std::uint16_t>(bytes, 26),
            .extraLength = loadLittle<std::uint16_t>(bytes, 28)};
}

/// Whether a number of the local header agrees with the directory's: equal, stored in the zip64
/// field, or omitted because a data descriptor follows.
bool agrees(std::uint32_t local, std::uint64_t central, bool hasDescriptor) {
    return local == central || local == kInZip64 || (hasDescriptor && local == 0);
}

Result<void> compareLocal(const LocalHeader& local, const ZipEntry& entry,
                          const ByteSource& source) {
    const auto mismatch = [&](Sentence what) {
        return zipError(ErrorCode::ZipLocalMismatch,
                        "The entry's local header contradicts the archive's directory", source,
                        entry)
            .butFound(std::move(what))
            .withHint("Readers that use one and readers that use the other see different contents; "
                      "do not use this archive");
    };
    if (local.nameLength != entry.name.size()) {
        return mismatch("a different name");
    }
    if (local.method != entry.method) {
        return mismatch("a different compression method");
    }
    if (((local.flags ^ entry.flags) & 1U) != 0) {
        return mismatch("a different encryption flag");
    }
    const bool hasDescriptor = (local.flags & kHasDescriptor) != 0;
    if (!agrees(local.size, entry.size, hasDescriptor) ||
        !agrees(local.compressedSize, entry.compressedSize, hasDescriptor)) {
        return mismatch("a different size");
    }
    if (local.crc32 != 0 && entry.crc32 != 0 && local.crc32 != entry.crc32) {
        return mismatch("a different CRC-32");
    }
    return {};
}

} // namespace

Error zipError(ErrorCode code, Sentence message, const ByteSource& source, std::uint64_t offset) {
    return fail(code, std::move(message)).inFile(source.name()).at(offset);
}

Error zipError(ErrorCode code, Sentence message, const ByteSource& source, const ZipEntry& entry) {
    return fail(code, std::move(message))
        .inFile(source.name())
        .at(entry.localHeaderOffset)
        .inField(std::string(entry.name));
}

namespace {

Error badChecksum(const ByteSource& source, const ZipEntry& entry) {
    return zipError(ErrorCode::BadChecksum, "CRC-32 mismatch in the entry", source, entry)
        .withHint("The file was damaged after it was written; copy it again");
}

} // namespace

std::uint64_t zipNameHash(std::string_view name) {
    return std::hash<std::string_view>{}(name);
}

Result<void> ZipArchive::Content::read(std::uint64_t offset, std::span<std::byte> out) const {
    if (offset >= windowOffset && out.size() <= window.size() &&
        offset - windowOffset <= window.size() - out.size()) {
        std::copy_n(window.begin() + static_cast<std::ptrdiff_t>(offset - windowOffset), out.size(),
                    out.begin());
        return {};
    }
    return source->readAt(offset, out);
}

Result<void> ZipHeaderWindow::read(const ByteSource& source, std::uint64_t offset,
                                   std::span<std::byte> out, std::uint64_t next) {
    const auto holds = [&] {
        return offset >= m_offset && out.size() <= m_bytes.size() &&
               offset - m_offset <= m_bytes.size() - out.size();
    };
    if (!holds() && next - offset <= kSize / 16 && out.size() <= kSize) {
        m_offset = offset;
        m_bytes.resize(
            static_cast<std::size_t>(std::min<std::uint64_t>(kSize, source.size() - offset)));
        if (const auto read = source.readAt(offset, m_bytes); !read) {
            m_bytes.clear();
            return read;
        }
    }
    if (!holds()) {
        return source.readAt(offset, out);
    }
    std::copy_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(offset - m_offset), out.size(),
                out.begin());
    return {};
}

std::span<const ZipEntry> ZipArchive::entries() const {
    return m_content->entries;
}
std::span<const Notice> ZipArchive::notices() const {
    return m_content->notices;
}
const ByteSourcePtr& ZipArchive::source() const {
    return m_content->source;
}

std::uint64_t ZipArchive::rowOffset(const ZipEntry& entry) const {
    const auto name =
        entry.name.data() - asText(m_content->window).data(); // names point into the window
    return m_content->windowOffset + static_cast<std::uint64_t>(name) - kCentralSize;
}

const ZipEntry* ZipArchive::find(std::string_view name) const {
    const auto& entries = m_content->entries;
    const std::uint64_t hash = zipNameHash(name);
    const auto slot = std::lower_bound(m_content->index.begin(), m_content->index.end(), name,
                                       [&](const Content::Slot& left, std::string_view wanted) {
                                           return left.hash != hash
                                                      ? left.hash < hash
                                                      : entries[left.entry].name < wanted;
                                       });
    if (slot == m_content->index.end() || entries[slot->entry].name != name) {
        return nullptr;
    }
    return &entries[slot->entry];
}

Result<ByteRange> ZipArchive::dataRange(const ZipEntry& entry, ZipHeaderWindow* ahead) const {
    const ByteSource& source = *m_content->source;
    if (entry.encrypted()) {
        return zipError(ErrorCode::ZipEncrypted, "The archive entry is encrypted", source, entry)
            .withHint("Decrypt the archive first");
    }
    // openZip() has checked that the fixed part, the name and the data are inside the archive.
    std::array<std::byte, kLocalHeaderSize + 512> buffer;
    const std::size_t nameRead = std::min<std::size_t>(entry.name.size(), 512);
    const auto bytes = std::span(buffer).first(kLocalHeaderSize + nameRead);
    CAIRN_CHECK(ahead != nullptr ? ahead->read(source, entry.localHeaderOffset, bytes, entry.limit)
                                 : m_content->read(entry.localHeaderOffset, bytes));
    if (loadLittle<std::uint32_t>(bytes) != kLocalSignature) {
        return zipError(ErrorCode::ZipBadEntry, "No entry at the offset that the directory records",
                        source, entry)
            .expecting("the bytes PK\\3\\4");
    }
    const LocalHeader local = parseLocal(bytes);
    CAIRN_CHECK(compareLocal(local, entry, source));
    std::string longName;
    std::string_view name = asText(bytes.subspan(kLocalHeaderSize));
    if (nameRead < entry.name.size()) {
        longName.resize(entry.name.size());
        CAIRN_CHECK(m_content->read(entry.localHeaderOffset + kLocalHeaderSize,
                                    std::as_writable_bytes(std::span(longName))));
        name = longName;
    }
    if (name != entry.name) {
        return zipError(ErrorCode::ZipLocalMismatch,
                        "The entry's local header has a different name than the directory", source,
                        entry)
            .butFound(verbatim(visibleText(name)))
            .expecting(verbatim(visibleText(entry.name)));
    }
    const ByteRange range{entry.localHeaderOffset + kLocalHeaderSize + local.nameLength +
                              local.extraLength,
                          entry.compressedSize};
    if (range.offset > entry.limit || range.length > entry.limit - range.offset) {
        return zipError(ErrorCode::ZipOverlap, "The entry's data overlaps the next entry", source,
                        entry)
            .butFound(sentence("%1 bytes from %2", range.length, range.offset))
            .expecting(sentence("an end at or before %1", entry.limit));
    }
    return range;
}

Result<ByteSourcePtr> ZipArchive::openEntry(const ZipEntry& entry) const {
    const ByteSource& source = *m_content->source;
    if (entry.method != 0 && entry.method != 8) {
        return zipError(ErrorCode::ZipBadMethod, "Unsupported compression of the entry", source,
                        entry)
            .butFound(sentence("method %1", entry.method))
            .expecting("stored (0) or deflated (8)")
            .withHint("Repack the archive without compression");
    }
    CAIRN_TRY(const ByteRange range, dataRange(entry));
    if (entry.stored()) {
        if (entry.size != entry.compressedSize) {
            return zipError(ErrorCode::ZipBadEntry,
                            "A stored entry has different compressed and uncompressed sizes",
                            source, entry)
                .butFound(sentence("%1 and %2", entry.compressedSize, entry.size));
        }
        return makeSliceSource(m_content->source, range);
    }
    if (entry.size / kDeflateReach > range.length) {
        return zipError(ErrorCode::ZipBomb,
                        "The entry declares more data than its compressed bytes can contain",
                        source, entry)
            .butFound(sentence("%1 bytes from %2", entry.size, range.length));
    }
    return makeInflateSource(makeSliceSource(m_content->source, range), entry);
}

Result<std::vector<std::byte>> ZipArchive::readEntry(const ZipEntry& entry,
                                                     std::uint64_t limit) const {
    if (entry.size > limit) {
        return zipError(ErrorCode::LimitExceeded, "The entry is too large to be read at once",
                        *m_content->source, entry)
            .butFound(sentence("%1 bytes", entry.size))
            .expecting(sentence("at most %1", limit));
    }
    CAIRN_TRY(const ByteSourcePtr content, openEntry(entry));
    CAIRN_TRY(auto bytes, readRange(*content, {0, content->size()}));
    // Inflating compares the checksum itself.
    if (entry.stored() && entry.crc32 != 0 && crc32(0, bytes) != entry.crc32) {
        return badChecksum(*m_content->source, entry);
    }
    return bytes;
}

Result<bool> ZipArchive::verifyEntry(const ZipEntry& entry, const CancelToken& cancel) const {
    CAIRN_TRY(const ByteSourcePtr content, openEntry(entry));
    std::vector<std::byte> buffer(
        static_cast<std::size_t>(std::min<std::uint64_t>(content->size(), 1U << 20U)));
    std::uint32_t crc = 0;
    for (std::uint64_t offset = 0; offset < content->size();) {
        CAIRN_CHECK(cancel.check());
        const auto count = static_cast<std::size_t>(
            std::min<std::uint64_t>(buffer.size(), content->size() - offset));
        const auto part = std::span(buffer).first(count);
        CAIRN_CHECK(content->readAt(offset, part));
        crc = crc32(crc, part);
        offset += count;
    }
    if (crc == entry.crc32) {
        return true;
    }
    if (entry.crc32 == 0) {
        return false;
    }
    return badChecksum(*m_content->source, entry);
}

} // namespace cairn
