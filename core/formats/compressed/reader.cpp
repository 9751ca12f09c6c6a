// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/codec/compressed/compressed_source.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/format.h"
#include "core/io/member_folder.h"

#include <algorithm>
#include <array>
#include <utility>

// A checkpoint in a file that is compressed as one unit, decompressed into memory. README.md.

namespace cairn::formats::compressed {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>(
    {"*.joblib",    "*.joblib.gz",  "*.joblib.bz2", "*.joblib.xz",  "*.joblib.lzma", "*.joblib.z",
     "*.pkl.gz",    "*.pkl.bz2",    "*.pkl.xz",     "*.pkl.zst",    "*.pkl.lzma",    "*.pkl.z",
     "*.pickle.gz", "*.pickle.bz2", "*.pickle.xz",  "*.pickle.zst", "*.pt.gz",       "*.pt.bz2",
     "*.pt.xz",     "*.pt.zst",     "*.pth.gz",     "*.pth.bz2",    "*.pth.xz",      "*.pth.zst",
     "*.ckpt.gz",   "*.ckpt.bz2",   "*.ckpt.xz",    "*.ckpt.zst",   "*.npy.gz",      "*.npy.bz2",
     "*.npy.xz",    "*.npy.zst",    "*.msgpack.gz", "*.msgpack.zst"});

/// Decompressed data has no ranges in the file, so it is kept in memory.
constexpr std::uint64_t kMaxInMemory = std::uint64_t{256} << 20U;
constexpr std::size_t kHead = 16;

struct Kind {
    Compression compression;
    std::string_view name;
    std::string_view command;
    std::string_view endings; ///< each with a space after it
    bool magic;               ///< recognised by its first bytes alone
};
constexpr auto kKinds = std::to_array<Kind>({
    {Compression::Gzip, "gzip", "gzip -dk", ".gz .gzip .tgz ", true},
    {Compression::Bzip2, "bzip2", "bzip2 -dk", ".bz2 ", true},
    {Compression::Xz, "xz", "xz -dk", ".xz ", true},
    {Compression::Zstd, "zstd", "zstd -d", ".zst .zstd ", true},
    {Compression::Zlib, "zlib", "", ".z .zlib ", false},
    {Compression::Lzma, "lzma", "xz -dk --format=lzma", ".lzma ", false},
});

const Kind* kindOf(std::span<const std::byte> head) {
    const auto found = compressionOf(head.first(std::min(head.size(), kHead)));
    const auto* kind = std::ranges::find(kKinds, found, &Kind::compression);
    return found && kind != kKinds.end() ? kind : nullptr;
}

bool hasEnding(std::string_view name, std::string_view endings) {
    const std::size_t dot = name.rfind('.');
    return dot != std::string_view::npos &&
           endings.find(std::string(name.substr(dot)) + " ") != std::string_view::npos;
}

/// Endings of files that joblib and pandas compress without an ending of their own.
constexpr std::string_view kPickles = ".joblib .jl .pkl .pickle ";

Match probe(const Candidate& candidate) {
    if (candidate.isFolder) {
        return Match::No;
    }
    const Kind* kind = kindOf(candidate.head);
    const std::string name = candidate.path.filename().string();
    const bool named =
        kind != nullptr && (hasEnding(name, kind->endings) || hasEnding(name, kPickles));
    return kind != nullptr && (kind->magic || named) ? Match::Maybe : Match::No;
}

/// "model.pkl.gz" -> "model.pkl".
std::string innerName(const std::string& name, const Kind& kind) {
    return hasEnding(name, kind.endings) ? name.substr(0, name.rfind('.')) : name;
}

Sentence howTo(const Kind& kind) {
    return kind.command.empty()
               ? Sentence("Load it in a safe place, and save it without compression")
               : sentence("Decompress it: %1 FILE", kind.command);
}

Result<ByteSourcePtr> decompressed(const OpenRequest& request, ByteSourcePtr source,
                                   const Kind& kind) {
    const ExpansionLimits limits{.most = kMaxInMemory, .free = kMaxInMemory / 8, .ratio = 1000};
    CAIRN_TRY(const Decompressed opened,
              openCompressed(std::move(source), kind.compression, limits, request.cancel));
    if (opened.incomplete && opened.incomplete->code == ErrorCode::LimitExceeded) {
        return fail(ErrorCode::Unsupported,
                    sentence("A file compressed with %1 is too large to be decompressed in memory",
                             kind.name))
            .inFile(request.name)
            .expecting(sentence("at most %1 bytes", kMaxInMemory))
            .withHint(howTo(kind));
    }
    if (opened.incomplete) {
        return Error(*opened.incomplete).inFile(request.name);
    }
    CAIRN_TRY(auto bytes, readRange(*opened.content, {0, opened.content->size()}));
    return makeMemorySource(std::move(bytes), innerName(request.name, kind) + " (decompressed)");
}

/// The content's files become the decompressed data; the file itself is listed after them.
CheckpointPtr inFile(const Checkpoint& inner, const OpenRequest& request,
                     const ByteSourcePtr& content, const FileIdentity& stored) {
    CheckpointData data = inner.data();
    data.format = "compressed";
    data.path = request.path;
    for (CheckpointFile& file : data.files) {
        if (file.source == nullptr && !file.missing) {
            file.path = content->name();
            file.openAs.clear();
            file.folder = nullptr;
            file.source = content;
            file.identity = {};
            file.identity.size = content->size();
        }
    }
    data.addFile(fileIn(request.folder, request.name, stored));
    return Checkpoint::make(std::move(data));
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    CAIRN_TRY(const ByteSourcePtr source, request.openSelf());
    CAIRN_TRY(const auto head,
              readRange(*source, {0, std::min<std::uint64_t>(source->size(), kHead)}));
    const Kind* kind = kindOf(head);
    if (kind == nullptr) {
        return fail(ErrorCode::ChangedOnDisk, "The file changed while it was being read")
            .inFile(request.name);
    }
    CAIRN_TRY(const ByteSourcePtr content, decompressed(request, source, *kind));
    const std::string name = innerName(request.name, *kind);
    const std::array members{FolderMember{name, {0, content->size()}}};
    const FolderPtr folder = makeMemberFolder(content, members, request.path);
    auto inner = request.openInside(folder, name);
    if (!inner && inner.error().code == ErrorCode::NotACheckpoint) {
        Error error = fail(ErrorCode::NotACheckpoint,
                           sentence("A file compressed with %1 that does not contain a checkpoint",
                                    kind->name))
                          .inFile(request.path.string())
                          .at(0)
                          .withHint(howTo(*kind));
        error.found = std::move(inner).error().message;
        return error;
    }
    if (!inner) {
        return std::move(inner).error().inFile(request.name);
    }
    return inFile(**inner, request, content, source->identity());
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{.id = "compressed",
                         .title = "Compressed file (gzip, bzip2, xz, zstd, zlib, lzma)",
                         .globs = kGlobs,
                         .probe = probe,
                         .open = open};

} // namespace cairn::formats::compressed
