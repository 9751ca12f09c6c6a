// SPDX-License-Identifier: Apache-2.0
//
// A file's first bytes decide what it is looked at as: a zip archive (its *.pkl members), a legacy
// torch stream (the five pickles in front of its storages), a bare pickle. Shards of a DCP folder
// hold thousands of archives end to end: their places come from the checkpoint's own index, so that
// one small read each is enough.
#include "app/cli/pickle_scan.h"

#include "core/base/endian.h"
#include "core/codec/zip/zip_archive.h"
#include "core/codec/zstd/zstd_source.h"
#include "core/formats/dcp/index_file.h"
#include "core/formats/torch_legacy/stream.h"
#include "core/io/folder.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

namespace cairn::cli {
namespace {

namespace fs = std::filesystem;
using pickle::Verdict;

constexpr std::uint64_t kMaxPickle = std::uint64_t{1} << 30U;
constexpr std::uint64_t kMaxGuess = std::uint64_t{16}
                                    << 20U; // of a file that nothing says is a pickle
constexpr std::size_t kMaxGlobals = 10'000;
constexpr std::size_t kMaxReasons = 1'000;
constexpr std::size_t kMaxFiles = 100'000;
constexpr int kMaxDepth = 8;
constexpr int kMaxNesting = 3;

constexpr auto kPickleEndings = std::to_array<std::string_view>(
    {".pkl", ".pickle", ".pt", ".pth", ".bin", ".ckpt", ".metadata", ".pyt", ".joblib"});

bool endsLikePickle(std::string_view name) {
    return std::ranges::any_of(kPickleEndings,
                               [&](std::string_view ending) { return name.ends_with(ending); });
}

bool startsWith(std::span<const std::byte> head, std::string_view magic) {
    return asText(head).starts_with(magic);
}

bool startsLikePickle(std::span<const std::byte> head) {
    return head.size() >= 2 && head[0] == std::byte{0x80} && head[1] >= std::byte{1} &&
           head[1] <= std::byte{5};
}

class PathScanner {
public:
    explicit PathScanner(const CancelToken& cancel) : m_cancel(cancel) {}

    Result<PathScan> scan(const fs::path& path) {
        std::error_code error;
        if (fs::is_directory(path, error)) {
            CAIRN_TRY(const FolderPtr folder, Folder::open(path));
            CAIRN_CHECK(scanFolder(folder, "", 0));
            return std::move(m_result);
        }
        const fs::path real = fs::canonical(path, error);
        const fs::path& opened = error ? path : real;
        CAIRN_TRY(const FolderPtr folder,
                  Folder::open(opened.has_parent_path() ? opened.parent_path() : "."));
        CAIRN_TRY(const ByteSourcePtr source, folder->openFile(opened.filename().string()));
        scanFile(source, path.filename().string());
        CAIRN_CHECK(m_cancel.check());
        return std::move(m_result);
    }

private:
    void worsen(Verdict verdict, std::string reason) {
        m_result.verdict = std::max(m_result.verdict, verdict);
        if (m_result.reasons.size() < kMaxReasons) {
            m_result.reasons.push_back(std::move(reason));
        }
    }

    Result<void> scanFolder(const FolderPtr& folder, const std::string& prefix, int depth) {
        auto entries = folder->list();
        if (!entries) {
            if (depth == 0) {
                return std::move(entries).error();
            }
            worsen(Verdict::Malformed, prefix + ": " + entries.error().message);
            return {};
        }
        scanShards(folder, prefix, *entries);
        for (const FolderEntry& entry : *entries) {
            CAIRN_CHECK(m_cancel.check());
            if (entry.kind == EntryKind::Folder && depth < kMaxDepth) {
                if (const auto inner = folder->openFolder(entry.name)) {
                    CAIRN_CHECK(scanFolder(*inner, prefix + entry.name + "/", depth + 1));
                }
            } else if (entry.kind == EntryKind::File || entry.kind == EntryKind::Link) {
                const auto source = folder->openFile(entry.name);
                if (source && m_result.files < kMaxFiles &&
                    !m_shards.contains(prefix + entry.name)) {
                    scanFile(*source, prefix + entry.name);
                }
            }
        }
        return {};
    }

