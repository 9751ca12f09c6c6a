// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/file_data.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/text/json_values.h"
#include "core/formats/format.h"
#include "core/formats/orbax/folder_facts.h"
#include "core/formats/orbax/item.h"
#include "core/formats/orbax/layout.h"
#include "core/formats/orbax/tree.h"
#include "core/model/names/role_words.h"
#include "core/model/names/tokens.h"
#include "core/model/saved_values.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace cairn::formats::orbax {
namespace {

constexpr int kMaxDepth = 3; ///< nested items: `rng/jax_random_key`
constexpr std::size_t kMaxItems = 1000;

constexpr auto kMemberNames = std::to_array<std::string_view>(
    {"manifest.ocdbt", kTreeMetadata, kStepMetadata, "_sharding", "commit_success.txt"});
constexpr std::string_view kCommitMetadata = "metadata.json";
constexpr auto kJsonItems = std::to_array<std::string_view>({"metadata", "metrics"});

std::optional<std::int64_t> asCount(const JsonValue& json) {
    const auto number = json.asInteger();
    return number && *number >= 0 ? std::optional(*number) : std::nullopt;
}

/// A sub-folder that is an item of an old step without `_CHECKPOINT_METADATA`; one with that file
/// is a step itself.
bool isItemFolder(const Candidate& candidate, const FolderEntry& entry) {
    if (entry.kind != EntryKind::Folder || stepOf(entry.name) || entry.name.starts_with('.')) {
        return false;
    }
    const auto folder = candidate.openFolder(entry.name);
    const auto holds = [&](std::string_view name) { return (*folder)->hasFile(name); };
    return folder && !holds(kStepMetadata) &&
           (holds("manifest.ocdbt") || holds(kTreeMetadata) || holds(".zarray") ||
            holds("zarr.json") || isAggregate(**folder));
}

Match probe(const Candidate& candidate) {
    if (!candidate.isFolder) { // a file stands for the folder that contains it
        const std::string name = candidate.path.filename().string();
        const bool member = std::ranges::find(kMemberNames, name) != kMemberNames.end();
        return member && name != "commit_success.txt" ? Match::Yes : Match::No;
    }
    if (isTree(candidate.entries) || has(candidate.entries, kStepMetadata, EntryKind::File) ||
        has(candidate.entries, kMarker, EntryKind::File)) {
        return Match::Yes;
    }
    if (has(candidate.entries, kAggregate, EntryKind::File) && candidate.folder != nullptr &&
        isAggregate(*candidate.folder)) {
        return Match::Maybe;
    }
    if (isZarrRoot(candidate.entries)) {
        return Match::Maybe;
    }
    std::size_t peeks = 0;
    for (const FolderEntry& entry : candidate.entries) {
        if (entry.kind == EntryKind::Folder && ++peeks <= kMaxPeeks &&
            isItemFolder(candidate, entry)) {
            return Match::Maybe;
        }
    }
    return Match::No;
}

class FolderReader {
public:
    FolderReader(FolderPtr folder, std::vector<FolderEntry> entries, std::filesystem::path path,
                 const CancelToken& cancel, int depth)
        : m_folder(std::move(folder)), m_entries(std::move(entries)), m_cancel(cancel),
          m_depth(depth) {
        m_data.format = "orbax";
        m_data.framework = "orbax";
        m_data.path = std::move(path);
        m_data.completeness = Completeness::Complete;
    }

    Result<CheckpointPtr> read() {
        assessName();
        readStepMetadata();
        const bool recorded = isTree(m_entries) || has(m_entries, kAggregate, EntryKind::File);
        if (recorded || hasArrayFolders(*m_folder, m_entries)) {
            CAIRN_CHECK(addTree(m_data, m_folder, m_entries, m_cancel));
            m_whole = std::move(m_data.loadValues);
            if (!recorded && m_depth == 0) {
                m_data.framework = isZarrRoot(m_entries) ? "zarr" : m_data.framework;
                assessBareArrays();
            }
        } else {
            CAIRN_CHECK(addItems());
        }
        for (const std::string_view name : kJsonItems) {
            if (has(m_entries, name, EntryKind::File)) {
                auto json = readDocument(m_data, m_folder, name);
                m_json.push_back({std::string(name),
                                  json ? valueFromJson(*json) : unreadableIn(json.error(), name)});
                if (!json) {
                    m_data.notices.push_back({Severity::Warning, std::move(json).error()});
                }
            }
        }
        if (auto error = unreadableError()) {
            return std::move(*error);
        }
        addOtherFiles();
        setValues();
        return Checkpoint::make(std::move(m_data));
    }

private:
    static Value unreadableIn(Error error, std::string_view file) {
        error.where.file = std::string(file);
        return unreadableValue(error);
    }

    struct Item {
        std::string name;
        CheckpointPtr checkpoint;
        std::uint32_t shift = 0;
    };

