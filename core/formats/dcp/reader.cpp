// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/file_data.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/text/json_values.h"
#include "core/formats/dcp/index_file.h"
#include "core/formats/dcp/layout.h"
#include "core/formats/dcp/names.h"
#include "core/formats/dcp/placement.h"
#include "core/formats/dcp/step_check.h"
#include "core/formats/dcp/subclass_items.h"
#include "core/formats/dcp/unflatten.h"
#include "core/formats/dcp/values.h"
#include "core/formats/format.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace cairn::formats::dcp {
namespace {

constexpr std::string_view kShardEnd = ".distcp";
constexpr std::string_view kMeta = "meta.pt"; ///< Lightning
// Written by megatron-core's dist_checkpointing beside the index; it refuses to load without this
// file.
constexpr std::string_view kCommon = "common.pt";
constexpr std::string_view kMegatronConfig = "metadata.json";

std::vector<std::string> rankIndexes(std::span<const FolderEntry> entries) {
    std::vector<std::string> names;
    for (const FolderEntry& entry : entries) {
        if (rankInMetadataName(entry.name)) {
            names.push_back(entry.name);
        }
    }
    return names;
}

bool isShardOrIndexName(std::string_view name) {
    return name == kIndexName || rankInMetadataName(name) || rankInShardName(name);
}

Match probe(const Candidate& candidate) {
    if (!candidate.isFolder) { // a file stands for the folder that contains it
        const std::string name = candidate.path.filename().string();
        const bool pickleOrArchive =
            !candidate.head.empty() &&
            (candidate.head[0] == std::byte{0x80} || rankInShardName(name).has_value());
        return isShardOrIndexName(name) && pickleOrArchive ? Match::Yes : Match::No;
    }
    if (candidate.hasEntryEnding(kShardEnd)) {
        return Match::Yes;
    }
    return candidate.hasEntry(kIndexName) || !rankIndexes(candidate.entries).empty() ? Match::Maybe
                                                                                     : Match::No;
}

Error noIndex(const std::filesystem::path& path, std::span<const FolderEntry> entries) {
    const auto has = [&](std::string_view name) {
        return std::ranges::find(entries, name, &FolderEntry::name) != entries.end();
    };
    const auto shards = std::ranges::count_if(
        entries, [](const FolderEntry& e) { return e.name.ends_with(kShardEnd); });
    Error error =
        fail(ErrorCode::DcpNoMetadata, "The folder has shards but no index (.metadata)")
            .inFile(path.string())
            .butFound(sentence("%1 .distcp files%2", shards,
                               has(".metadata.tmp") ? Sentence(" and .metadata.tmp") : ""))
            .expecting(".metadata, which is written last");
    error.hint =
        has(".metadata.tmp")
            ? Sentence("The save is still running or was interrupted; use an older checkpoint")
            : "Was the folder copied without hidden files, or is it still being written?";
    return error;
}

/// The framework that wrote it, as far as names show.
std::string frameworkOf(const DcpIndex& index, std::span<const FolderEntry> entries) {
    const auto has = [&](std::string_view name) {
        return std::ranges::find(entries, name, &FolderEntry::name) != entries.end();
    };
    const auto named = [](std::string_view start) {
        return
            [start](const auto& entry) { return std::string_view(entry.name).starts_with(start); };
    };
    if (has(kMeta)) {
        return "lightning";
    }
    if (index.megatron || (has(kMegatronConfig) && has(kCommon))) {
        return "megatron";
    }
    const bool hasTrainState = std::ranges::any_of(index.items, named("train_state.")) ||
                               std::ranges::any_of(index.tensors, named("train_state."));
    if (hasTrainState && std::ranges::none_of(index.tensors, named("model."))) {
        return "torchtitan"; // its weights have no prefix
    }
    return "torch";
}

/// Adds Lightning's meta.pt or Megatron's common.pt: the training loop's state beside the sharded
/// state. Null: it cannot be read.
CheckpointPtr addCompanion(CheckpointData& data, const OpenRequest& request,
                           std::string_view name) {
    if (!request.openNested) {
        return nullptr;
    }
    auto nested = request.openNested(name);
    if (!nested) {
        data.notices.push_back({Severity::Error, std::move(nested).error()});
        data.completeness = Completeness::Incomplete;
        data.why.push_back(sentence("%1 cannot be read", name));
        return nullptr;
    }
    const std::uint32_t shift = append(data, **nested, "", "");
    data.loadValues = withCompanion(std::move(data.loadValues), *nested, shift);
    return std::move(*nested);
}

/// Whether `metadata.json` is megatron-core's.
bool namesBackends(const OpenRequest& request) {
    constexpr std::uint64_t kMaxConfig = std::uint64_t{1} << 20U;
    const auto json = readJsonFile(request.folder->openFile(kMegatronConfig), kMaxConfig);
    return json && json->find("sharded_backend") != nullptr;
}

/// Whether `common.pt` is from Megatron's training loop, by its usual contents.
bool isMegatrons(const Checkpoint& common) {
    const auto values = common.values();
    return values && (values->find("checkpoint_version") != nullptr ||
                      values->find("content_metadata") != nullptr);
}

/// Reports missing files without which megatron-core's loader refuses a folder: `common.pt`
/// contains the step, the arguments and the schedule, `metadata.json` the names of the backends.
void checkMegatron(CheckpointData& data, const OpenRequest& request) {
    const bool config = std::ranges::find(request.entries, kMegatronConfig, &FolderEntry::name) !=
                        request.entries.end();
    if (config && !namesBackends(request)) {
        markIncomplete(data, sentence("The file %1 cannot be read", kMegatronConfig));
        addNotice(
            data, Severity::Error,
            fail(ErrorCode::BadIndex, "A file of this Megatron checkpoint cannot be read")
                .inFile(std::string(kMegatronConfig))
                .expecting("a JSON object with sharded_backend, which megatron-core requires"));
    }
    for (const std::string_view name : {kCommon, kMegatronConfig}) {
        if (std::ranges::find(request.entries, name, &FolderEntry::name) != request.entries.end()) {
            continue;
        }
        data.addFile(missingFile(request.folder, std::string(name), Role::TrainingState));
        markIncomplete(data, sentence("The file %1 is missing", name));
        addNotice(data, Severity::Error,
                  fail(ErrorCode::MissingShard, "A file of this Megatron checkpoint is missing")
                      .inFile(std::string(name))
                      .expecting("the file beside .metadata; megatron-core requires it")
                      .withHint("Copy it from where the checkpoint was saved"));
    }
}

Result<CheckpointPtr> openFolder(const OpenRequest& request) {
    const auto has = [&](std::string_view name) {
        return std::ranges::find(request.entries, name, &FolderEntry::name) !=
               request.entries.end();
    };
    std::vector<std::string> names{std::string(kIndexName)};
    if (!has(kIndexName)) {
        names = rankIndexes(request.entries);
    }
    if (names.empty()) {
        return noIndex(request.path, request.entries);
    }
    CAIRN_TRY(IndexFiles read, readIndexFiles(request.folder, names, request.cancel));
    DcpIndex& index = read.index;
    ShardFolder shards{request.folder, request.entries, 0};
    for (const CheckpointFile& file : read.files) {
        shards.indexMtimeNs = std::max(shards.indexMtimeNs, file.identity.mtimeNs);
    }
    if (has(".metadata.tmp")) {
        index.notices.add(
            Severity::Error,
            fail(ErrorCode::BeingWritten, "A later save into this folder did not finish")
                .inFile(".metadata.tmp")
                .withHint("Shards may belong to that save instead of to the index"));
    }
    CheckpointData data = place(index, shards);
    const std::size_t shardCount = data.files.size();
    ExpandedTensors expanded = expandSubclasses(data, request.cancel);
    unflatten(data, index.reshaped);
    data.format = "dcp";
    data.framework = frameworkOf(index, request.entries);
    data.path = request.path;
    std::ranges::move(read.files, std::back_inserter(data.files));
    const std::vector<RankStep> ranks =
        prepareValues(data, std::move(index), std::move(expanded), shardCount, request.cancel);
    const CheckpointPtr meta = has(kMeta) ? addCompanion(data, request, kMeta) : nullptr;
    const CheckpointPtr common = has(kCommon) ? addCompanion(data, request, kCommon) : nullptr;
    if (data.framework == "megatron" || (common != nullptr && isMegatrons(*common)) ||
        (has(kMegatronConfig) && namesBackends(request))) {
        data.framework = "megatron";
        checkMegatron(data, request);
    }
    if (has(".metadata.tmp") && data.completeness == Completeness::Complete) {
        data.completeness = Completeness::Unknown;
        data.why.emplace_back("A later save into this folder did not finish");
    }
    CAIRN_CHECK(checkSteps(data, meta, request.cancel));
    checkRankSteps(data, ranks);
    return Checkpoint::make(std::move(data));
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    if (request.name.empty()) {
        return openFolder(request);
    }
    OpenRequest whole = request;
    whole.name.clear();
    whole.path =
        request.path.has_parent_path() ? request.path.parent_path() : std::filesystem::path(".");
    CAIRN_TRY(whole.entries, request.folder->list());
    return openFolder(whole);
}

constexpr auto kEndings = std::to_array<std::string_view>({".dcp"});
constexpr std::array<std::string_view, 3> kGlobs{".metadata", "*.distcp", "__*.metadata"};

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{
    .id = "dcp",
    .title = "PyTorch Distributed Checkpoint (also Lightning and Megatron folders)",
    .globs = kGlobs,
    .probe = probe,
    .open = open,
    .layout = layOut,
    .writes = {.endings = kEndings,
               .sharesBytes = true,
               .hasValues = true,
               .cutsTensors = true,
               .reader = "torch.distributed.checkpoint"},
    .lastFile = ".metadata",
};

} // namespace cairn::formats::dcp