    /// The archives in the shards of a DCP folder.
    void scanShards(const FolderPtr& folder, const std::string& prefix,
                    std::span<const FolderEntry> entries) {
        std::vector<std::string> indexes;
        for (const FolderEntry& entry : entries) {
            if (entry.kind == EntryKind::File && entry.name.ends_with(".metadata")) {
                indexes.push_back(entry.name);
            }
        }
        if (indexes.empty()) {
            return;
        }
        const auto read = formats::dcp::readIndexFiles(folder, indexes, false, m_cancel);
        if (!read) {
            return; // the index is looked at as a pickle of its own
        }
        std::vector<ByteSourcePtr> open;
        for (const formats::dcp::IndexedFile& file : read->index.files) {
            auto source = folder->openFile(file.path);
            open.push_back(source ? *source : nullptr);
            m_shards.insert(prefix + file.path);
        }
        std::set<std::pair<std::uint32_t, std::uint64_t>> seen;
        const auto item = [&](FileIndex file, ByteRange bytes, CodecId codec) {
            const ByteSourcePtr source =
                file.position() < open.size() ? open[file.position()] : nullptr;
            if (source != nullptr && bytes.fitsInto(source->size()) &&
                seen.emplace(file.value, bytes.offset).second && !m_cancel.cancelled()) {
                scanItem(makeSliceSource(source, bytes),
                         prefix + read->index.files[file.position()].path, bytes.offset, codec);
            }
        };
        for (const formats::dcp::BytesItem& bytes : read->index.items) {
            item(bytes.file, bytes.bytes, bytes.codec);
        }
        for (const TensorEntry& tensor : read->index.tensors) {
            for (const Piece& piece : tensor.pieces) {
                item(piece.file, piece.bytes, piece.codec);
            }
        }
    }

    void scanItem(ByteSourcePtr source, const std::string& file, std::uint64_t base,
                  CodecId codec) {
        if (codec == formats::dcp::kZstdCodec && startsWithZstdFrame(*source)) {
            auto plain = openZstd(source, std::nullopt, kMaxPickle, m_cancel);
            if (!plain) {
                return worsen(Verdict::Malformed, file + ": " + plain.error().message);
            }
            source = *plain;
        }
        const auto head = readRange(*source, {0, std::min<std::uint64_t>(source->size(), 16)});
        if (!head) {
            return;
        }
        if (startsWith(*head, "PK\x03\x04")) {
            scanZip(source, file, base, 0);
        } else if (startsLikePickle(*head)) {
            scanBytes(*source, {0, source->size()}, file, base);
        }
    }

    void scanFile(const ByteSourcePtr& source, const std::string& file) {
        ++m_result.files;
        const std::uint64_t size = source->size();
        const auto head = readRange(*source, {0, std::min<std::uint64_t>(size, 4096)});
        if (!head) {
            return worsen(Verdict::Malformed, file + ": " + head.error().message);
        }
        if (startsWith(*head, "PK\x03\x04") || startsWith(*head, "PK\x05\x06")) {
            return scanZip(source, file, 0, 0);
        }
        if (formats::torch_legacy::beginsWithMagic(*head)) {
            const auto stream = formats::torch_legacy::readLegacyStream(*source);
            const std::uint64_t end = stream ? stream->dataOffset : std::min(size, kMaxPickle);
            return scanBytes(*source, {0, end}, file, 0);
        }
        if (head->empty() || looksLikeSafetensors(*head, size)) {
            return;
        }
        if (startsLikePickle(*head) || endsLikePickle(file)) {
            if (size > kMaxPickle) {
                return worsen(Verdict::Malformed, file + ": too large to be looked at as a pickle");
            }
            return scanBytes(*source, {0, size}, file, 0);
        }
        if (size <= kMaxGuess) {
            guess(*source, file);
        }
    }

    static bool looksLikeSafetensors(std::span<const std::byte> head, std::uint64_t size) {
        return head.size() > 9 && head[8] == std::byte{'{'} &&
               loadLittle<std::uint64_t>(head) < size;
    }

