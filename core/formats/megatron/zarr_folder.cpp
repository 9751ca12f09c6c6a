// SPDX-License-Identifier: Apache-2.0
#include "core/formats/megatron/zarr_folder.h"

#include "core/formats/common/members/file_data.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/text/json_values.h"
#include "core/formats/common/zarr_arrays/array_folders.h"
#include "core/formats/common/zarr_arrays/placement.h"
#include "core/formats/megatron/rank_folders.h"
#include "core/model/names/role_words.h"
#include "core/model/role_decision.h"
#include "core/model/saved_values.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace cairn::formats::megatron {
namespace {

constexpr std::string_view kMetadata = "metadata.json";
constexpr std::string_view kCommon = "common.pt";
constexpr std::string_view kLocks =
    ".sync"; ///< folder of zarr.ProcessSynchronizer next to an array
constexpr std::uint64_t kMaxMetadata = std::uint64_t{1} << 20U;
constexpr std::size_t kMaxPeeks = 16;
constexpr std::size_t kFewObjects = 512; ///< up to this many are all examined
constexpr std::size_t kMostObjects = 4096;
constexpr std::uint64_t kSmallObject = 4096; ///< too small to contain a tensor

bool has(std::span<const FolderEntry> entries, std::string_view name) {
    return std::ranges::any_of(entries, [&](const FolderEntry& entry) {
        return entry.name == name && entry.kind != EntryKind::Folder;
    });
}

bool isNoArray(std::string_view name) {
    return name.ends_with(kLocks);
}

/// "shard_0.3_1.4.pt": the position in a grid of objects.
bool isObjectName(std::string_view name) {
    return name.starts_with("shard_") && name.ends_with(".pt");
}

class ZarrSave {
public:
    explicit ZarrSave(const OpenRequest& request) : m_request(request) {
        m_data.format = "megatron";
        m_data.framework = "megatron";
        m_data.path = request.path;
        m_data.completeness = Completeness::Complete;
    }

    Result<CheckpointPtr> read() {
        CAIRN_CHECK(readMetadata());
        CAIRN_CHECK(addArrays());
        addCommon();
        CAIRN_CHECK(addObjects());
        m_data.step = iterationOfFolder(m_request.path.filename().string());
        setValues();
        return Checkpoint::make(std::move(m_data));
    }

private:
    struct Nested {
        std::string name; ///< empty: its values are at the top level
        CheckpointPtr checkpoint;
        std::uint32_t shift = 0;
    };

    void note(Severity severity, Error error) {
        if (++m_notices[error.code] <= kMaxOfAKind) {
            m_data.notices.push_back({severity, std::move(error)});
        }
    }

    Result<void> readMetadata() {
        if (!has(m_request.entries, kMetadata)) {
            markIncomplete(m_data, "metadata.json, which is written last, is missing");
            note(Severity::Warning, fail(ErrorCode::BeingWritten, "The save did not finish")
                                        .inFile(std::string(kMetadata))
                                        .withHint("Use an older checkpoint"));
            return {};
        }
        CAIRN_TRY(const ByteSourcePtr source, m_request.folder->openFile(kMetadata));
        CAIRN_TRY(const JsonValue json, readJsonFile(*source, kMaxMetadata));
        const JsonValue* backend = json.find("sharded_backend");
        const auto text = backend == nullptr ? Result<std::string_view>("") : backend->asString();
        const std::string name = text ? std::string(*text) : "";
        if (name != "zarr") {
            return fail(ErrorCode::Unsupported, "Unknown storage back end of the folder")
                .inFile(std::string(kMetadata))
                .inField("sharded_backend")
                .butFound(name.empty() ? Sentence("nothing") : verbatim(name))
                .expecting("zarr, or torch_dist with .metadata and shards");
        }
        addFile(std::string(kMetadata), source->identity());
        return {};
    }

    FileIndex addFile(std::string path, const FileIdentity& identity) {
        return m_data.addFile(fileIn(m_request.folder, std::move(path), identity));
    }

    Result<void> addArrays() {
        zarr_arrays::StoredFiles stored;
        auto listed = zarr_arrays::listArrayFolders(m_request.folder, m_request.entries, isNoArray,
                                                    stored, m_request.cancel);
        if (!listed && listed.error().code == ErrorCode::Cancelled) {
            return listed;
        }
        if (!listed) {
            stored.damaged = true;
            note(Severity::Error, std::move(listed).error());
        }
        if (stored.damaged) {
            markIncomplete(m_data, "Parts of the folder could not be read");
        }
        for (Notice& notice : stored.notices) {
            note(notice.severity, std::move(notice.error));
        }
        // zarr was configured to write empty chunks, so an absent chunk is missing.
        zarr_arrays::ArrayContext context{
            m_data, {}, {}, true, [this](Severity severity, Error error) {
                note(severity, std::move(error));
            }};
        for (zarr_arrays::StoredFile& file : stored.files) {
            context.files.push_back(addFile(std::move(file.path), file.identity));
        }
        zarr_arrays::Placer placer(context);
        for (const auto& [name, array] : stored.arrays.arrays()) {
            placer.add(name, array, modelRole(name));
        }
        decideRolesByName(m_data.tensors);
        return {};
    }

