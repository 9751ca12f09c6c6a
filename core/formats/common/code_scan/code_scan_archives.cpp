// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/tar/tar_index.h"
#include "core/formats/common/code_scan/code_scanner.h"
#include "core/io/member_folder.h"
#include "core/io/prefetch.h"

#include <algorithm>
#include <utility>

// Content of archives and compressed data.

namespace cairn::formats {
namespace {

using pickle::Verdict;

constexpr std::uint16_t kMethodDeflate = 8;
constexpr std::uint16_t kMethodBzip2 = 12;
constexpr std::uint16_t kMethodLzma = 14;
constexpr std::uint16_t kMethodZstd = 93;
constexpr std::uint64_t kMostKept = std::uint64_t{8} << 20U;
constexpr std::uint64_t kMostCopied = std::uint64_t{64} << 20U; ///< of HDF5 without a local file
constexpr std::uint64_t kIndexWork = std::uint64_t{64} << 10U;  ///< of starting the index process

/// "archive/data/17": the elements of a tensor.
bool isStorageRecord(std::string_view name) {
    const std::size_t slash = name.rfind('/');
    return slash != std::string_view::npos && name.substr(0, slash).ends_with("/data") &&
           name.find_first_not_of("0123456789", slash + 1) == std::string_view::npos;
}

bool hasTorchRecords(const ZipArchive& zip) {
    return std::ranges::any_of(
        zip.entries(), [](const ZipEntry& entry) { return entry.name.ends_with("/data.pkl"); });
}

/// The file of which a source is a part, and the range in it.
std::pair<ByteSourcePtr, ByteRange> originOf(ByteSourcePtr source) {
    ByteRange range{0, source->size()};
    while (const auto* part = dynamic_cast<const PartOfSource*>(source.get())) {
        range.offset += part->beginInWhole();
        source = ByteSourcePtr(source, &part->whole()); // which its parts keep alive
    }
    return {std::move(source), range};
}

/// Errors of archives that two readers may interpret differently.
bool isAmbiguous(ErrorCode code) {
    return code == ErrorCode::ZipDuplicateName || code == ErrorCode::ZipOverlap ||
           code == ErrorCode::ZipLocalMismatch || code == ErrorCode::ZipBadDirectory ||
           code == ErrorCode::ZipBadEntry || code == ErrorCode::AmbiguousArchive;
}

} // namespace

/// Archives may follow each other or other data: a shard of a distributed checkpoint is a sequence
/// of them, and Python's zipfile reads the last. Each one is examined separately, from the last to
/// the first, and so is the data before them. Possible: only
/// the end of the data looks like an archive.
Result<void> CodeScanner::scanArchives(const ByteSourcePtr& source, const CodePlace& place,
                                       Certainty certainty) {
    if (place.expanded && source->size() > m_bounds.expanded) {
        notExamined(place, "the archive is too large to be decompressed");
        return {};
    }
    for (std::uint64_t end = source->size(); end > 0;) {
        CAIRN_CHECK(m_cancel.check());
        const auto zip = openZip(makeSliceSource(source, {0, end}), ZipStrictness::Inspect);
        if (!zip && isReadFailure(zip.error())) {
            notExamined(place, zip.error().message);
            return {};
        }
        if (!zip && end < source->size()) {
            return scanContent(makeSliceSource(source, {0, end}), place.inside("front"));
        }
        if (!zip) {
            if (certainty == Certainty::Sure) {
                worsen(zip.error().code == ErrorCode::ZipNoDirectory ? Verdict::Malformed
                                                                     : Verdict::Ambiguous,
                       place, zip.error().message);
            }
            return {};
        }
        std::uint64_t begin = zip->entries().empty() ? 0 : end;
        for (const ZipEntry& entry : zip->entries()) {
            begin = std::min(begin, entry.localHeaderOffset);
        }
        if (begin == 0) {
            return scanArchive(*zip, place);
        }
        const auto alone =
            openZip(makeSliceSource(source, {begin, end - begin}), ZipStrictness::Inspect);
        CAIRN_CHECK(scanArchive(alone ? *alone : *zip, alone ? place.at(begin) : place));
        if (outOfBounds(place)) {
            return {};
        }
        end = begin;
    }
    return {};
}

Result<void> CodeScanner::scanArchive(const ZipArchive& zip, const CodePlace& place) {
    for (const Notice& notice : zip.notices()) {
        if (isAmbiguous(notice.error.code)) {
            worsen(Verdict::Ambiguous, place, notice.error.message);
        }
    }
    CAIRN_CHECK(scanPrograms(zip, place));
    const bool torch = hasTorchRecords(zip);
    for (const ZipEntry& entry : zip.entries()) {
        CAIRN_CHECK(m_cancel.check());
        CodePlace inner = place.inside(entry.name);
        inner.base = place.base;
        inner.numbers = torch && isStorageRecord(entry.name);
        CAIRN_CHECK(scanRecord(zip, entry, inner));
    }
    return {};
}

Result<void> CodeScanner::scanRecord(const ZipArchive& zip, const ZipEntry& entry,
                                     const CodePlace& place) {
    if (entry.size == 0) {
        return {};
    }
    if (entry.encrypted()) {
        notExamined(place, "the record is marked as encrypted");
        return {};
    }
    CodePlace inner = place;
    const auto source = openRecord(zip, entry, inner);
    if (!source) {
        CAIRN_CHECK(m_cancel.check());
        if (isAmbiguous(source.error().code)) {
            worsen(Verdict::Ambiguous, place, source.error().message);
        } else {
            notExamined(place, source.error().message);
        }
        return {};
    }
    return scanContent(*source, inner);
}

/// Also opens entries that Python's zipfile accepts but Cairn's readers do not, because those
/// expect stored entries.
Result<ByteSourcePtr> CodeScanner::openRecord(const ZipArchive& zip, const ZipEntry& entry,
                                              CodePlace& place) {
    place.expanded = place.expanded || !entry.stored();
    const std::uint16_t method = entry.method;
    if (method != kMethodBzip2 && method != kMethodLzma && method != kMethodZstd) {
        CAIRN_TRY(ByteSourcePtr source, zip.openEntry(entry));
        if (entry.stored()) {
            CAIRN_TRY(const ByteRange range, zip.dataRange(entry));
            place.base += range.offset;
            if (place.reach > 0) {
                source = settle(std::move(source), place);
            }
        } else {
            place.base = 0;
            source = settle(std::move(source), place);
        }
        return source;
    }
    CAIRN_TRY(const ByteRange range, zip.dataRange(entry));
    place.base = 0;
    const Compression kind = method == kMethodBzip2  ? Compression::Bzip2
                             : method == kMethodLzma ? Compression::ZipLzma
                                                     : Compression::Zstd;
    return expand(makeSliceSource(zip.source(), range), kind, place);
}

/// The decompressed data, as far as it can be decoded.
Result<ByteSourcePtr> CodeScanner::expand(const ByteSourcePtr& source, Compression kind,
                                          CodePlace& place) {
    ExpansionLimits limits;
    limits.most = m_bounds.expanded;
    CAIRN_TRY(Decompressed opened, openCompressed(source, kind, limits, m_cancel));
    // Damaged from some position on, or followed by other data: a loader would have read the part
    // that can be decoded, whose pickle reports that it is truncated.
    // Python's gzip does not compare the header's checksum, and ignores reserved flags.
    if (opened.incomplete && opened.incomplete->code == ErrorCode::LimitExceeded) {
        notExamined(place, opened.incomplete->message);
    } else if (opened.incomplete && opened.incomplete->code == ErrorCode::BadEncoding &&
               kind == Compression::Gzip) {
        notExamined(place, "gzip data that zlib refuses, of which Python may read more");
    }
    return settle(std::move(opened.content), place);
}

/// Decompressed content that is small is kept in memory, because each step back in it would
/// decompress it again.
ByteSourcePtr CodeScanner::settle(ByteSourcePtr source, CodePlace& place) {
    m_work += source->size();
    if (source->size() <= kMostKept) {
        if (auto bytes = readRange(*source, {0, source->size()})) {
            place.reach = 0;
            return makeMemorySource(std::move(*bytes), source->name());
        }
    }
    place.reach = std::max(place.reach, source->size());
    return source;
}

Result<void> CodeScanner::scanCompressed(const ByteSourcePtr& source, Compression kind,
                                         const CodePlace& place) {
    if (place.numbers) {
        return {}; // tensor elements that happen to begin like compressed data
    }
    CodePlace inner = place.inside("content");
    inner.expanded = true;
    const auto content = expand(source, kind, inner);
    if (!content) {
        CAIRN_CHECK(m_cancel.check());
        notExamined(place, content.error().message);
        return {};
    }
    return scanContent(*content, inner);
}

Result<void> CodeScanner::scanTar(const ByteSourcePtr& source, const CodePlace& place) {
    if (place.expanded && source->size() > m_bounds.expanded) {
        notExamined(place, "the archive is too large to be decompressed");
        return {};
    }
    const auto index = indexTar(*source);
    if (!index) {
        notExamined(place, index.error().message);
        return {};
    }
    std::vector<FolderMember> members;
    for (const TarMember& member : index->members) {
        members.push_back({member.name, member.bytes});
    }
    const FolderPtr folder = makeMemberFolder(source, members, source->name());
    std::set<std::string> shards;
    for (const TarMember& member : index->members) {
        if (member.name.ends_with(".metadata")) {
            const std::size_t slash = member.name.rfind('/') + 1; // 0: not in a folder
            CAIRN_CHECK(scanItems(folder, member.name.substr(0, slash), member.name.substr(slash),
                                  place, shards));
        }
    }
    for (const TarMember& member : index->members) {
        CAIRN_CHECK(m_cancel.check());
        CodePlace inner = place.inside(member.name);
        inner.base = place.base + member.bytes.offset;
        if (shards.contains(member.name)) {
            continue;
        }
        ByteSourcePtr content = makeSliceSource(source, member.bytes);
        if (inner.reach > 0) {
            content = settle(std::move(content), inner);
        }
        CAIRN_CHECK(scanContent(content, inner));
    }
    return {};
}

/// The configuration of a Keras model may contain Python bytecode, and PyTables pickles what HDF5
/// has no type for.
Result<void> CodeScanner::scanHdf5(const ByteSourcePtr& source, const CodePlace& place) {
    const auto [origin, range] = originOf(source);
    if (origin->descriptor() < 0 && range.length > kMostCopied) {
        notExamined(place, "HDF5 of this size can only be read from local files");
        return {};
    }
    if (place.depth > 0) {
        m_work += kIndexWork + (place.reach > 0 ? range.length : 0);
    }
    const auto index = hdf5::readIndex(origin, range, m_cancel);
    if (!index) {
        CAIRN_CHECK(m_cancel.check());
        notExamined(place, index.error().message);
        return {};
    }
    scanAttributes(*index, place);
    for (const hdf5::Attribute& attribute : index->attributes) {
        if (attribute.name == "model_config") {
            for (const std::string& text : attribute.texts) {
                assessModelConfig(text, place.inside(attribute.name));
            }
        }
    }
    return {};
}

} // namespace cairn::formats
