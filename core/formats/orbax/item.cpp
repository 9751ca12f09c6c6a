// SPDX-License-Identifier: Apache-2.0
#include "core/formats/orbax/item.h"

#include "core/base/position_table.h"
#include "core/formats/common/jax/flax_tree.h"
#include "core/formats/common/jax/jax_roles.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/text/json_values.h"
#include "core/formats/common/zarr_arrays/placement.h"
#include "core/formats/orbax/folder_facts.h"
#include "core/formats/orbax/item_files.h"
#include "core/formats/orbax/random_keys.h"
#include "core/formats/orbax/tree.h"
#include "core/model/role_decision.h"
#include "core/model/saved_values.h"

#include <algorithm>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>

namespace cairn::formats::orbax {
namespace {

constexpr std::uint64_t kMaxJson = std::uint64_t{512} << 20U;
constexpr std::uint64_t kMaxOfAKind = 20;
constexpr std::string_view kStrings = "_strings.json";

CheckpointFile fileOf(const FolderPtr& folder, std::string path, const FileIdentity& identity) {
    CheckpointFile file;
    file.path = std::move(path);
    file.folder = folder;
    file.identity = identity;
    return file;
}

/// Keeps at most kMaxOfAKind of each code.
class Notes {
public:
    explicit Notes(CheckpointData& data) : m_data(data) {}
    void operator()(Severity severity, Error error) {
        if (++m_counts[error.code] <= kMaxOfAKind) {
            m_data.notices.push_back({severity, std::move(error)});
        }
    }
    void finish() {
        for (const auto& [code, count] : m_counts) {
            if (count > kMaxOfAKind) {
                const std::string more = std::to_string(count - kMaxOfAKind);
                m_data.notices.push_back(
                    {Severity::Info, fail(code, sentence("And %1 more of this kind", more))});
            }
        }
    }

private:
    CheckpointData& m_data;
    std::map<ErrorCode, std::uint64_t> m_counts;
};

/// The parts from which an item's values are made on demand.
struct ValueParts {
    std::vector<Leaf> leaves;
    std::unordered_map<std::string, std::string> strings;
    std::optional<Error> noStrings; ///< why the file with texts cannot be read
    Value beside;                   ///< a dict with the values of an aggregate file
};

std::optional<Value> leafValue(const ValueParts& parts, const Leaf& leaf) {
    if (const auto text = parts.strings.find(leaf.name); text != parts.strings.end()) {
        return Value(text->second);
    }
    if (leaf.tensor) {
        return Value(*leaf.tensor);
    }
    if (leaf.type == "None") {
        return Value();
    }
    if (leaf.type == "string" && leaf.stored) {
        Error error = parts.noStrings.value_or(
            fail(ErrorCode::NotStored, "The text is not stored").inFile(std::string(kStrings)));
        return unreadableValue(std::move(error).inField(leaf.name));
    }
    if (leaf.type == "Dict" || leaf.type == "NamedTuple") {
        return Value::dict({});
    }
    if (leaf.type == "List" || leaf.type == "Tuple") {
        return Value::list({});
    }
    return std::nullopt;
}

Value joined(const Value& first, const Value& second) {
    if (second.items().empty()) {
        return first;
    }
    const Value known = Value::dict(itemsByKey(first));
    std::vector<ValueItem> items = known.items();
    for (ValueItem& item : itemsByKey(second)) {
        if (known.find(keyText(item.key)) == nullptr) {
            items.push_back(std::move(item));
        }
    }
    return Value::dict(std::move(items));
}

Result<LoadedValues> valuesOf(const std::shared_ptr<const ValueParts>& parts) {
    Value tree = joined(
        nestedValues(parts->leaves, [&](const Leaf& leaf) { return leafValue(*parts, leaf); }),
        parts->beside);
    const bool texts = !parts->strings.empty();
    const bool beside = !parts->beside.items().empty();
    return LoadedValues(std::move(tree), {.unchecked = (texts ? 1U : 0U) + (beside ? 1U : 0U)});
}

class TreeReader {
public:
    TreeReader(CheckpointData& data, const FolderPtr& folder, std::span<const FolderEntry> entries,
               const CancelToken& cancel)
        : m_data(data), m_folder(folder), m_entries(entries), m_cancel(cancel), m_notes(data),
          m_parts(std::make_shared<ValueParts>()) {}