    /// The first error, if nothing could be read.
    std::optional<Error> unreadableError() {
        const bool something = m_depth > 0 || !m_data.tensors.empty() || !m_items.empty() ||
                               !m_json.empty() || has(m_entries, kTreeMetadata, EntryKind::File);
        const auto error = std::ranges::find(m_data.notices, Severity::Error, &Notice::severity);
        return something || error == m_data.notices.end() ? std::nullopt
                                                          : std::optional(std::move(error->error));
    }

    void beingWritten(const std::string& name) {
        markIncomplete(m_data, sentence("The name of %1 is the name of an unfinished save", name));
        m_data.notices.push_back(
            {Severity::Warning,
             fail(ErrorCode::BeingWritten, "The save is still running or was interrupted")
                 .inFile(name)
                 .withHint("Use an older checkpoint, or wait until the save has finished")});
    }

    void assessName() {
        const std::string name = m_data.path.lexically_normal().filename().string();
        if (isTemporary(name)) {
            beingWritten(name);
        }
        if (m_depth == 0) {
            m_data.step = stepOf(name);
        }
    }

    void readStepMetadata() {
        if (!has(m_entries, kStepMetadata, EntryKind::File)) {
            return;
        }
        const auto json = readJson(m_data, m_folder, kStepMetadata);
        if (!json) {
            return;
        }
        const JsonValue* commit = json->find("commit_timestamp_nsecs");
        if (commit != nullptr && commit->isNull() &&
            m_data.completeness == Completeness::Complete) {
            markIncomplete(m_data, "Its completion time was not recorded");
            m_data.notices.push_back(
                {Severity::Warning,
                 fail(ErrorCode::BeingWritten, "The save is still running or was interrupted")
                     .inFile(std::string(kStepMetadata))});
        }
        noteListedItems(*json);
        for (const std::string_view key : {"metrics", "custom_metadata"}) {
            const JsonValue* value = json->find(key);
            if (value != nullptr && !value->members().empty()) {
                m_json.push_back({std::string(key), valueFromJson(*value)});
            }
        }
    }

    /// Reports saved items that are missing, from the list `item_handlers`; if that is a text, it
    /// is the handler of the complete folder.
    void noteListedItems(const JsonValue& metadata) {
        const JsonValue* handlers = metadata.find("item_handlers");
        if (handlers == nullptr) {
            return;
        }
        for (const JsonMember& item : handlers->members()) {
            if (has(m_entries, item.key, EntryKind::Folder)) {
                continue;
            }
            markIncomplete(m_data, sentence("The item %1 is missing", item.key));
            m_data.notices.push_back(
                {Severity::Error,
                 fail(ErrorCode::MissingShard, "An item of the checkpoint is missing")
                     .inFile(item.key)
                     .inField("item_handlers")
                     .expecting(sentence("a folder, as %1 lists it", kStepMetadata))
                     .withHint("Copy it from where the checkpoint was saved")});
        }
    }

    /// Arrays without Orbax's own files: no index lists them. Levanter writes `metadata.json` when
    /// all arrays are complete.
    void assessBareArrays() {
        if (has(m_entries, kCommitMetadata, EntryKind::File)) {
            const auto json = readJson(m_data, m_folder, kCommitMetadata);
            const JsonValue* step = json ? json->find("step") : nullptr;
            const auto number = step == nullptr ? std::nullopt : asCount(*step);
            if (number && json->find("timestamp") != nullptr) {
                m_data.step = number;
                m_json.push_back({"metadata", valueFromJson(*json)});
                return;
            }
        }
        const bool marked = has(m_entries, kStepMetadata, EntryKind::File) ||
                            has(m_entries, kMarker, EntryKind::File);
        if (m_data.completeness == Completeness::Complete && !marked) {
            m_data.completeness = Completeness::Unknown;
            m_data.why.emplace_back(
                "The folder does not record which arrays belong to the checkpoint");
        }
    }

    Result<void> addItems() {
        for (const FolderEntry& entry : m_entries) {
            CAIRN_CHECK(m_cancel.check());
            if (entry.kind != EntryKind::Folder || entry.name.starts_with('.')) {
                continue;
            }
            if (isTemporary(entry.name)) {
                beingWritten(entry.name);
            }
            if (m_items.size() < kMaxItems) {
                CAIRN_CHECK(addItem(entry.name));
            }
        }
        if (m_items.empty() && m_depth == 0) {
            markIncomplete(m_data, "No items in the folder");
        }
        return {};
    }

