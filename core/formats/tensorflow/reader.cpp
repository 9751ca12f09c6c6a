// SPDX-License-Identifier: Apache-2.0
#include "core/codec/sstable/sstable.h"
#include "core/formats/format.h"
#include "core/formats/tensorflow/folder.h"
#include "core/formats/tensorflow/layout.h"
#include "core/formats/tensorflow/names.h"
#include "core/formats/tensorflow/saver_v1.h"

#include <array>

namespace cairn::formats::tensorflow {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>({"*.index", "*.ckpt-*"});

/// LevelDB's own tables end with the same magic number.
bool isDatabaseFile(const std::filesystem::path& path) {
    return path.extension() == ".ldb" || path.extension() == ".sst";
}

/// Other programs use "*.index" names, too: a file without a table's magic number is TensorFlow's
/// if it has a shard.
bool hasShard(const Candidate& candidate, std::string_view prefix) {
    const auto entries = candidate.folder != nullptr ? candidate.folder->list()
                                                     : Result<std::vector<FolderEntry>>(Error());
    return entries && std::ranges::any_of(*entries, [&](const FolderEntry& entry) {
               const auto shard = parseShardFile(entry.name);
               return shard && shard->prefix == prefix;
           });
}

Match probe(const Candidate& candidate) {
    if (candidate.isFolder) {
        switch (folderKind(candidate.entries)) {
        case FolderKind::Other:
            return Match::No;
        case FolderKind::OldPrefixes: // whether the files are tables is checked when they are
                                      // opened
            return Match::Maybe;
        default:
            return Match::Yes;
        }
    }
    if (sstable::endsWithMagic(candidate.tail)) {
        return isDatabaseFile(candidate.path) ? Match::No : Match::Yes;
    }
    const std::string name = candidate.path.filename().string();
    const bool isCutIndex = name.ends_with(kIndexSuffix) &&
                            hasShard(candidate, name.substr(0, name.size() - kIndexSuffix.size()));
    return isCutIndex || parseShardFile(name) ? Match::Maybe : Match::No;
}

/// Opens the checkpoint to which a shard belongs.
Result<CheckpointPtr> openByShard(const OpenRequest& request, const ShardFile& shard) {
    const std::string prefix(shard.prefix);
    if (!request.folder->hasFile(prefix + std::string(kIndexSuffix))) {
        return fail(ErrorCode::MissingShard, "The index of this shard is missing")
            .inFile(request.path.string())
            .expecting(sentence("%1%2 beside it", prefix, kIndexSuffix))
            .withHint("Copy it from where the checkpoint was saved");
    }
    return openPrefix(request, prefix, request.path);
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    if (request.name.empty()) {
        return openFolder(request);
    }
    if (const auto shard = parseShardFile(request.name)) {
        return openByShard(request, *shard);
    }
    if (request.name.ends_with(kIndexSuffix)) {
        return openPrefix(request,
                          request.name.substr(0, request.name.size() - kIndexSuffix.size()),
                          request.path);
    }
    CAIRN_TRY(CheckpointData data, readSaverV1(request));
    return Checkpoint::make(std::move(data));
}

/// V1 files are always listed separately: nothing else identifies the checkpoints of a folder.
bool isSeries(const Candidate& candidate) {
    return candidate.isFolder && folderKind(candidate.entries) == FolderKind::OldPrefixes;
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{.id = "tensorflow",
                         .title = "TensorFlow",
                         .globs = kGlobs,
                         .probe = probe,
                         .open = open,
                         .layout = layOut,
                         .isSeries = isSeries,
                         .savesIn = savesIn,
                         .writes = {.sharesBytes = true,
                                    .splitsFiles = true,
                                    .reader = "tf.train.load_checkpoint",
                                    .hasStrings = true,
                                    .objectGraph = kObjectGraphKey}};

} // namespace cairn::formats::tensorflow
