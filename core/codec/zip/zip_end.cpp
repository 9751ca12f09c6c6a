// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/zip/zip_content.h"

#include <algorithm>

namespace cairn {
namespace {

constexpr std::uint32_t kEndSignature = 0x06054B50;
constexpr std::uint32_t kEnd64Signature = 0x06064B50;
constexpr std::uint32_t kLocatorSignature = 0x07064B50;
constexpr std::uint64_t kEndSize = 22;
constexpr std::uint64_t kEnd64Size = 56;
constexpr std::uint64_t kLocatorSize = 20;
constexpr std::size_t kMaxNotices = 1000;
constexpr std::uint64_t kFirstRead = 4096;
constexpr std::uint64_t kMaxTail = kEndSize + 65535;
/// About five million entries; bounds memory on hostile files.
constexpr std::uint64_t kMaxDirectory = std::uint64_t{512} << 20U;

/// Finds the end records and checks that the parts of the archive are contiguous.
class EndFinder {
public:
    explicit EndFinder(ZipOpening& opening) : m_opening(opening) {}

    Result<ZipEnd> find() {
        CAIRN_TRY(ZipEnd end, findEnd());
        CAIRN_CHECK(readEnd64(end));
        CAIRN_CHECK(placeDirectory(end));
        return end;
    }

private:
    const ByteSource& source() const { return m_opening.source(); }

    std::optional<std::uint64_t> searchEnd() const {
        const auto window = std::span<const std::byte>(m_opening.content->window);
        for (std::size_t i = window.size() - kEndSize + 1; i-- > 0;) {
            if (loadLittle<std::uint32_t>(window, i) == kEndSignature) {
                return m_opening.content->windowOffset + i;
            }
        }
        return std::nullopt;
    }

    /// APPNOTE 4.3.16. The last signature in the file is used, as in Python and miniz.
    Result<ZipEnd> findEnd() {
        const std::uint64_t size = source().size();
        std::optional<std::uint64_t> position;
        for (const std::uint64_t tail : {kFirstRead, kMaxTail}) {
            if (size >= kEndSize && !position) {
                CAIRN_CHECK(m_opening.extendWindow(size - std::min(size, tail)));
                position = searchEnd();
            }
        }
        if (!position) {
            return zipError(ErrorCode::ZipNoDirectory, "The archive has no end record", source(),
                            size)
                .expecting("the bytes PK\\5\\6 within the last 65557")
                .withHint("The file is truncated or still being written; compare its size with the "
                          "original");
        }
        const auto bytes = m_opening.at(*position, kEndSize);
        const std::uint64_t end = *position + kEndSize + loadLittle<std::uint16_t>(bytes, 20);
        if (end > size) {
            return zipError(ErrorCode::ZipBadDirectory, "The archive's comment is truncated",
                            source(), *position)
                .butFound(sentence("%1 bytes in total", size))
                .expecting(verbatim(std::to_string(end)));
        }
        if (end < size) {
            CAIRN_CHECK(m_opening.note(Severity::Warning,
                                       zipError(ErrorCode::ZipBadDirectory,
                                                "Trailing bytes after the archive", source(), end)
                                           .butFound(sentence("%1 bytes", size - end))));
        }
        const auto disk = loadLittle<std::uint16_t>(bytes, 4);
        const auto directoryDisk = loadLittle<std::uint16_t>(bytes, 6);
        const auto here = loadLittle<std::uint16_t>(bytes, 8);
        const auto total = loadLittle<std::uint16_t>(bytes, 10);
        if ((disk != 0 && disk != 0xFFFF) || (directoryDisk != 0 && directoryDisk != 0xFFFF) ||
            here != total) {
            return zipMultiDisk(source(), *position);
        }
        return ZipEnd{.position = *position,
                      .directoryEnd = *position,
                      .entries = total,
                      .size = loadLittle<std::uint32_t>(bytes, 12),
                      .offset = loadLittle<std::uint32_t>(bytes, 16)};
    }

    Error badEnd64(Sentence message, std::uint64_t offset) const {
        return zipError(ErrorCode::ZipBadDirectory, std::move(message), source(), offset);
    }