    Result<void> addItem(const std::string& folderName) {
        const std::string name = folderName.substr(0, folderName.find(kTemporary));
        auto inner = m_folder->openFolder(folderName);
        auto listed = entriesOf(inner);
        if (!listed) {
            markIncomplete(m_data, sentence("%1 cannot be read", folderName));
            m_data.notices.push_back({Severity::Error, std::move(listed).error()});
            return {};
        }
        const bool isStep = has(*listed, kStepMetadata, EntryKind::File);
        if (isStep || m_depth >= kMaxDepth) {
            return {};
        }
        if (hasNothing(*listed)) {
            markIncomplete(m_data, sentence("The item %1 is empty", name));
            m_data.notices.push_back(
                {Severity::Error, fail(ErrorCode::MissingShard, "An item's folder is empty")
                                      .inFile(folderName)
                                      .withHint("Copy it from where the checkpoint was saved")});
        }
        // The name of a temporary folder has been checked already.
        CAIRN_TRY(CheckpointPtr nested, FolderReader(*inner, std::move(*listed), m_data.path / name,
                                                     m_cancel, m_depth + 1)
                                            .read());
        const std::uint32_t shift =
            append(m_data, *nested, name + ".", folderName + "/", roleOfItem(name));
        if (nested->completeness() == Completeness::Incomplete) {
            markIncomplete(m_data,
                           sentence("%1: %2", name,
                                    nested->why().empty() ? "incomplete" : nested->why().front()));
        }
        m_items.push_back({name, std::move(nested), shift});
        return {};
    }

    /// Whether an item is empty: every handler writes at least one file, apart from the two that
    /// Orbax adds.
    static bool hasNothing(std::span<const FolderEntry> entries) {
        return std::ranges::none_of(entries, [](const FolderEntry& entry) {
            return entry.kind == EntryKind::Folder ||
                   (entry.name != "_sharding" && entry.name != "commit_success.txt");
        });
    }

    static std::optional<Role> roleOfItem(std::string_view name) {
        // Handlers of random keys save to a folder of this name inside the item's folder.
        if (name == "jax_random_key" || name == "np_random_key") {
            return Role::Rng;
        }
        const auto role = names::roleOfKey(names::lowered(name));
        return role == Role::TrainingState ? std::nullopt : role;
    }

    /// Lists the sizes of the other files of the save.
    void addOtherFiles() {
        for (const FolderEntry& entry : m_entries) {
            const bool other = entry.name == "_sharding" || entry.name == "commit_success.txt";
            if (other && entry.kind == EntryKind::File) {
                m_data.addFile(fileIn(m_folder, entry.name, entry.identity));
            }
        }
    }

    void setValues() {
        m_data.loadValues =
            [whole = std::move(m_whole), items = std::move(m_items),
             json = std::move(m_json)](const CancelToken& cancel) -> Result<LoadedValues> {
            std::vector<ValueItem> all;
            ValueRecords records{.unchecked = json.size()};
            if (whole) {
                CAIRN_TRY(LoadedValues own, whole(cancel));
                if (items.empty() && json.empty()) {
                    return own; // the root may be a list or a tuple
                }
                records += own.records;
                all = itemsByKey(own.value);
            }
            for (const Item& item : items) {
                auto loaded = item.checkpoint->valuesWithRecords(cancel);
                if (!loaded && loaded.error().code == ErrorCode::Cancelled) {
                    return loaded;
                }
                if (!loaded) { // one unreadable item does not hide the others
                    all.push_back({Value(item.name), unreadableValue(loaded.error())});
                    continue;
                }
                records += loaded->records;
                const Value& values = loaded->value;
                const auto& inner = values.items();
                // A JSON item becomes a value under the item's name.
                const bool only =
                    inner.size() == 1 && values.kind() == ValueKind::Dict &&
                    item.checkpoint->tensors().empty() &&
                    std::ranges::find(kJsonItems, keyText(inner[0].key)) != kJsonItems.end();
                all.push_back(
                    {Value(item.name), only ? inner[0].value : shiftTensors(values, item.shift)});
            }
            for (const auto& [name, value] : json) {
                const bool known = std::ranges::any_of(
                    all, [&key = name](const ValueItem& each) { return keyText(each.key) == key; });
                if (!known) {
                    all.push_back({Value(name), value});
                }
            }
            return LoadedValues(Value::dict(std::move(all)), records);
        };
    }

    FolderPtr m_folder;
    std::vector<FolderEntry> m_entries;
    const CancelToken& m_cancel;
    int m_depth;
    CheckpointData m_data;
    ValueLoader m_whole;
    std::vector<Item> m_items;
    std::vector<std::pair<std::string, Value>> m_json;
};

Result<CheckpointPtr> open(const OpenRequest& request) {
    if (request.name.empty()) {
        return FolderReader(request.folder, request.entries, request.path, request.cancel, 0)
            .read();
    }
    CAIRN_TRY(auto entries, request.folder->list());
    return FolderReader(request.folder, std::move(entries), request.folder->path(), request.cancel,
                        0)
        .read();
}

constexpr std::array<std::string_view, 2> kGlobs{"manifest.ocdbt", "_METADATA"};

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{
    .id = "orbax",
    .title = "Orbax (JAX): OCDBT and Zarr folders",
    .globs = kGlobs,
    .probe = probe,
    .open = open,
    .layout = layOut,
    .writes = {.hasValues = true, .reader = "orbax.checkpoint"},
};

} // namespace cairn::formats::orbax
