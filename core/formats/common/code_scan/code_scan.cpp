// SPDX-License-Identifier: Apache-2.0
#include "core/formats/code_scan.h"

#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/codec/pickle/scan.h"
#include "core/codec/tar/tar_index.h"
#include "core/formats/common/code_scan/code_scanner.h"

#include <algorithm>
#include <limits>
#include <utility>

// All content is handled in the same way: a file, a member of an archive, decompressed data, an
// item of a shard. Every container that a Python loader recognises is opened, and the pickle
// machine is applied to the start of any content.

namespace cairn::formats {

using pickle::Verdict;

namespace {

constexpr std::size_t kMaxGlobals = 20'000;
constexpr std::size_t kMaxReasons = 256;
constexpr int kMaxDepth = 8;
constexpr std::uint64_t kHead = 1024;
constexpr std::uint64_t kZipTail = 65'557; ///< an end record with the longest comment
constexpr std::uint64_t kContentWork = std::uint64_t{16} << 10U;
constexpr std::uint64_t kWorkPerByte = 64;
constexpr std::uint64_t kMaxText = std::uint64_t{64} << 20U;

/// Compressions and archives that some loaders open and Cairn does not.
std::string_view unopened(std::string_view head) {
    if (head.starts_with("\x04\x22\x4d\x18")) {
        return "LZ4";
    }
    if (head.starts_with("7z\xbc\xaf\x27\x1c")) {
        return "7-Zip";
    }
    return head.starts_with("Rar!\x1a\x07") ? "RAR" : "";
}

/// HDF5's magic number is at 0, or after a user block of 512 times a power of two.
Result<bool> beginsHdf5(const ByteSource& source, std::span<const std::byte> head) {
    constexpr std::string_view kMagic = "\x89HDF\r\n\x1a\n";
    if (asText(head).starts_with(kMagic)) {
        return true;
    }
    for (std::uint64_t at = 512; at <= 8192 && at + kMagic.size() <= source.size(); at *= 2) {
        CAIRN_TRY(const auto bytes, readRange(source, {at, kMagic.size()}));
        if (asText(bytes) == kMagic) {
            return true;
        }
    }
    return false;
}

/// LZMA without magic bytes whose window is not one of the usual ones, which Python's lzma reads if
/// it is told the format: the range coder's first byte is 0, and the size unknown or plausible.
bool mayBeUnusualLzma(std::span<const std::byte> head) {
    if (head.size() < 19 || std::to_integer<unsigned>(head[0]) >= 225 || head[13] != std::byte{0}) {
        return false;
    }
    const auto size = loadLittle<std::uint64_t>(head, 5);
    return size == std::numeric_limits<std::uint64_t>::max() ||
           (size > 0 && size < std::uint64_t{256} << 30U);
}

bool beginsZip(std::string_view head) {
    return head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06");
}

Result<bool> endsAsZip(const ByteSource& source) {
    const std::uint64_t length = std::min(source.size(), kZipTail);
    CAIRN_TRY(const auto tail, readRange(source, {source.size() - length, length}));
    return asText(tail).find("PK\x05\x06") != std::string_view::npos;
}

/// Programs and libraries of Linux and macOS.
bool isProgram(std::string_view head) {
    return head.starts_with("\x7f"
                            "ELF") ||
           head.starts_with("\xcf\xfa\xed\xfe");
}

/// Python also accepts a checksum of signed bytes, and an archive whose first member has no name.
bool beginsTar(std::span<const std::byte> head) {
    return looksLikeTar(head) ||
           (head.size() >= 512 && asText(head.subspan(257, 5)) == std::string_view("ustar"));
}

} // namespace

CodePlace CodePlace::inside(std::string_view name) const {
    CodePlace place = *this;
    place.member += (member.empty() ? "" : "!") + std::string(name);
    place.base = 0;
    ++place.depth;
    return place;
}

CodePlace CodePlace::at(std::uint64_t offset) const {
    CodePlace place = *this;
    place.base += offset;
    return place;
}

std::string CodePlace::text() const {
    return member.empty() ? file : file + "!" + member;
}

std::string_view CodePlace::lastName() const {
    const std::string_view name = member.empty() ? file : member;
    const std::size_t slash = name.find_last_of("/!");
    return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

CodeScanner::CodeScanner(CancelToken cancel, const ScanBounds& bounds)
    : m_cancel(std::move(cancel)), m_bounds(bounds) {}

void CodeScanner::worsen(Verdict verdict, const CodePlace& place, const Sentence& reason) {
    m_scan.verdict = std::max(m_scan.verdict, verdict);
    Sentence where = sentence("%1: %2", visibleText(place.text()), reason);
    if (m_scan.reasons.size() < kMaxReasons &&
        std::ranges::find(m_scan.reasons, where) == m_scan.reasons.end()) {
        m_scan.reasons.push_back(std::move(where));
    }
}

void CodeScanner::notExamined(const CodePlace& place, const Sentence& reason) {
    worsen(Verdict::NotExamined, place, sentence("Not examined: %1", reason));
}

/// A file whose content is examined next, and gets a share of work of its own.
void CodeScanner::startFile(std::uint64_t bytes) {
    m_work = 0;
    m_mostWork = m_bounds.work + kWorkPerByte * std::min(bytes, std::uint64_t{1} << 50U);
}

/// Content inside compressed data, of which a few bytes can contain any number, and each of which
/// may have to be decompressed from its beginning.
bool CodeScanner::outOfWork(const CodePlace& place) {
    if (place.expanded) {
        m_work += kContentWork + place.reach;
    }
    if (m_work <= m_mostWork) {
        return false;
    }
    CodePlace whole;
    whole.file = place.file;
    notExamined(whole, "the rest of what its archives expand to");
    return true;
}

/// Reports an exceeded limit once, at the first place that is skipped.
bool CodeScanner::outOfBounds(const CodePlace& place) {
    if (outOfWork(place)) {
        return true;
    }
    if (place.depth > kMaxDepth) {
        notExamined(place, "archives are nested too deeply");
        return true;
    }
    const bool late = m_bounds.time && std::chrono::steady_clock::now() - m_start > *m_bounds.time;
    if (!late && ++m_contents <= m_bounds.contents) {
        return false;
    }
    m_scan.verdict = std::max(m_scan.verdict, Verdict::NotExamined);
    const Sentence rest = "Not examined: the rest, which exceeds the limit of a quick scan";
    if (std::ranges::find(m_scan.reasons, rest) == m_scan.reasons.end()) {
        m_scan.reasons.push_back(rest);
    }
    return true;
}

void CodeScanner::addGlobal(pickle::ScannedGlobal global, const CodePlace& place) {
    auto key = std::tuple(place.file, place.member, global.module, global.name, global.risk);
    if (m_scan.globals.size() < kMaxGlobals && m_known.insert(std::move(key)).second) {
        m_scan.globals.push_back({std::move(global), place.file, place.member});
    }
}

Result<void> CodeScanner::add(pickle::PickleReport report, const CodePlace& place) {
    m_scan.pickles += report.streams;
    m_scan.verdict = std::max(m_scan.verdict, report.verdict);
    for (pickle::ScannedGlobal& global : report.globals) {
        global.offset += global.nested ? 0 : place.base;
        addGlobal(std::move(global), place);
    }
    for (const Sentence& reason : report.reasons) {
        worsen(report.verdict, place, reason);
    }
    for (pickle::NestedArchive& archive : report.archives) {
        const CodePlace inner = place.inside("bytes");
        CAIRN_CHECK(scanContent(makeMemorySource(std::move(archive.bytes), inner.text()), inner));
    }
    return {};
}

Result<void> CodeScanner::scanContent(const ByteSourcePtr& source, const CodePlace& place) {
    CAIRN_CHECK(m_cancel.check());
    if (source->size() == 0 || outOfBounds(place)) {
        return {};
    }
    const auto head = readRange(*source, {0, std::min(source->size(), kHead)});
    if (!head) {
        notExamined(place, head.error().message);
        return {};
    }
    CAIRN_CHECK(scanContainers(source, *head, place));
    if (beginsZip(asText(*head))) {
        return {}; // as a pickle it would begin with a persistent id, which every loader refuses
    }
    const std::string_view name = place.lastName();
    const bool expected = name.ends_with(".pkl") || name.ends_with(".pickle");
    return scanStreams(source, place, expected ? Certainty::Sure : Certainty::Possible);
}

Result<void> CodeScanner::scanContainers(const ByteSourcePtr& source,
                                         std::span<const std::byte> head, const CodePlace& place) {
    const std::string_view text = asText(head);
    if (beginsZip(text)) {
        return scanArchives(source, place, Certainty::Sure);
    }
    if (text.starts_with("\x93NUMPY")) {
        return scanNpy(source, place);
    }
    if (beginsTar(head)) {
        return scanTar(source, place);
    }
    if (const std::string_view kind = unopened(text); !kind.empty()) {
        notExamined(place, sentence("%1 is an unsupported compression", kind));
        return {};
    }
    if (const auto kind = compressionOf(head)) {
        return scanCompressed(source, *kind, place);
    }
    if (mayBeUnusualLzma(head)) {
        CAIRN_CHECK(scanCompressed(source, Compression::Lzma, place));
    }
    // joblib before 0.10: "ZF", the size as "0x…" in 19 characters (on Python 2 after a space),
    // zlib data.
    if (text.starts_with("ZF0x") && source->size() > 22) {
        const std::uint64_t begin = text[21] == ' ' ? 22 : 21;
        return scanCompressed(makeSliceSource(source, {begin, source->size() - begin}),
                              Compression::Zlib, place);
    }
    if (place.numbers) {
        return {};
    }
    const std::string_view name = place.lastName();
    if (name == "data" || name == ".zarray" || (name == "config.json" && !place.member.empty())) {
        CAIRN_TRY(const bool object, beginsObject(*source, place));
        if (object) {
            return name == "data"      ? scanFields(*source, place)
                   : name == ".zarray" ? scanObjectChunks(*source, place)
                                       : scanModelConfig(*source, place);
        }
    }
    if (!place.member.empty() && isProgram(text)) {
        notExamined(place, "a native program, which loaders of such archives run");
        return {};
    }
    const auto hdf5 = beginsHdf5(*source, head);
    if (!hdf5) {
        notExamined(place, hdf5.error().message);
        return {};
    }
    if (*hdf5) {
        CAIRN_CHECK(scanHdf5(source, place));
    }
    if (place.expanded && place.reach > 0) {
        m_work += source->size(); // the end is read, then the beginning again
    }
    const auto zip = endsAsZip(*source);
    if (!zip) {
        notExamined(place, zip.error().message);
        return {};
    }
    if (*zip) {
        // an archive that follows other data
        return scanArchives(source, place, Certainty::Possible);
    }
    return {};
}

/// Python's json skips any number of blanks, and reads a file's bytes in any Unicode encoding.
Result<bool> CodeScanner::beginsObject(const ByteSource& source, const CodePlace& place) {
    const std::uint64_t end = std::min(source.size(), kMaxText);
    for (std::uint64_t at = 0; at < end; at += kHead) {
        CAIRN_CHECK(m_cancel.check());
        const auto bytes = readRange(source, {at, std::min(kHead, end - at)});
        if (!bytes) {
            notExamined(place, bytes.error().message);
            return false;
        }
        const std::string_view text = asText(*bytes);
        if (at == 0 && (text.starts_with("\xef\xbb\xbf") || text.starts_with("\xff\xfe") ||
                        text.starts_with("\xfe\xff") ||
                        text.substr(0, 4).find('\0') != std::string_view::npos)) {
            if (place.lastName() == "config.json") {
                notExamined(place, "the text is not plain UTF-8");
            }
            return false;
        }
        const std::size_t first = text.find_first_not_of(" \t\r\n");
        if (first != std::string_view::npos) {
            return text[first] == '{';
        }
    }
    if (end < source.size()) {
        notExamined(place, "a text that begins with more blanks than are read");
    }
    return false;
}

Result<CodeScan> scanForCode(const Location& named, const CancelToken& cancel,
                             const ScanBounds& bounds) {
    CAIRN_TRY(const Location::Opened opened, named.open());
    CodeScanner scanner(cancel, bounds);
    if (opened.isFolder()) {
        CAIRN_CHECK(scanner.scanFolder(opened.folder, {}, 0));
        return std::move(scanner).take();
    }
    CAIRN_TRY(const ByteSourcePtr source, opened.folder->openFile(opened.name));
    CodePlace place;
    place.file = named.path().filename().string(); // for a link its own name
    scanner.startFile(source->size());
    CAIRN_CHECK(scanner.scanContent(source, place));
    return std::move(scanner).take();
}

Result<CodeScan> scanForCode(const Checkpoint& checkpoint, const CancelToken& cancel,
                             const ScanBounds& bounds) {
    CodeScanner scanner(cancel, bounds);
    std::vector<FolderPtr> folders;
    for (const CheckpointFile& file : checkpoint.files()) {
        if (file.folder && std::ranges::find(folders, file.folder) == folders.end()) {
            folders.push_back(file.folder);
        }
    }
    const auto own = Location(checkpoint.path()).open();
    const auto listed = own && own->isFolder()
                            ? std::optional<Result<std::vector<FolderEntry>>>(own->folder->list())
                            : std::nullopt;
    const bool isFolder = listed && *listed;
    if (isFolder) {
        std::vector<std::string> names;
        for (const FolderEntry& entry : **listed) {
            if (entry.kind == EntryKind::File || entry.kind == EntryKind::Link) {
                names.push_back(entry.name);
            }
        }
        CAIRN_CHECK(scanner.scanFiles(own->folder, {}, names));
    } else if (listed) { // the files that are known are examined
        CodePlace place;
        place.file = checkpoint.path().filename().string();
        scanner.notExamined(place, listed->error().message);
    }
    for (const FolderPtr& folder : folders) {
        std::vector<std::string> names;
        for (const CheckpointFile& file : checkpoint.files()) {
            const std::string& name = file.openAs.empty() ? file.path : file.openAs;
            const bool seen = isFolder && folder->path() == checkpoint.path() &&
                              name.find('/') == std::string::npos;
            if (file.folder == folder && !file.missing && !file.source && !seen &&
                std::ranges::find(names, name) == names.end()) {
                names.push_back(name);
            }
        }
        CAIRN_CHECK(scanner.scanFiles(folder, {}, names));
    }
    return std::move(scanner).take();
}

const FoundGlobal* worstGlobal(const CodeScan& scan) {
    const auto worst = std::ranges::find_if(
        scan.globals, [&](const FoundGlobal& found) { return found.global.risk == scan.verdict; });
    return scan.verdict == Verdict::Inert || worst == scan.globals.end() ? nullptr : &*worst;
}

std::string describeScan(const CodeScan& scan) {
    const FoundGlobal* worst = worstGlobal(scan);
    const std::string name =
        worst == nullptr ? "" : visibleText(worst->global.module + "." + worst->global.name);
    switch (scan.verdict) {
    case Verdict::Inert:
        return scan.pickles == 0 ? "" : "Its pickles only create values";
    case Verdict::UnknownClass:
        return "Its pickles name classes that are unknown to Cairn" +
               (name.empty() ? "" : ", such as " + name);
    case Verdict::Malformed:
        return "It contains a malformed pickle";
    case Verdict::NotExamined:
        return "Some of it could not be examined for code";
    case Verdict::Ambiguous:
        return "It contains a pickle that readers interpret differently";
    case Verdict::WouldRunCode:
        return "Loading it in Python would run " + (name.empty() ? std::string("code") : name) +
               "; nothing was executed";
    }
    return "";
}

} // namespace cairn::formats