    /// A file that nothing says is a pickle counts only if it is one that does something.
    void guess(const ByteSource& source, const std::string& file) {
        const auto bytes = readRange(source, {0, source.size()});
        if (!bytes) {
            return;
        }
        pickle::PickleReport report = pickle::scanPickle(*bytes);
        if (report.verdict == Verdict::WouldRunCode || report.verdict == Verdict::UnknownClass) {
            add(std::move(report), file, 0, 0);
        }
    }

    void scanBytes(const ByteSource& source, ByteRange range, const std::string& file,
                   std::uint64_t base) {
        const auto bytes = readRange(source, range);
        if (!bytes) {
            return worsen(Verdict::Malformed, file + ": " + bytes.error().message);
        }
        add(pickle::scanPickle(*bytes), file, base, 0);
    }

    void add(pickle::PickleReport report, const std::string& file, std::uint64_t base,
             int nesting) {
        ++m_result.pickles;
        m_result.verdict = std::max(m_result.verdict, report.verdict);
        for (pickle::ScannedGlobal& global : report.globals) {
            const bool known =
                !m_seen.emplace(global.module + "\n" + global.name + "\n" + file, global.risk)
                     .second;
            if (known || m_result.globals.size() >= kMaxGlobals) {
                continue;
            }
            m_result.globals.push_back({std::move(global.module), std::move(global.name),
                                        global.risk, global.called, file,
                                        global.nested ? global.offset : base + global.offset});
        }
        for (std::string& reason : report.reasons) {
            worsen(report.verdict, file + ": " + reason);
        }
        for (pickle::NestedArchive& archive : report.archives) {
            const ByteSourcePtr inner = makeMemorySource(std::move(archive.bytes), file);
            if (nesting < kMaxNesting) {
                scanZip(inner, file + "!bytes", 0, nesting + 1);
            } else {
                worsen(Verdict::Malformed, file + ": archives are nested too deep");
            }
        }
    }

    void scanZip(const ByteSourcePtr& source, const std::string& file, std::uint64_t base,
                 int nesting) {
        const auto zip = openZip(source, ZipStrictness::Inspect);
        if (!zip) {
            return worsen(Verdict::Malformed, file + ": " + zip.error().message);
        }
        const bool shard = file.ends_with(".distcp") && !m_shards.contains(file);
        if (shard) { // archives end to end, of which only the index tells the places
            worsen(Verdict::UnknownClass,
                   file + ": no index names this shard; only its last archive was looked at");
        }
        for (const Notice& notice : shard ? std::span<const Notice>() : zip->notices()) {
            const ErrorCode code = notice.error.code;
            if (code == ErrorCode::ZipDuplicateName || code == ErrorCode::ZipOverlap ||
                code == ErrorCode::ZipLocalMismatch || code == ErrorCode::ZipBadDirectory ||
                code == ErrorCode::AmbiguousArchive) {
                worsen(Verdict::Ambiguous, file + ": " + notice.error.message);
            }
        }
        for (const ZipEntry& entry : zip->entries()) {
            if (m_cancel.cancelled()) {
                return;
            }
            if (entry.name.ends_with(".pkl") || entry.name.ends_with(".pickle")) {
                scanEntry(*zip, entry, file, base, nesting);
            }
        }
    }

    void scanEntry(const ZipArchive& zip, const ZipEntry& entry, const std::string& file,
                   std::uint64_t base, int nesting) {
        const std::string member = file + "!" + std::string(entry.name);
        const auto bytes = zip.readEntry(entry, kMaxPickle);
        if (!bytes) {
            const bool mismatch = bytes.error().code == ErrorCode::ZipLocalMismatch;
            return worsen(mismatch ? Verdict::Ambiguous : Verdict::Malformed,
                          member + ": " + bytes.error().message);
        }
        const auto range = entry.stored() ? zip.dataRange(entry) : Result<ByteRange>(ByteRange{});
        add(pickle::scanPickle(*bytes), member, range && entry.stored() ? base + range->offset : 0,
            nesting);
    }

    const CancelToken& m_cancel;
    PathScan m_result;
    std::set<std::pair<std::string, Verdict>> m_seen;
    std::set<std::string> m_shards; ///< looked at item by item
};

} // namespace

Result<PathScan> scanPath(const fs::path& path, const CancelToken& cancel) {
    return PathScanner(cancel).scan(path);
}

} // namespace cairn::cli