    /// Adds the training loop's state, which is stored with the sharded state; its values become
    /// the checkpoint's.
    void addCommon() {
        if (!has(m_request.entries, kCommon)) {
            markIncomplete(m_data, "common.pt is missing");
            note(Severity::Error,
                 fail(ErrorCode::MissingShard, "A part is missing").inFile(std::string(kCommon)));
            return;
        }
        addNested(std::string(kCommon), {});
    }

    void addNested(const std::string& path, const std::string& name) {
        auto nested = m_request.openNested(path);
        if (!nested) {
            markIncomplete(m_data, sentence("%1 cannot be read", path));
            note(Severity::Error, std::move(nested).error());
            return;
        }
        const std::string prefix = name.empty() ? "" : name + ".";
        const auto role =
            name.empty() ? std::nullopt : names::roleOfKey(name.substr(0, name.find('/')));
        const std::uint32_t shift = append(m_data, **nested, prefix, {}, role);
        m_nested.push_back({name, std::move(*nested), shift});
    }

    /// Adds objects that were saved by each rank: random states, extra states of Transformer
    /// Engine.
    Result<void> addObjects() {
        struct Object {
            std::string key;
            std::string name;
            FileIdentity identity;
        };
        std::vector<Object> objects;
        for (const FolderEntry& entry : m_request.entries) {
            CAIRN_CHECK(m_request.cancel.check());
            if (entry.kind != EntryKind::Folder || isNoArray(entry.name) ||
                m_request.folder->hasFile(entry.name + "/.zarray")) {
                continue;
            }
            auto listed = entriesOf(m_request.folder->openFolder(entry.name));
            if (!listed) {
                continue; // already reported when the arrays were listed
            }
            for (const FolderEntry& file : *listed) {
                if (file.kind != EntryKind::Folder && isObjectName(file.name)) {
                    objects.push_back({entry.name, file.name, file.identity});
                }
            }
        }
        std::size_t left = 0;
        std::size_t read = 0;
        for (const Object& object : objects) {
            CAIRN_CHECK(m_request.cancel.check());
            const std::string path = object.key + "/" + object.name;
            const bool large = object.identity.size > kSmallObject;
            if (read < kMostObjects && (large || objects.size() <= kFewObjects)) {
                addNested(path, path.substr(0, path.size() - 3));
                ++read;
                continue;
            }
            addFile(path, object.identity);
            ++left;
        }
        if (left > 0) {
            note(Severity::Info,
                 fail(ErrorCode::Unsupported, "Small objects of the ranks are listed but not read")
                     .butFound(sentence("%1 of %2", left, objects.size())));
        }
        return {};
    }

    void setValues() {
        m_data.loadValues = [parts = std::make_shared<const std::vector<Nested>>(std::move(
                                 m_nested))](const CancelToken& cancel) -> Result<LoadedValues> {
            std::vector<ValueItem> all;
            ValueRecords records;
            for (const Nested& part : *parts) {
                auto values = part.checkpoint->valuesWithRecords(cancel);
                if (!values && values.error().code == ErrorCode::Cancelled) {
                    return values;
                }
                if (!values) { // one unreadable part does not hide the others
                    const std::string file = part.checkpoint->path().filename().string();
                    all.push_back({Value(part.name.empty() ? file : part.name),
                                   unreadableValue(values.error())});
                    continue;
                }
                records += values->records;
                Value shifted = shiftTensors(values->value, part.shift);
                if (part.name.empty() && shifted.isContainer()) {
                    all.insert(all.begin(), shifted.items().begin(), shifted.items().end());
                } else {
                    all.push_back({Value(part.name), std::move(shifted)});
                }
            }
            return LoadedValues(Value::dict(std::move(all)), records);
        };
    }

    static constexpr std::size_t kMaxOfAKind = 20;

    const OpenRequest& m_request;
    CheckpointData m_data;
    std::vector<Nested> m_nested;
    std::map<ErrorCode, std::size_t> m_notices;
};

} // namespace

bool isZarrSave(const Candidate& candidate) {
    if (!candidate.isFolder || !has(candidate.entries, kCommon) ||
        has(candidate.entries, ".metadata") || candidate.hasEntryEnding(".distcp")) {
        return false;
    }
    if (has(candidate.entries, kMetadata)) {
        return true;
    }
    std::size_t peeks = 0;
    for (const FolderEntry& entry : candidate.entries) {
        if (entry.kind == EntryKind::Folder && ++peeks <= kMaxPeeks &&
            candidate.folder != nullptr && candidate.folder->hasFile(entry.name + "/.zarray")) {
            return true;
        }
    }
    return false;
}

Result<CheckpointPtr> readZarrSave(const OpenRequest& request) {
    return ZarrSave(request).read();
}

} // namespace cairn::formats::megatron