    /// APPNOTE 4.3.14, 4.3.15. Used whenever its locator exists; the 32-bit fields must then be
    /// equal or all ones.
    Result<void> readEnd64(ZipEnd& end) {
        const bool needed =
            end.entries == 0xFFFF || end.size == 0xFFFFFFFF || end.offset == 0xFFFFFFFF;
        bool there = end.position >= kLocatorSize + kEnd64Size;
        if (there) {
            CAIRN_CHECK(m_opening.extendWindow(end.position - kLocatorSize - kEnd64Size));
            there = loadLittle<std::uint32_t>(m_opening.at(end.position - kLocatorSize, 4)) ==
                    kLocatorSignature;
        }
        if (!there) {
            if (needed && (end.size == 0xFFFFFFFF || end.offset == 0xFFFFFFFF)) {
                return badEnd64("The archive's zip64 end record is missing", end.position);
            }
            return {};
        }
        const std::uint64_t locatorOffset = end.position - kLocatorSize;
        const auto locator = m_opening.at(locatorOffset, kLocatorSize);
        if (loadLittle<std::uint32_t>(locator, 4) != 0 ||
            loadLittle<std::uint32_t>(locator, 16) > 1) {
            return zipMultiDisk(source(), locatorOffset);
        }
        // The record is directly before its locator. Its stored offset is checked later, in
        // placeDirectory(), so that an archive with a prefix can be inspected.
        const std::uint64_t recordOffset = locatorOffset - kEnd64Size;
        const auto record = m_opening.at(recordOffset, kEnd64Size);
        if (loadLittle<std::uint32_t>(record) != kEnd64Signature ||
            loadLittle<std::uint64_t>(record, 4) != kEnd64Size - 12) {
            return badEnd64("The archive's zip64 end record is not before its locator",
                            recordOffset);
        }
        if (const auto stored = loadLittle<std::uint64_t>(locator, 8); stored != recordOffset) {
            CAIRN_CHECK(m_opening.object(
                badEnd64("The zip64 locator does not point to the zip64 end record", locatorOffset)
                    .butFound(verbatim(std::to_string(stored)))
                    .expecting(verbatim(std::to_string(recordOffset)))));
        }
        if (loadLittle<std::uint32_t>(record, 16) != 0 ||
            loadLittle<std::uint32_t>(record, 20) != 0 ||
            loadLittle<std::uint64_t>(record, 24) != loadLittle<std::uint64_t>(record, 32)) {
            return zipMultiDisk(source(), recordOffset);
        }
        const auto entries = loadLittle<std::uint64_t>(record, 32);
        const auto size = loadLittle<std::uint64_t>(record, 40);
        const auto offset = loadLittle<std::uint64_t>(record, 48);
        if ((end.entries != 0xFFFF && end.entries != entries) ||
            (end.size != 0xFFFFFFFF && end.size != size) ||
            (end.offset != 0xFFFFFFFF && end.offset != offset)) {
            CAIRN_CHECK(m_opening.object(
                badEnd64("The two end records contradict each other", recordOffset)
                    .withHint("Readers that use one and readers that use the other see different "
                              "contents; do not use this archive")));
        }
        end.directoryEnd = recordOffset;
        end.entries = entries;
        end.size = size;
        end.offset = offset;
        return {};
    }

    /// The directory must end where the end record starts; bytes before the archive shift it.
    Result<void> placeDirectory(ZipEnd& end) {
        if (end.size > end.directoryEnd || end.offset > end.directoryEnd - end.size) {
            return zipError(ErrorCode::ZipBadDirectory,
                            "The archive's directory is outside the archive", source(),
                            end.position)
                .butFound(sentence("%1 bytes from %2", end.size, end.offset))
                .expecting(sentence("an end at %1", end.directoryEnd));
        }
        end.shift = end.directoryEnd - end.size - end.offset;
        if (end.shift != 0) {
            CAIRN_CHECK(m_opening.object(
                zipError(ErrorCode::ZipBadDirectory,
                         "The archive's directory is not at the offset in its end record", source(),
                         end.position)
                    .butFound(sentence("%1 bytes too many", end.shift))
                    .withHint("Bytes were inserted before or into the archive")));
        }
        if (end.size > kMaxDirectory) {
            return zipError(ErrorCode::LimitExceeded, "The archive's directory is too large",
                            source(), end.offset)
                .butFound(sentence("%1 bytes", end.size))
                .expecting(sentence("at most %1", kMaxDirectory));
        }
        if (end.entries > end.size / kCentralSize) {
            return zipError(ErrorCode::ZipBadDirectory,
                            "The archive declares more entries than its directory can contain",
                            source(), end.position)
                .butFound(sentence("%1 entries in %2 bytes", end.entries, end.size));
        }
        return m_opening.extendWindow(end.offset + end.shift);
    }

    ZipOpening& m_opening;
};

} // namespace

Result<void> ZipOpening::object(Error error) {
    if (strictness == ZipStrictness::Strict) {
        return error;
    }
    return note(Severity::Error, std::move(error));
}

Result<void> ZipOpening::note(Severity severity, Error error) {
    if (content->notices.size() < kMaxNotices) {
        content->notices.push_back({severity, std::move(error)});
    }
    return {};
}

Result<void> ZipOpening::extendWindow(std::uint64_t offset) {
    if (!content->window.empty() && offset >= content->windowOffset) {
        return {};
    }
    CAIRN_TRY(content->window, readRange(source(), {offset, source().size() - offset}));
    content->windowOffset = offset;
    return {};
}

std::span<const std::byte> ZipOpening::at(std::uint64_t offset, std::uint64_t length) const {
    return std::span(content->window)
        .subspan(static_cast<std::size_t>(offset - content->windowOffset),
                 static_cast<std::size_t>(length));
}

Result<ZipEnd> findZipEnd(ZipOpening& opening) {
    return EndFinder(opening).find();
}

Error zipMultiDisk(const ByteSource& source, std::uint64_t offset) {
    return zipError(ErrorCode::ZipMultiDisk,
                    "Not a complete archive, but one volume of a multi-volume archive", source,
                    offset)
        .withHint("Join the volumes first");
}

} // namespace cairn
