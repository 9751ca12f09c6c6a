// SPDX-License-Identifier: Apache-2.0
//
// Opening an archive. The end record is searched for from the end; everything else follows from it:
//
//   [local header, name, extra, data, descriptor]*  central directory  [zip64 end, locator]  end
//
// Readers of ZIP disagree when these parts leave room for it, and scanners have been fooled that
// way, so the parts must meet exactly: the directory starts where the end record states and ends
// where the (zip64) end record starts, the first entry starts at byte 0, entries do not overlap,
// names are unique. What Strict refuses, Inspect notes and reads on.
#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/codec/zip/zip_archive.h"
#include "core/codec/zip/zip_content.h"

#include <algorithm>
#include <numeric>

namespace cairn {
namespace {

constexpr std::uint32_t kCentralSignature = 0x02014B50;
constexpr std::uint64_t kLocalSize = 30;

class Opener {
public:
    Opener(ByteSourcePtr source, ZipStrictness strictness)
        : m_opening{std::make_shared<ZipArchive::Content>(), strictness} {
        m_opening.content->source = std::move(source);
    }

    Result<ZipArchive> open() {
        CAIRN_TRY(const ZipEnd end, findZipEnd(m_opening));
        m_shift = end.shift;
        CAIRN_CHECK(parseDirectory(end));
        CAIRN_CHECK(checkLayout());
        CAIRN_CHECK(buildIndex());
        return ZipArchive(m_opening.content);
    }

private:
    const ByteSource& source() const { return m_opening.source(); }

    Result<void> parseDirectory(const ZipEnd& end) {
        const std::uint64_t start = end.offset + m_shift;
        m_opening.content->entries.reserve(static_cast<std::size_t>(end.entries));
        m_directoryStart = start;
        std::uint64_t position = start;
        while (position < end.directoryEnd) {
            CAIRN_TRY(position, parseEntry(position, end.directoryEnd));
        }
        if (m_opening.content->entries.size() != end.entries) {
            CAIRN_CHECK(m_opening.object(
                zipError(ErrorCode::ZipBadDirectory,
                         "The archive's directory does not contain the declared number of entries",
                         source(), end.position)
                    .butFound(verbatim(std::to_string(m_opening.content->entries.size())))
                    .expecting(verbatim(std::to_string(end.entries)))));
        }
        return {};
    }

    /// APPNOTE 4.3.12; returns the position after the entry.
    Result<std::uint64_t> parseEntry(std::uint64_t position, std::uint64_t end) {
        const auto cutOff = [&] {
            return zipError(ErrorCode::ZipBadDirectory, "The archive's directory is damaged",
                            source(), position)
                .butFound(sentence(
                    "entry %1 that extends beyond the directory or does not start with PK\\1\\2",
                    m_opening.content->entries.size()));
        };
        if (end - position < kCentralSize ||
            loadLittle<std::uint32_t>(m_opening.at(position, 4)) != kCentralSignature) {
            return cutOff();
        }
        const auto fixed = m_opening.at(position, kCentralSize);
        const auto nameLength = loadLittle<std::uint16_t>(fixed, 28);
        const auto extraLength = loadLittle<std::uint16_t>(fixed, 30);
        const std::uint64_t length =
            kCentralSize + nameLength + extraLength + loadLittle<std::uint16_t>(fixed, 32);
        if (length > end - position) {
            return cutOff();
        }
        ZipEntry entry{.name = asText(m_opening.at(position + kCentralSize, nameLength)),
                       .compressedSize = loadLittle<std::uint32_t>(fixed, 20),
                       .size = loadLittle<std::uint32_t>(fixed, 24),
                       .localHeaderOffset = loadLittle<std::uint32_t>(fixed, 42),
                       .crc32 = loadLittle<std::uint32_t>(fixed, kZipRowCrc),
                       .method = loadLittle<std::uint16_t>(fixed, 10),
                       .flags = loadLittle<std::uint16_t>(fixed, 8)};
        const auto disk = loadLittle<std::uint16_t>(fixed, 34);
        CAIRN_CHECK(
            readExtra(entry, m_opening.at(position + kCentralSize + nameLength, extraLength)));
        if (disk != 0 && disk != 0xFFFF) {
            return zipMultiDisk(source(), position);
        }
        CAIRN_CHECK(checkEntry(entry));
        m_opening.content->entries.push_back(entry);
        return position + length;
    }

    /// APPNOTE 4.5: the zip64 field (4.5.3) contains those of the three numbers whose 32-bit field
    /// is all ones, in this order. A Unicode path field (4.6.9) would be a second name.
    Result<void> readExtra(ZipEntry& entry, std::span<const std::byte> extra) {
        bool sawZip64 = false;
        while (extra.size() >= 4) {
            const auto id = loadLittle<std::uint16_t>(extra);
            const std::size_t length = loadLittle<std::uint16_t>(extra, 2);
            if (length > extra.size() - 4) {
                break; // padding that is not a field; every reader ignores it
            }
            auto field = extra.subspan(4, length);
            extra = extra.subspan(4 + length);
            if (id == 0x7075 && field.size() > 5 && asText(field.subspan(5)) != entry.name) {
                CAIRN_CHECK(m_opening.object(
                    zipError(ErrorCode::ZipBadEntry, "The archive entry has two names", source(),
                             entry)
                        .butFound(verbatim(visibleText(asText(field.subspan(5)))))));
            }
            if (id != 0x0001) {
                continue;
            }
            if (sawZip64) {
                CAIRN_CHECK(m_opening.object(zipError(ErrorCode::ZipBadEntry,
                                                      "The archive entry has two zip64 fields",
                                                      source(), entry)));
                continue;
            }
            sawZip64 = true;
            for (std::uint64_t* number :
                 {&entry.size, &entry.compressedSize, &entry.localHeaderOffset}) {
                if (*number != 0xFFFFFFFF) {
                    continue;
                }
                if (field.size() < 8) {
                    return zipError(ErrorCode::ZipBadEntry, "The entry's zip64 field is too short",
                                    source(), entry);
                }
                *number = loadLittle<std::uint64_t>(field);
                field = field.subspan(8);
            }
        }
        return {};
    }

