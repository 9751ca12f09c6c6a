// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/buffers/buffers.h"
#include "core/codec/tar/tar_index.h"
#include "core/formats/common/archives/archive_members.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/common/torch/torch_zip.h"
#include "core/formats/format.h"
#include "core/formats/yaml_value.h"
#include "core/io/member_folder.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

// NeMo archives: a tar around a torch zip. README.md.

namespace cairn::formats::nemo {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>({"*.nemo"});
constexpr std::string_view kWeights = "model_weights.ckpt";
constexpr std::string_view kWeightsFolder = "model_weights"; ///< a distributed checkpoint
constexpr std::string_view kConfig = "model_config.yaml";
constexpr std::string_view kContext = "context";      ///< of NeMo 2
constexpr std::string_view kModelFile = "model.yaml"; ///< in it
constexpr std::uint64_t kMaxConfig = std::uint64_t{4} << 20U;
constexpr std::uint64_t kMaxInMemory = std::uint64_t{48} << 20U;
constexpr std::size_t kMostArchives = 4096;

bool isGzip(std::span<const std::byte> head) {
    return asText(head).starts_with("\x1f\x8b");
}

/// The folder with the distributed checkpoint in a NeMo 2 folder or an unpacked archive; empty:
/// none.
std::string_view weightsFolder(std::span<const FolderEntry> entries) {
    const auto has = [&](std::string_view name) {
        return std::ranges::find(entries, name, &FolderEntry::name) != entries.end();
    };
    return has(kContext) && has("weights")       ? "weights"
           : has(kConfig) && has(kWeightsFolder) ? kWeightsFolder
                                                 : "";
}

Match probe(const Candidate& candidate) {
    if (candidate.isFolder) {
        return weightsFolder(candidate.entries).empty() ? Match::No : Match::Maybe;
    }
    const bool named = candidate.path.extension() == ".nemo";
    if (isGzip(candidate.head)) {
        return named ? Match::Yes : Match::No;
    }
    return !looksLikeTar(candidate.head) ? Match::No : named ? Match::Yes : Match::Maybe;
}

std::string_view baseName(std::string_view path) {
    return path.substr(path.rfind('/') + 1); // npos + 1 is 0
}

Error noWeights(const std::vector<TarMember>& members) {
    const auto has = [&](std::string_view name) {
        return std::ranges::any_of(members,
                                   [&](const TarMember& member) { return member.name == name; });
    };
    if (has("storages") && has("tensors") && has("pickle")) {
        return fail(ErrorCode::Unsupported, "A torch file from before 0.2, not a NeMo file")
            .withHint("Rename it to .pt");
    }
    return fail(ErrorCode::NotACheckpoint, "The tar archive does not contain known weights")
        .butFound(members.empty() ? "no files" : sentence("%1 and others", members.front().name))
        .expecting(verbatim(std::string(kWeights)));
}

/// Adds the torch zip of one member; its tensors get `prefix`.
Result<void> addArchive(const OpenRequest& request, const ByteSourcePtr& source,
                        const TarMember& member, CheckpointData& data,
                        std::vector<ValueItem>& values, ValueRecords& records) {
    const std::size_t slash = member.name.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : member.name.substr(0, slash);
    auto archive = openTorchArchive(makeSliceSource(source, member.bytes));
    if (!archive) {
        Error error = std::move(archive).error();
        if (error.where.offset) {
            error.where.offset = *error.where.offset + member.bytes.offset;
        }
        return std::move(error).inFile(request.name).inField(member.name);
    }
    ZipStorages storages(*archive, data, member.bytes.offset);
    CAIRN_TRY(TorchObjects objects, readTorchObjects(archive->graph, storages, request.cancel));
    const auto shift = static_cast<std::uint32_t>(data.tensors.size());
    std::string prefix = folder.empty() ? "" : folder + ".";
    std::ranges::replace(prefix, '/', '.');
    for (TensorEntry& entry : objects.tensors) {
        entry.name = prefix + entry.name;
        if (entry.aliasOf) {
            entry.aliasOf = TensorIndex(entry.aliasOf->position() + shift);
        }
    }
    Value root = shiftTensors(objects.root, shift);
    if (folder.empty() && root.isContainer()) {
        values.insert(values.end(), root.items().begin(), root.items().end());
    } else {
        values.push_back({Value(folder), std::move(root)});
    }
    for (Sentence& why : objects.why()) {
        data.completeness = Completeness::Incomplete;
        data.why.push_back(std::move(why));
    }
    std::ranges::move(archive->notices, std::back_inserter(data.notices));
    records += archive->records;
    adoptObjects(data, objects, member.name + " (decoded)");
    return {};
}

/// Compressed archives have no ranges in the file, so small ones are kept in memory.
Result<ByteSourcePtr> decompressed(const ByteSource& source, const std::string& name) {
    const auto tooLarge = [&](Sentence found) {
        return fail(ErrorCode::Unsupported,
                    "The compressed archive is too large to be decompressed in memory")
            .inFile(name)
            .butFound(std::move(found))
            .expecting(sentence("at most %1 bytes, or a plain tar archive", kMaxInMemory))
            .withHint("gunzip it first: mv x.nemo x.tar.gz && gunzip x.tar.gz && mv x.tar x.nemo");
    };
    if (source.size() > kMaxInMemory) {
        return tooLarge(sentence("%1 bytes of gzip", source.size()));
    }
    CAIRN_TRY(const auto compressed, readRange(source, {0, source.size()}));
    auto bytes = decodeBuffer(Compression::Gzip, compressed, kMaxInMemory);
    if (!bytes && bytes.error().code == ErrorCode::LimitExceeded) {
        return tooLarge("gzip of more than that");
    }
    if (!bytes) {
        return std::move(bytes).error().inFile(name);
    }
    return makeMemorySource(std::move(*bytes), name + " (decompressed)");
}

/// Reports that the tar may be truncated.
void noteEnd(CheckpointData& data, const ByteSource& source, const TarIndex& index) {
    if (index.ended) {
        return;
    }
    data.completeness = Completeness::Incomplete;
    data.why.emplace_back("The tar archive has no end marker");
    data.notices.push_back(
        {Severity::Error,
         fail(ErrorCode::Truncated, "The tar archive has no end marker; it may be truncated")
             .at(source.size())
             .expecting("two blocks of zeros")});
}

void noteFile(CheckpointData& data, const std::string& name) {
    for (Notice& notice : data.notices) {
        notice.error.where.file = notice.error.where.file.empty() ? name : notice.error.where.file;
    }
}

/// Adds the settings of the model before the weights' values.
ValueLoader withSettings(CheckpointPtr weights, std::vector<ValueItem> settings) {
    return [weights = std::move(weights),
            settings = std::move(settings)](const CancelToken& cancel) -> Result<LoadedValues> {
        CAIRN_TRY(LoadedValues loaded, weights->valuesWithRecords(cancel));
        if (settings.empty()) {
            return loaded;
        }
        std::vector<ValueItem> items = settings;
        if (loaded.value.isContainer()) {
            items.insert(items.end(), loaded.value.items().begin(), loaded.value.items().end());
        }
        loaded.records.unchecked += settings.size();
        return LoadedValues(Value::dict(std::move(items)), loaded.records);
    };
}

/// A small file's text, if it exists and has a plausible size.
Result<std::optional<std::string>> readText(const Folder& folder, std::string_view name) {
    const auto file = folder.openFile(name);
    if (!file || (*file)->size() > kMaxConfig) {
        return std::optional<std::string>();
    }
    CAIRN_TRY(const auto text, readRange(**file, {0, (*file)->size()}));
    return std::optional(std::string(asText(text)));
}

/// `model_config.yaml` as text (NeMo 1), the fields of `context/model.yaml` (NeMo 2).
Result<std::vector<ValueItem>> readSettings(const Folder& root, CheckpointData& data) {
    std::vector<ValueItem> settings;
    CAIRN_TRY(const auto config, readText(root, kConfig));
    if (config) {
        settings.push_back({Value(kConfig), Value(*config)});
    }
    const auto context = root.openFolder(kContext);
    if (!context) {
        return settings;
    }
    CAIRN_TRY(const auto model, readText(**context, kModelFile));
    if (model) {
        YamlDocument document =
            parseYaml(*model, std::string(kContext) + "/" + std::string(kModelFile));
        settings.push_back({Value(kModelFile), std::move(document.value)});
        std::ranges::move(document.notices, std::back_inserter(data.notices));
    }
    return settings;
}

/// Opens the weights, a checkpoint in a folder inside `root`.
Result<CheckpointData> openWeights(const OpenRequest& request, const FolderPtr& root,
                                   const std::string& inner) {
    CAIRN_TRY(const CheckpointPtr weights, request.openInside(root, inner));
    CheckpointData data;
    CAIRN_TRY(auto settings, readSettings(*root, data));
    data.format = weights->format();
    data.framework = "nemo";
    data.path = request.path;
    append(data, *weights, {}, inner + "/");
    data.completeness = weights->completeness();
    data.why.assign(weights->why().begin(), weights->why().end());
    data.worldSize = weights->data().worldSize;
    data.step = weights->data().step;
    data.epoch = weights->data().epoch;
    data.loadValues = withSettings(weights, std::move(settings));
    return data;
}

/// The archive's members as a folder.
FolderPtr folderOf(ByteSourcePtr source, const TarIndex& index, std::filesystem::path path) {
    std::vector<FolderMember> members;
    members.reserve(index.members.size());
    for (const TarMember& member : index.members) {
        members.push_back({member.name, member.bytes});
    }
    return makeMemberFolder(std::move(source), members, std::move(path));
}

/// The folder in the archive that contains model_config.yaml: its root, or its only folder.
Result<FolderPtr> rootOf(FolderPtr folder) {
    CAIRN_TRY(const auto entries, folder->list());
    return entries.size() == 1 && entries[0].kind == EntryKind::Folder &&
                   entries[0].name != kWeightsFolder
               ? folder->openFolder(entries[0].name)
               : Result<FolderPtr>(std::move(folder));
}

/// A distributed checkpoint among the members; empty: none.
Result<std::optional<CheckpointData>> openMembers(const OpenRequest& request,
                                                  const ByteSourcePtr& source,
                                                  const TarIndex& index, CheckpointFile archive) {
    CAIRN_TRY(const FolderPtr root, rootOf(folderOf(source, index, request.path)));
    CAIRN_TRY(const auto entries, root->list());
    const bool bare = std::ranges::any_of(entries, [](const FolderEntry& entry) {
        return entry.name == kWeightsFolder && entry.kind == EntryKind::Folder;
    });
    const std::string inner(bare ? kWeightsFolder
                                 : weightsFolder(entries)); // with or without config
    if (inner.empty()) {
        return std::optional<CheckpointData>();
    }
    CAIRN_TRY(CheckpointData data, openWeights(request, root, inner));
    data.format = "nemo";
    moveIntoArchive(data, std::move(archive));
    return std::optional(std::move(data));
}

Result<CheckpointPtr> openArchive(const OpenRequest& request) {
    CAIRN_TRY(ByteSourcePtr source, request.openSelf());
    CAIRN_TRY(const auto head, readRange(*source, {0, std::min<std::uint64_t>(source->size(), 2)}));
    CheckpointData data = fileData("nemo", request, *source);
    if (isGzip(head)) {
        CAIRN_TRY(source, decompressed(*source, request.name));
        CheckpointFile stored = data.files[0];
        data.addFile(
            std::move(stored)); // listed only; the elements are read from the decompressed copy
        data.files[0].path = source->name();
        data.files[0].source = source;
        data.files[0].identity = {};
        data.files[0].identity.size = source->size();
    }
    auto index = indexTar(*source);
    if (!index) {
        return std::move(index).error().inFile(request.name);
    }
    data.framework = "nemo";
    data.completeness = Completeness::Complete;
    std::vector<ValueItem> values;
    ValueRecords records;
    std::size_t archives = 0;
    for (const TarMember& member : index->members) {
        CAIRN_CHECK(request.cancel.check());
        if (baseName(member.name) == kWeights && ++archives <= kMostArchives) {
            CAIRN_CHECK(addArchive(request, source, member, data, values, records));
        } else if (member.name == kConfig && member.bytes.length <= kMaxConfig) {
            CAIRN_TRY(const auto text, readRange(*source, member.bytes));
            values.push_back({Value(kConfig), Value(asText(text))});
            ++records.unchecked;
        }
    }
    if (archives == 0) {
        CAIRN_TRY(auto inside, openMembers(request, source, *index, data.files[0]));
        if (!inside) {
            return noWeights(index->members).inFile(request.name);
        }
        inside->files.insert(inside->files.end(), data.files.begin() + 1, data.files.end());
        data = std::move(*inside);
    } else {
        data.loadValues = [loaded = LoadedValues(Value::dict(std::move(values)), records)](
                              const CancelToken&) -> Result<LoadedValues> { return loaded; };
    }
    noteEnd(data, *source, *index);
    noteFile(data, request.name);
    return Checkpoint::make(std::move(data));
}

Result<CheckpointPtr> openFolder(const OpenRequest& request) {
    CAIRN_TRY(CheckpointData data,
              openWeights(request, request.folder, std::string(weightsFolder(request.entries))));
    return Checkpoint::make(std::move(data));
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    return request.name.empty() ? openFolder(request) : openArchive(request);
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{
    .id = "nemo", .title = "NeMo", .globs = kGlobs, .probe = probe, .open = open};

} // namespace cairn::formats::nemo