    Result<void> read() {
        readMetadata();
        CAIRN_TRY(ItemFiles files, readItemFiles(m_folder, m_entries, m_cancel));
        const std::size_t first = m_data.tensors.size();
        addArrays(files);
        CAIRN_CHECK(addAggregate());
        decideRoles();
        findLeaves(first);
        checkLeaves();
        if (m_parts->leaves.empty()) {
            leavesFromNames(first);
        }
        m_notes.finish();
        m_data.loadValues = [parts = std::shared_ptr<const ValueParts>(m_parts)](
                                const CancelToken&) { return valuesOf(parts); };
        return {};
    }

private:
    void decideRoles() {
        std::vector<std::size_t> keys; // recorded by the save itself
        for (std::size_t i = 0; i < m_data.tensors.size(); ++i) {
            if (m_data.tensors[i].role == Role::Rng) {
                keys.push_back(i);
            }
        }
        decideJaxRoles(m_data.tensors);
        for (const std::size_t i : keys) {
            m_data.tensors[i].role = Role::Rng;
        }
    }

    void readMetadata() {
        if (has(m_entries, kTreeMetadata, EntryKind::File)) {
            TreeMetadata tree;
            const JsonMemberSink sink = tree.sink();
            if (const auto root = readJson(m_data, m_folder, kTreeMetadata, &sink)) {
                if (auto finished = tree.finish(*root)) {
                    m_parts->leaves = std::move(tree.leaves);
                    m_storesEveryChunk = tree.storesEveryChunk;
                } else {
                    markIncomplete(m_data, "The tree's metadata cannot be read");
                    m_notes(Severity::Error,
                            std::move(finished).error().inFile(std::string(kTreeMetadata)));
                }
            }
        }
        if (has(m_entries, kStrings, EntryKind::File)) {
            readStrings();
        }
    }

    /// Texts that are missing take their leaves' places as unreadable values.
    void readStrings() {
        const auto root = readDocument(m_data, m_folder, kStrings);
        if (!root) {
            m_parts->noStrings = root.error();
            m_notes(Severity::Warning, root.error());
            return;
        }
        for (const JsonMember& member : root->members()) {
            if (const auto text = member.value.asString()) {
                m_parts->strings.emplace(member.key, *text);
            }
        }
    }

    void addArrays(ItemFiles& files) {
        for (Notice& notice : files.notices) {
            m_notes(notice.severity, std::move(notice.error));
        }
        if (files.damaged) {
            markIncomplete(m_data, "Parts of the folder could not be read");
        }
        if (files.unmerged) {
            markIncomplete(m_data, "The parts that the processes wrote were not merged");
            m_notes(
                Severity::Warning,
                fail(ErrorCode::BeingWritten, "The save did not finish: the manifest is missing")
                    .inFile(std::string(kManifest))
                    .withHint("The data that the processes wrote so far is shown"));
        }
        zarr_arrays::ArrayContext context{
            m_data, {}, {}, m_storesEveryChunk, [this](Severity severity, Error error) {
                m_notes(severity, std::move(error));
            }};
        for (StoredFile& file : files.files) {
            CheckpointFile added = fileOf(m_folder, std::move(file.path), file.identity);
            added.missing = file.missing;
            context.files.push_back(m_data.addFile(std::move(added)));
        }
        if (!files.inMemory.empty()) {
            CheckpointFile memory;
            memory.path = "(in the tree's nodes)";
            memory.identity.size = files.inMemory.size();
            memory.source = makeMemorySource(std::move(files.inMemory), memory.path);
            context.memory = m_data.addFile(std::move(memory));
        }
        const auto keys = readRandomKeys();
        zarr_arrays::Placer placer(context);
        for (const auto& [name, array] : files.arrays.arrays()) {
            const std::size_t before = m_data.tensors.size();
            const std::string shown = name.empty() ? std::string(kRootArray) : name;
            placer.add(shown, array, keys.contains(name) ? Role::Rng : modelRole(shown));
            if (m_data.tensors.size() == before) {
                m_unusable.insert(shown);
            }
        }
    }

    /// If they cannot be read, keys are classified by decideJaxRoles() from their names: a notice,
    /// not damage.
    std::set<std::string, std::less<>> readRandomKeys() {
        auto keys = randomKeys(*m_folder, m_entries);
        if (!keys) {
            m_notes(Severity::Warning, std::move(keys).error());
            return {};
        }
        return std::move(*keys);
    }