    Result<void> checkEntry(ZipEntry& entry) {
        const auto start = checkedAdd(entry.localHeaderOffset, m_shift);
        const auto dataStart = start ? checkedAdd(*start, kLocalSize + entry.name.size()) : start;
        const auto dataEnd = dataStart ? checkedAdd(*dataStart, entry.compressedSize) : dataStart;
        if (!dataEnd || *dataEnd > m_directoryStart) {
            return zipError(ErrorCode::ZipBadEntry, "An archive entry is outside the archive",
                            source(), entry)
                .butFound(sentence("%1 bytes of data", entry.compressedSize))
                .expecting(sentence("an end at or before %1", m_directoryStart))
                .withHint("The file is damaged or mixed from two files; copy it again");
        }
        entry.localHeaderOffset = *start;
        if (entry.name.empty() || entry.name.find('\0') != std::string_view::npos) {
            CAIRN_CHECK(
                m_opening.object(zipError(ErrorCode::ZipBadEntry,
                                          "An archive entry has an invalid name", source(), entry)
                                     .butFound(entry.name.empty() ? Sentence("an empty name")
                                                                  : "a zero byte in the name")));
        }
        if (entry.encrypted()) {
            CAIRN_CHECK(m_opening.note(Severity::Error,
                                       zipError(ErrorCode::ZipEncrypted,
                                                "An archive entry is encrypted", source(), entry)));
        } else if (entry.method != 0 && entry.method != 8) {
            CAIRN_CHECK(m_opening.note(Severity::Error,
                                       zipError(ErrorCode::ZipBadMethod,
                                                "Unsupported compression of an archive entry",
                                                source(), entry)
                                           .butFound(sentence("method %1", entry.method))
                                           .withHint("Unpack the archive with its own program, and "
                                                     "save it again without compression")));
        }
        return {};
    }

    /// Sets each entry's limit; entries must not overlap, and the first starts the archive.
    Result<void> checkLayout() {
        auto& entries = m_opening.content->entries;
        std::vector<std::uint32_t> order(entries.size());
        std::iota(order.begin(), order.end(), 0U);
        const auto before = [&](std::uint32_t left, std::uint32_t right) {
            return entries[left].localHeaderOffset < entries[right].localHeaderOffset;
        };
        if (!std::is_sorted(order.begin(), order.end(), before)) {
            std::stable_sort(order.begin(), order.end(), before);
        }
        for (std::size_t i = 0; i < order.size(); ++i) {
            ZipEntry& entry = entries[order[i]];
            entry.limit =
                i + 1 < order.size() ? entries[order[i + 1]].localHeaderOffset : m_directoryStart;
            const std::uint64_t least =
                entry.localHeaderOffset + kLocalSize + entry.name.size() + entry.compressedSize;
            if (least > entry.limit) {
                CAIRN_CHECK(m_opening.object(
                    zipError(ErrorCode::ZipOverlap, "Two archive entries overlap", source(), entry)
                        .expecting(sentence("an end at or before %1", entry.limit))));
                entry.limit = least; // inspecting: allow reading as far as the entry declares
            }
        }
        const std::uint64_t first =
            order.empty() ? m_directoryStart : entries[order.front()].localHeaderOffset;
        if (first != 0) {
            return m_opening.object(
                zipError(ErrorCode::ZipBadDirectory, "The archive has bytes before its first entry",
                         source(), 0)
                    .butFound(sentence("%1 bytes", first))
                    .withHint("Other readers may interpret this file differently"));
        }
        return {};
    }

    Result<void> buildIndex() {
        auto& index = m_opening.content->index;
        const auto& entries = m_opening.content->entries;
        index.resize(entries.size());
        for (std::uint32_t i = 0; i < index.size(); ++i) {
            index[i] = {zipNameHash(entries[i].name), i};
        }
        using Slot = ZipArchive::Content::Slot;
        std::sort(index.begin(), index.end(), [&](const Slot& left, const Slot& right) {
            if (left.hash != right.hash) {
                return left.hash < right.hash;
            }
            const int order = entries[left.entry].name.compare(entries[right.entry].name);
            return order != 0 ? order < 0 : left.entry < right.entry;
        });
        for (std::size_t i = 1; i < index.size(); ++i) {
            const ZipEntry& entry = entries[index[i].entry];
            if (index[i].hash == index[i - 1].hash &&
                entry.name == entries[index[i - 1].entry].name) {
                CAIRN_CHECK(m_opening.object(
                    zipError(ErrorCode::ZipDuplicateName, "Two archive entries have the same name",
                             source(), entry)
                        .withHint("Readers that use the first and readers that use the last one "
                                  "see different contents; do not use this archive")));
            }
        }
        return {};
    }

    ZipOpening m_opening;
    std::uint64_t m_shift = 0;          ///< added to all stored offsets; 0 in a regular archive
    std::uint64_t m_directoryStart = 0; ///< including m_shift
};

} // namespace

Result<ZipArchive> openZip(ByteSourcePtr source, ZipStrictness strictness) {
    return Opener(std::move(source), strictness).open();
}

} // namespace cairn
