// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/code_scan.h"

#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/formats/common/code_scanner.h"

#include <algorithm>
#include <utility>

namespace cairn::formats {
namespace {

using pickle::Verdict;

constexpr std::size_t kMaxGlobals = 20'000;
constexpr std::size_t kMaxReasons = 256;
constexpr std::uint64_t kMaxWhole = std::uint64_t{64} << 20; // read at once
constexpr std::uint64_t kMaxRecord = std::uint64_t{2} << 30; // a pickle in an archive
constexpr std::uint64_t kFirstWindow = std::uint64_t{1} << 20;
constexpr int kMaxDepth = 4;

bool beginsPickle(std::span<const std::byte> head) {
    return head.size() >= 2 && head[0] == std::byte{0x80} &&
           std::to_integer<unsigned>(head[1]) <= 5;
}

/// Protocols 0 and 1 have no mark; their streams begin with one of these and hold only text.
bool mayBeOldPickle(std::span<const std::byte> head, std::string_view name) {
    constexpr std::string_view kOpeners = "(c]}IKJFSVNilpd";
    const bool named = name.ends_with(".pkl") || name.ends_with(".pickle") ||
                       name.ends_with(".metadata") || name.ends_with(".pt") ||
                       name.ends_with(".pth") || name.ends_with(".bin") || name.ends_with(".ckpt");
    if (head.empty()) {
        return false;
    }
    const auto first = std::to_integer<char>(head[0]);
    const bool import =
        (first == 'c' || first == 'i') && asText(head).find('\n') != std::string_view::npos;
    return import || (named && kOpeners.find(first) != std::string_view::npos);
}

bool isStorageRecord(std::string_view name) {
    const std::size_t slash = name.rfind('/');
    return slash != std::string_view::npos && name.substr(0, slash).ends_with("/data") &&
           name.find_first_not_of("0123456789", slash + 1) == std::string_view::npos;
}

} // namespace

void CodeScanner::worsen(Verdict verdict, const std::string& name, std::string_view reason) {
    m_scan.verdict = std::max(m_scan.verdict, verdict);
    std::string sentence = visibleText(name) + ": " + std::string(reason);
    if (m_scan.reasons.size() < kMaxReasons &&
        std::ranges::find(m_scan.reasons, sentence) == m_scan.reasons.end()) {
        m_scan.reasons.push_back(std::move(sentence));
    }
}

void CodeScanner::unreadable(const std::string& name, const Error& error) {
    worsen(Verdict::Malformed, name, error.message);
}

void CodeScanner::scanBytes(std::span<const std::byte> bytes, std::uint64_t base,
                            const std::string& name, bool follow, int depth) {
    pickle::PickleReport report = pickle::scanPickle(bytes, {.follow = follow});
    ++m_scan.pickles;
    m_scan.verdict = std::max(m_scan.verdict, report.verdict);
    for (pickle::ScannedGlobal& global : report.globals) {
        global.offset += global.nested ? 0 : base;
        const bool known = std::ranges::any_of(m_scan.globals, [&](const FoundGlobal& found) {
            return found.file == name && found.global.module == global.module &&
                   found.global.name == global.name && found.global.risk == global.risk;
        });
        if (!known && m_scan.globals.size() < kMaxGlobals) {
            m_scan.globals.push_back({std::move(global), name});
        }
    }
    for (const std::string& reason : report.reasons) {
        worsen(report.verdict, name, reason);
    }
    for (pickle::NestedArchive& archive : report.archives) {
        if (depth >= kMaxDepth) {
            worsen(Verdict::Ambiguous, name, "Archives lie too deep inside each other");
            continue;
        }
        const auto inner = makeMemorySource(std::move(archive.bytes), name + "!bytes");
        (void)scanArchive(inner, name + "!bytes", depth + 1);
    }
}

/// Pickles one after the other, and whatever data follow them (the legacy format has gigabytes
/// there).
Result<void> CodeScanner::scanStreams(const ByteSourcePtr& source, const std::string& name,
                                      int depth) {
    if (source->size() <= kFirstWindow) {
        CAIRN_TRY(const auto bytes, readRange(*source, {0, source->size()}));
        const pickle::PickleRun first = pickle::runPickle(std::span<const std::byte>(bytes));
        const bool legacy =
            first.graph.integerText(first.graph.root()) == "119547037146038801333356";
        if (!legacy) {
            scanBytes(bytes, 0, name, true, depth);
            return {};
        }
    }
    for (std::uint64_t window = kFirstWindow;; window *= 4) {
        CAIRN_CHECK(m_cancel.check());
        const std::uint64_t length = std::min(window, source->size());
        CAIRN_TRY(const auto bytes, readRange(*source, {0, length}));
        std::uint64_t at = 0;
        int streams = 0;
        bool cut = false;
        while (at < length && streams < 16) {
            const auto rest = std::span(bytes).subspan(static_cast<std::size_t>(at));
            const pickle::PickleRun run = pickle::runPickle(rest, {.lenient = true});
            if (run.error) {
                cut = run.error->code == ErrorCode::PickleTruncated && length < source->size();
                break;
            }
            at += run.graph.consumed();
            ++streams;
        }
        // The legacy format has five streams; what follows are numbers, not a sixth that was cut.
        if (cut && streams < 5 && length < source->size()) {
            continue;
        }
        const std::uint64_t end = streams == 5 ? at : std::min(length, std::max(at, kMaxWhole));
        scanBytes(std::span(bytes).first(static_cast<std::size_t>(end)), 0, name, true, depth);
        if (streams == 5 && at < length) { // a sixth pickle right behind them
            const auto rest = std::span(bytes).subspan(static_cast<std::size_t>(at));
            const pickle::PickleRun run = pickle::runPickle(rest, {.lenient = true});
            if (!run.error && !run.graph.globals().empty()) {
                scanBytes(rest, at, name, false, depth);
            }
        }
        return {};
    }
}

/// An array of objects is a pickle behind the header.
Result<void> CodeScanner::scanNpy(const ByteSourcePtr& source, const std::string& name, int depth) {
    const std::uint64_t size = source->size();
    CAIRN_TRY(const auto head, readRange(*source, {0, std::min<std::uint64_t>(size, 65'536 + 12)}));
    if (head.size() < 12) {
        return {};
    }
    const bool wide = std::to_integer<unsigned>(head[6]) >= 2;
    const std::uint64_t length =
        wide ? loadLittle<std::uint32_t>(head, 8) : loadLittle<std::uint16_t>(head, 8);
    const std::uint64_t begin = (wide ? 12 : 10) + length;
    const std::string_view header = asText(head).substr(
        0, static_cast<std::size_t>(std::min<std::uint64_t>(begin, head.size())));
    if (header.find('O') == std::string_view::npos || begin >= size || size - begin > kMaxRecord) {
        return {};
    }
    CAIRN_TRY(const auto bytes, readRange(*source, {begin, size - begin}));
    if (beginsPickle(bytes)) {
        scanBytes(bytes, begin, name, true, depth);
    }
    return {};
}

Result<void> CodeScanner::scanRecord(const ZipArchive& zip, const ZipEntry& entry,
                                     const std::string& name, int depth) {
    if (entry.isFolder() || entry.size == 0 || isStorageRecord(entry.name)) {
        return {};
    }
    if (entry.encrypted()) {
        worsen(Verdict::Ambiguous, name, "The record is encrypted, or says so");
        return {};
    }
    auto source = zip.openEntry(entry);
    if (!source) {
        worsen(Verdict::Ambiguous, name, source.error().message);
        return {};
    }
    const auto head = readRange(**source, {0, std::min<std::uint64_t>(entry.size, 16)});
    if (!head) {
        unreadable(name, head.error());
        return {};
    }
    if (asText(*head).starts_with("PK\x03\x04")) {
        return scanArchive(*source, name, depth + 1);
    }
    if (asText(*head).starts_with("\x93NUMPY")) {
        return scanNpy(*source, name, depth);
    }
    if (mayHoldFields(name, *head)) {
        return scanFields(**source, name, depth);
    }
    const bool named = entry.name.ends_with(".pkl");
    if (!named && !beginsPickle(*head)) {
        return {};
    }
    const auto bytes = zip.readEntry(entry, kMaxRecord);
    if (!bytes) {
        unreadable(name, bytes.error());
        return {};
    }
    const auto range = entry.stored() ? zip.dataRange(entry) : Result<ByteRange>(ByteRange{});
    scanBytes(*bytes, range ? range->offset : 0, name, named, depth);
    return {};
}

Result<void> CodeScanner::scanArchive(const ByteSourcePtr& source, const std::string& name,
                                      int depth) {
    if (depth > kMaxDepth) {
        worsen(Verdict::Ambiguous, name, "Archives lie too deep inside each other");
        return {};
    }
    const auto zip = openZip(source, ZipStrictness::Inspect);
    if (!zip) {
        worsen(zip.error().code == ErrorCode::ZipNoDirectory ? Verdict::Malformed
                                                             : Verdict::Ambiguous,
               name, zip.error().message);
        return {};
    }
    for (const Notice& notice : zip->notices()) {
        const ErrorCode code = notice.error.code;
        const bool doubtful =
            code == ErrorCode::ZipDuplicateName || code == ErrorCode::ZipOverlap ||
            code == ErrorCode::ZipLocalMismatch || code == ErrorCode::ZipBadDirectory ||
            code == ErrorCode::ZipBadEntry || code == ErrorCode::AmbiguousArchive;
        if (doubtful) {
            worsen(Verdict::Ambiguous, name, notice.error.message);
        }
    }
    for (const ZipEntry& entry : zip->entries()) {
        CAIRN_CHECK(m_cancel.check());
        CAIRN_CHECK(scanRecord(*zip, entry, name + "!" + std::string(entry.name), depth));
    }
    return {};
}

Result<void> CodeScanner::scanFile(const ByteSourcePtr& source, const std::string& name,
                                   int depth) {
    CAIRN_CHECK(m_cancel.check());
    const auto head = readRange(*source, {0, std::min<std::uint64_t>(source->size(), 256)});
    if (!head) {
        unreadable(name, head.error());
        return {};
    }
    if (asText(*head).starts_with("PK\x03\x04")) {
        return scanArchive(source, name, depth);
    }
    if (asText(*head).starts_with("\x93NUMPY")) {
        return scanNpy(source, name, depth);
    }
    if (mayHoldFields(name, *head)) {
        return scanFields(*source, name, depth);
    }
    if (beginsPickle(*head) || mayBeOldPickle(*head, name)) {
        return scanStreams(source, name, depth);
    }
    return {};
}

Result<CodeScan> scanForCode(const std::filesystem::path& path, const CancelToken& cancel) {
    std::error_code code;
    const auto real = std::filesystem::canonical(path, code);
    if (code) {
        return fail(ErrorCode::NotFound, "Cannot open this path")
            .inFile(path.string())
            .butFound(code.message());
    }
    CodeScanner scanner(cancel);
    if (std::filesystem::is_directory(real, code)) {
        CAIRN_TRY(const FolderPtr folder, Folder::open(real));
        CAIRN_CHECK(scanner.scanFolder(folder, {}, 0));
        return std::move(scanner).take();
    }
    CAIRN_TRY(const FolderPtr folder, Folder::open(real.parent_path()));
    const std::string name = real.filename().string();
    CAIRN_TRY(const ByteSourcePtr source, folder->openFile(name));
    CAIRN_CHECK(scanner.scanFile(source, name, 0));
    return std::move(scanner).take();
}

} // namespace cairn::formats