    /// Old folders store everything except large arrays in one msgpack file.
    Result<void> addAggregate() {
        if (!has(m_entries, kAggregate, EntryKind::File)) {
            return {};
        }
        auto source = m_folder->openFile(kAggregate);
        if (!source) {
            markIncomplete(m_data, "The file with the small values cannot be read");
            m_notes(Severity::Error, std::move(source).error());
            return {};
        }
        const FileIndex file =
            m_data.addFile(fileOf(m_folder, std::string(kAggregate), (*source)->identity()));
        auto tree = readFlaxTree(*source, file, m_cancel);
        if (!tree) {
            if (tree.error().code == ErrorCode::Cancelled) {
                return std::move(tree).error();
            }
            markIncomplete(m_data, "The file with the small values cannot be read");
            m_notes(Severity::Error, std::move(tree).error());
            return {};
        }
        m_parts->beside = addFlaxTree(m_data, std::move(*tree));
        return {};
    }

    /// Sets each leaf's tensor, by name; if a name occurs twice, the first tensor.
    void findLeaves(std::size_t first) {
        const auto& tensors = m_data.tensors;
        const std::hash<std::string_view> hash;
        PositionTable names(m_parts->leaves.empty() ? 0 : tensors.size() - first);
        for (std::size_t i = first; i < tensors.size() && !m_parts->leaves.empty(); ++i) {
            names.add(hash(tensors[i].name), static_cast<std::uint32_t>(i),
                      [&](std::uint32_t other) { return tensors[other].name == tensors[i].name; });
        }
        for (Leaf& leaf : m_parts->leaves) {
            const auto found = names.find(hash(leaf.name), [&](std::uint32_t position) {
                return tensors[position].name == leaf.name;
            });
            leaf.tensor = found ? std::optional(TensorIndex(*found)) : std::nullopt;
        }
    }

    /// Every stored leaf must have an array or a text.
    void checkLeaves() {
        std::size_t missing = 0;
        for (const Leaf& leaf : m_parts->leaves) {
            const bool array = leaf.stored && leaf.type != "None" && leaf.type != "Dict" &&
                               leaf.type != "List" && leaf.type != "string";
            const bool found = !array || leaf.tensor || m_parts->beside.find(leaf.name) != nullptr;
            if (found || m_unusable.contains(leaf.name)) {
                continue;
            }
            ++missing;
            m_notes(Severity::Error,
                    fail(ErrorCode::MissingShard, "An array of the tree is missing")
                        .inTensor(leaf.name)
                        .withHint("The save was interrupted, or files were not copied"));
        }
        if (missing > 0) {
            markIncomplete(m_data, sentence("%1 arrays of the tree are missing", missing));
        }
    }

    void leavesFromNames(std::size_t first) {
        for (std::size_t i = first; i < m_data.tensors.size(); ++i) {
            const TensorEntry& tensor = m_data.tensors[i];
            if (tensor.shape.empty()) {
                m_parts->leaves.push_back(
                    {tensor.name, {{tensor.name, false}}, {}, true, TensorIndex(i)});
            }
        }
    }

    CheckpointData& m_data;
    const FolderPtr& m_folder;
    std::span<const FolderEntry> m_entries;
    const CancelToken& m_cancel;
    Notes m_notes;
    std::shared_ptr<ValueParts> m_parts;
    std::optional<bool> m_storesEveryChunk;
    std::set<std::string, std::less<>> m_unusable; ///< arrays with a notice
};

} // namespace

std::optional<JsonValue> readJson(CheckpointData& data, const FolderPtr& folder,
                                  std::string_view name, const JsonMemberSink* sink) {
    auto json = readDocument(data, folder, name, sink);
    if (json) {
        return std::move(*json);
    }
    markIncomplete(data, sentence("%1 cannot be read", name));
    data.notices.push_back({Severity::Error, std::move(json).error()});
    return std::nullopt;
}

Result<JsonValue> readDocument(CheckpointData& data, const FolderPtr& folder, std::string_view name,
                               const JsonMemberSink* sink) {
    CAIRN_TRY(const ByteSourcePtr source, folder->openFile(name));
    data.addFile(fileOf(folder, std::string(name), source->identity()));
    return readJsonFile(*source, kMaxJson, sink);
}

Result<void> addTree(CheckpointData& data, const FolderPtr& folder,
                     std::span<const FolderEntry> entries, const CancelToken& cancel) {
    return TreeReader(data, folder, entries, cancel).read();
}

} // namespace cairn::formats::orbax
