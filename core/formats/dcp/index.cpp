// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/index.h"

#include "core/formats/dcp/index_source.h"
#include "core/formats/dcp/names.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <tuple>

namespace cairn::formats::dcp {

using pickle::NodeId;
using pickle::NodeKind;

namespace {

constexpr std::size_t kAhead = 16; ///< look-ups that wait for memory at once

bool boxLess(const Piece& a, const Piece& b) {
    return a.box.origin == b.box.origin ? lessDims(a.box.extent, b.box.extent)
                                        : lessDims(a.box.origin, b.box.origin);
}

} // namespace

IndexBuilder::Name* IndexBuilder::Source::find(NodeId key) {
    const auto guess = [&](auto&& is) -> Name* {
        for (std::size_t i = lastFound; i < names.size() && i < lastFound + 2; ++i) {
            if (is(names[i])) {
                lastFound = i;
                return &names[i];
            }
        }
        return nullptr;
    };
    if (Name* same = guess([&](const Name& name) { return name.key == key; })) {
        return same;
    }
    const std::string_view text = view.graph().text(key);
    if (Name* equal = guess([&](const Name& name) { return name.name == text; })) {
        return equal;
    }
    if (text.size() > kMaxName) {
        return nullptr;
    }
    const auto known =
        ids.find(hashOf(text), [&](std::uint32_t i) { return names[i].name == text; });
    if (!known) {
        return nullptr;
    }
    lastFound = *known;
    return &names[lastFound];
}

void IndexBuilder::complain(const Source& source, ErrorCode code, Sentence message,
                            std::string_view tensor, Sentence found) {
    m_index.unsound = true;
    if (m_index.notices.count(code)) {
        m_index.notices.addCounted(Severity::Error, fail(code, std::move(message))
                                                        .inFile(source.file)
                                                        .inTensor(std::string(tensor))
                                                        .butFound(std::move(found)));
    }
}

Result<void> IndexBuilder::add(const pickle::PickleGraph& graph, const std::string& file) {
    Source source(graph, file);
    const MetadataView& view = source.view;
    const MetadataView::Record root = view.open(graph.root());
    const NodeId entries = view.field(root, Field::StateDictMetadata);
    const NodeId storage = view.field(root, Field::StorageData);
    const auto isDict = [&](NodeId node) {
        return graph.kind(node) == NodeKind::Dict || graph.kind(node) == NodeKind::Object;
    };
    if (!isDict(entries)) {
        const std::string_view found = view.className(graph.root());
        return fail(ErrorCode::DcpBadMetadata, "Not the index of a distributed checkpoint")
            .inFile(file)
            .inField("state_dict_metadata")
            .butFound(found.empty() ? "a pickle of a different object"
                                    : sentence("an object of class %1", found))
            .expecting("torch.distributed.checkpoint.metadata.Metadata with a dict of tensors");
    }
    if (++m_sources == 2) {
        nameKnown();
    }
    for (const pickle::GlobalUse& use : graph.globals()) {
        m_index.megatron = m_index.megatron || use.name.module.starts_with("megatron.");
    }
    noteReshaped(source);
    source.chunkBudget = graph.storedNodes() + 1;
    readEntries(source, entries);
    if (isDict(storage)) {
        readStorage(source, storage);
    } else {
        complain(source, ErrorCode::DcpBadMetadata,
                 "The index does not record any storage locations", {},
                 "storage_data is not a dict");
    }
    m_index.tensors.reserve(m_index.tensors.size() + source.names.size());
    for (Name& name : source.names) {
        const bool isBytes = view.className(name.entry) == "BytesStorageMetadata";
        name.leaf = isBytes ? addBytes(source, name) : addTensor(source, name);
    }
    readNesting(source, view.field(root, Field::PlannerData));
    return {};
}

void IndexBuilder::nameKnown() {
    for (std::size_t i = 0; i < m_index.tensors.size(); ++i) {
        m_tensorIds.emplace(m_index.tensors[i].name, i);
    }
    for (std::size_t i = 0; i < m_index.items.size(); ++i) {
        m_itemIds.emplace(m_index.items[i].name, i);
    }
}

/// Megatron-core before 0.15: tensors whose shape in the index is not their own.
void IndexBuilder::noteReshaped(const Source& source) {
    const MetadataView& view = source.view;
    const pickle::PickleGraph& graph = view.graph();
    for (const auto [key, facts] : graph.pairs(view.field(graph.root(), Field::McoreData))) {
        const std::string_view name = graph.text(key);
        auto shape = view.dims(view.field(facts, Field::OriginalShape));
        if (shape && name.size() <= kMaxName) {
            m_index.reshaped.push_back({std::string(name), std::move(*shape)});
        }
    }
}

void IndexBuilder::readEntries(Source& source, NodeId entries) {
    const pickle::PickleGraph& graph = source.view.graph();
    const auto pairs = graph.pairs(entries);
    source.ids = PositionTable(pairs.size());
    source.names.reserve(pairs.size());
    std::vector<std::uint64_t> hashes(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        hashes[i] = hashOf(graph.text(pairs[i].key).substr(0, kMaxName));
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto [key, value] = pairs[i];
        if (i + kAhead < pairs.size()) {
            source.ids.prefetch(hashes[i + kAhead]);
        }
        const std::string_view name = graph.text(key);
        if (graph.kind(key) != NodeKind::Str || name.size() > kMaxName) {
            complain(source, ErrorCode::DcpBadMetadata,
                     "An entry's name is not a string, or too long", {}, {});
            continue;
        }
        const auto fresh = static_cast<std::uint32_t>(source.names.size());
        const std::uint32_t place = source.ids.add(hashes[i], fresh, [&](std::uint32_t known) {
            return source.names[known].name == name;
        });
        if (place == fresh) {
            source.names.push_back({name, key, value, kNoRow, {}});
        } else {
            source.names[place].entry = value;
        }
    }
}

void IndexBuilder::readStorage(Source& source, NodeId storage) {
    const pickle::PickleGraph& graph = source.view.graph();
    const auto pairs = graph.pairs(storage);
    source.rows.reserve(pairs.size());
    for (const auto [key, info] : pairs) {
        const MetadataView::Record place = source.view.open(key);
        Name* owner = source.find(source.view.field(place, Field::Fqn));
        if (owner == nullptr) {
            continue; // stored, but no part of the checkpoint
        }
        source.rows.push_back({source.view.field(place, Field::Offset), info, owner->firstRow});
        owner->firstRow = static_cast<std::uint32_t>(source.rows.size() - 1);
    }
}

namespace {

/// Whether the parts of a path, joined with dots, are the name; true for a path of other keys.
bool spells(const pickle::PickleGraph& graph, NodeId path, std::string_view name) {
    std::string number;
    bool isFirst = true;
    for (const NodeId part : graph.items(path)) {
        if (!isFirst) {
            if (!name.starts_with('.')) {
                return false;
            }
            name.remove_prefix(1);
        }
        isFirst = false;
        const auto position = graph.asInteger(part);
        if (position) {
            number = std::to_string(*position);
        } else if (graph.kind(part) != pickle::NodeKind::Str) {
            return true;
        }
        const std::string_view text = position ? std::string_view(number) : graph.text(part);
        if (!name.starts_with(text)) {
            return false;
        }
        name.remove_prefix(text.size());
    }
    return name.empty();
}

} // namespace

/// In the order of planner_data, which is that of the training loop's own dicts. A name is its path
/// joined with dots (flatten_state_dict()): where it is not, while it is for most of the names, one
/// of the two was damaged.
void IndexBuilder::readNesting(Source& source, NodeId paths) {
    const pickle::PickleGraph& graph = source.view.graph();
    std::size_t agreeing = 0;
    std::vector<std::string_view> differing;
    const auto pairs = graph.pairs(paths);
    m_index.nesting.nextGraph();
    m_index.nesting.reserve(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (i + kAhead < pairs.size()) {
            m_index.nesting.prefetch(graph, pairs[i + kAhead].value);
        }
        const auto [key, path] = pairs[i];
        const auto leaf = leafOf(source, key);
        if (leaf && spells(graph, path, graph.text(key))) {
            ++agreeing;
        } else {
            differing.push_back(graph.text(key));
        }
        if (leaf) {
            putLeaf(&graph, path, *leaf);
        }
    }
    for (std::size_t i = 0; differing.size() < agreeing && i < differing.size(); ++i) {
        complain(source, ErrorCode::DcpBadMetadata,
                 "The index records this name and its path differently", differing[i],
                 "planner_data");
    }
}

std::optional<std::uint32_t> IndexBuilder::leafOf(Source& source, NodeId name) const {
    if (const Name* known = source.find(name)) {
        return known->leaf;
    }
    if (m_sources > 1) {
        const std::string text(source.view.graph().text(name));
        if (const auto tensor = m_tensorIds.find(text); tensor != m_tensorIds.end()) {
            return tensorLeaf(tensor->second);
        }
        if (const auto item = m_itemIds.find(text); item != m_itemIds.end()) {
            return itemLeaf(item->second);
        }
    }
    return std::nullopt;
}

void IndexBuilder::putLeaf(const pickle::PickleGraph* graph, NodeId path, std::uint32_t leaf) {
    const std::size_t leaves = 2 * std::max(m_index.tensors.size(), m_index.items.size());
    if (m_nested.size() < leaves) {
        m_nested.resize(leaves, false);
    }
    if (!m_nested[leaf]) {
        m_nested[leaf] = true;
        const std::size_t position = leaf / 2;
        m_index.nesting.put(graph, path,
                            leaf == tensorLeaf(position) ? m_index.tensors[position].name
                                                         : m_index.items[position].name,
                            leaf);
    }
}

/// Its leaf, unless it cannot be read.
std::optional<std::uint32_t> IndexBuilder::addTensor(Source& source, const Name& name) {
    const MetadataView& view = source.view;
    const MetadataView::Record entry = view.open(name.entry);
    const NodeId properties = view.field(entry, Field::Properties);
    auto shape = view.dims(view.field(entry, Field::Size));
    const auto dtype = view.dtype(properties);
    if (!shape) {
        complain(source, ErrorCode::DcpBadMetadata,
                 "The entry is neither a tensor with a size nor a byte string", name.name,
                 sentence("class %1", view.className(name.entry)));
        return std::nullopt;
    }
    if (!dtype) {
        complain(source, ErrorCode::TorchUnknownDtype, "Unknown element type of the tensor",
                 name.name, verbatim(std::string(view.dtypeWord(properties))));
        return std::nullopt;
    }
    std::size_t position = m_index.tensors.size();
    if (m_sources > 1) {
        position = m_tensorIds.try_emplace(std::string(name.name), position).first->second;
    }
    if (position == m_index.tensors.size()) {
        m_index.tensors.push_back(
            {std::string(name.name), *dtype, std::move(*shape), modelRole(name.name), {}, {}});
    } else if (m_index.tensors[position].shape != *shape ||
               m_index.tensors[position].dtype != *dtype) {
        complain(source, ErrorCode::DcpBadMetadata, "Ranks recorded this tensor differently",
                 name.name, sentence("shape %1", formatDims(*shape)));
        return std::nullopt;
    }
    addChunks(source, m_index.tensors[position], name, view.field(entry, Field::Chunks));
    return tensorLeaf(position);
}

void IndexBuilder::sortPieces() {
    for (TensorEntry& tensor : m_index.tensors) {
        if (tensor.pieces.size() > 1 && !std::ranges::is_sorted(tensor.pieces, boxLess)) {
            std::ranges::stable_sort(tensor.pieces, boxLess);
        }
    }
}

void IndexBuilder::dropRepeats() {
    const auto sameBox = [](const Piece& a, const Piece& b) { return a.box == b.box; };
    for (TensorEntry& tensor : m_index.tensors) {
        auto& pieces = tensor.pieces;
        pieces.truncate(static_cast<std::size_t>(
            std::unique(pieces.begin(), pieces.end(), sameBox) - pieces.begin()));
    }
}

/// What a name alone does not record.
void IndexBuilder::detectOptimizers() {
    OptimizerPlaces optimizers;
    for (const BytesItem& item : m_index.items) {
        optimizers.note(item.name);
    }
    for (TensorEntry& tensor : m_index.tensors) {
        if (optimizers.empty()) {
            return;
        }
        if (tensor.role != Role::Optimizer && optimizers.holds(tensor.name)) {
            tensor.role = Role::Optimizer;
        }
    }
}

DcpIndex IndexBuilder::finish() && {
    sortPieces();
    detectOptimizers();
    for (std::size_t i = 0; i < m_index.tensors.size(); ++i) { // those that no path mentions
        putLeaf(nullptr, {}, tensorLeaf(i));
    }
    for (std::size_t i = 0; i < m_index.items.size(); ++i) {
        putLeaf(nullptr, {}, itemLeaf(i));
    }
    if (m_sources > 1) {
        dropRepeats(); // without collectives every rank stores its own copy of what is replicated
    }
    return std::move(m_index);
}

} // namespace cairn::formats::dcp
