// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/index.h"

#include "core/formats/dcp/metadata_view.h"
#include "core/formats/dcp/names.h"
#include "core/formats/dcp/storage_rows.h"

#include <algorithm>
#include <tuple>

namespace cairn::formats::dcp {

using pickle::NodeId;
using pickle::NodeKind;

namespace {

constexpr std::size_t kMaxName = 16384;
constexpr std::size_t kNoPosition = 1000; ///< of fields that are never positional arguments
constexpr std::size_t kMaxUnknownTransforms = 16;

std::string transformWords(const MetadataView& view, NodeId transforms) {
    std::string words;
    for (const NodeId item : view.graph().items(transforms)) {
        words += (words.empty() ? "" : ", ") + std::string(view.graph().text(item).substr(0, 100));
        if (words.size() > 300) {
            break;
        }
    }
    return words;
}

bool isZstd(std::string_view transform) {
    return transform == "stream.zstd/1" || transform == "stream.zstd" ||
           transform.starts_with("stream.zstd/1.");
}

bool boxLess(const Piece& a, const Piece& b) {
    return a.box.origin == b.box.origin ? lessDims(a.box.extent, b.box.extent)
                                        : lessDims(a.box.origin, b.box.origin);
}

} // namespace

struct IndexBuilder::Name {
    std::string_view name;
    NodeId entry;
    std::uint32_t firstRow = kNoRow;
};

struct IndexBuilder::Chunk {
    Box box;
    NodeId info;
};

struct IndexBuilder::Source {
    explicit Source(const pickle::PickleGraph& graph, const std::string& path)
        : view(graph), file(path) {}
    MetadataView view;
    const std::string& file;
    std::unordered_map<std::string_view, std::uint32_t> ids;
    std::vector<Name> names;
    std::vector<StorageRow> rows;
    std::uint64_t chunkBudget = 0; ///< a pickle may mention one list of chunks a million times
    NodeId lastPath;
    FileIndex lastFile;
};

NodeId plannerData(const pickle::PickleGraph& graph) {
    return MetadataView(graph).field(graph.root(), "planner_data", 1);
}

void IndexBuilder::complain(const Source& source, ErrorCode code, std::string message,
                            std::string_view tensor, std::string found) {
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
    const NodeId entries = view.field(graph.root(), "state_dict_metadata", 0);
    const NodeId storage = view.field(graph.root(), "storage_data", 2);
    const auto isDict = [&](NodeId node) {
        return graph.kind(node) == NodeKind::Dict || graph.kind(node) == NodeKind::Object;
    };
    if (!isDict(entries)) {
        const std::string_view found = view.className(graph.root());
        return fail(ErrorCode::DcpBadMetadata, "This is not the index of a distributed checkpoint")
            .inFile(file)
            .inField("state_dict_metadata")
            .butFound(found.empty() ? "a pickle of something else"
                                    : "an object of class " + std::string(found))
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
                 "The index does not say where anything is stored", {}, "no dict in storage_data");
    }
    for (const Name& name : source.names) {
        if (view.className(name.entry) == "BytesStorageMetadata") {
            addBytes(source, name);
        } else {
            addTensor(source, name);
        }
    }
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

/// Megatron-core before 0.14 stores a flattened parameter as a grid of pieces; `mcore_data` keeps
/// the true shape.
void IndexBuilder::noteReshaped(const Source& source) {
    const MetadataView& view = source.view;
    const pickle::PickleGraph& graph = view.graph();
    std::uint64_t reshaped = 0;
    for (const auto [key, facts] :
         graph.pairs(view.field(graph.root(), "mcore_data", kNoPosition))) {
        const NodeId shape = view.field(facts, "nd_reformulated_orig_global_shape", kNoPosition);
        reshaped += shape.present() && !graph.isNone(shape) ? 1 : 0;
    }
    if (reshaped > 0) {
        m_index.notices.add(
            Severity::Info,
            fail(ErrorCode::Unsupported,
                 "Megatron stored tensors in a flattened form; shapes are as stored")
                .inFile(source.file)
                .inField("mcore_data")
                .butFound(std::to_string(reshaped) + " of them"));
    }
}

void IndexBuilder::readEntries(Source& source, NodeId entries) {
    const pickle::PickleGraph& graph = source.view.graph();
    const auto pairs = graph.pairs(entries);
    source.ids.reserve(pairs.size());
    source.names.reserve(pairs.size());
    for (const auto [key, value] : pairs) {
        const std::string_view name = graph.text(key);
        if (graph.kind(key) != NodeKind::Str || name.size() > kMaxName) {
            complain(source, ErrorCode::DcpBadMetadata,
                     "An entry's name is not text of a sane length", {}, {});
            continue;
        }
        const auto [place, fresh] =
            source.ids.emplace(name, static_cast<std::uint32_t>(source.names.size()));
        if (fresh) {
            source.names.push_back({name, value, kNoRow});
        } else {
            source.names[place->second].entry = value;
        }
    }
}

void IndexBuilder::readStorage(Source& source, NodeId storage) {
    const pickle::PickleGraph& graph = source.view.graph();
    const auto pairs = graph.pairs(storage);
    source.rows.reserve(pairs.size());
    for (const auto [key, info] : pairs) {
        const std::string_view name = graph.text(source.view.field(key, "fqn", 0));
        const auto known = name.size() > kMaxName ? source.ids.end() : source.ids.find(name);
        if (known == source.ids.end()) {
            continue; // stored, but no part of the checkpoint
        }
        Name& owner = source.names[known->second];
        source.rows.push_back({source.view.field(key, "offset", 1), info, owner.firstRow});
        owner.firstRow = static_cast<std::uint32_t>(source.rows.size() - 1);
    }
}

void IndexBuilder::addTensor(Source& source, const Name& name) {
    const MetadataView& view = source.view;
    const NodeId properties = view.field(name.entry, "properties", 0);
    auto shape = view.dims(view.field(name.entry, "size", 1));
    const auto dtype = view.dtype(properties);
    if (!shape) {
        complain(source, ErrorCode::DcpBadMetadata,
                 "The entry is neither a tensor with a size nor plain bytes", name.name,
                 "class " + std::string(view.className(name.entry)));
        return;
    }
    if (!dtype) {
        complain(source, ErrorCode::TorchUnknownDtype, "The tensor's element type is not known",
                 name.name, std::string(view.dtypeWord(properties)));
        return;
    }
    std::size_t position = m_index.tensors.size();
    if (m_sources > 1) {
        position = m_tensorIds.try_emplace(std::string(name.name), position).first->second;
    }
    if (position == m_index.tensors.size()) {
        m_index.tensors.push_back(
            {std::string(name.name), *dtype, std::move(*shape), roleOf(name.name), {}, {}});
    } else if (m_index.tensors[position].shape != *shape ||
               m_index.tensors[position].dtype != *dtype) {
        complain(source, ErrorCode::DcpBadMetadata, "Two ranks disagree about this tensor",
                 name.name, "shape " + formatDims(*shape));
        return;
    }
    TensorEntry& tensor = m_index.tensors[position];
    const NodeId chunks = view.field(name.entry, "chunks", 2);
    const auto list = view.graph().items(chunks);
    if (list.size() > source.chunkBudget) {
        complain(source, ErrorCode::DcpBadMetadata, "Tensors share one list of chunks", name.name,
                 std::to_string(list.size()) + " chunks");
        return;
    }
    source.chunkBudget -= list.size();
    tensor.pieces.reserve(tensor.pieces.size() + list.size());
    const RowsByOffset rows(view, source.rows, name.firstRow);
    for (const NodeId node : list) {
        auto origin = view.dims(view.field(node, "offsets", 0));
        auto extent = view.dims(view.field(node, "sizes", 1));
        if (!origin || !extent) {
            complain(source, ErrorCode::DcpBadChunk, "A chunk has no readable place in the tensor",
                     tensor.name, {});
            continue;
        }
        NodeId info = rows.find(*origin);
        if (!info.present() && list.size() == 1) {
            info = rows.withoutOffset();
        }
        addChunk(source, tensor, name, {{std::move(*origin), std::move(*extent)}, info});
    }
}

void IndexBuilder::addChunk(Source& source, TensorEntry& tensor, const Name& name,
                            const Chunk& chunk) {
    if (!fitsInto(chunk.box, tensor.shape)) {
        complain(source, ErrorCode::DcpBadChunk, "A chunk lies outside its tensor", name.name,
                 "offsets " + formatDims(chunk.box.origin) + ", sizes " +
                     formatDims(chunk.box.extent) + " in a tensor of " + formatDims(tensor.shape));
        return;
    }
    BytesItem item;
    const bool empty =
        std::ranges::any_of(chunk.box.extent.span(), [](std::int64_t n) { return n == 0; });
    if (!chunk.info.present()) {
        if (!empty) { // nobody ever reads an empty chunk
            complain(source, ErrorCode::CoverageHole,
                     "The index does not say where this chunk is stored", name.name,
                     "offsets " + formatDims(chunk.box.origin));
        }
        return;
    }
    if (!readItem(source, chunk.info, item)) {
        complain(source, ErrorCode::DcpBadMetadata, "A chunk's place in the files cannot be read",
                 name.name, "offsets " + formatDims(chunk.box.origin));
        return;
    }
    if (!empty) {
        m_index.files[item.file.position()].needed = true;
        // An archive is always longer than its elements: an item of just their length is a place
        // holder that SerializationFormat.SAFETENSORS wrote.
        const auto elements = elementCount(chunk.box.extent);
        const auto bytes = elements ? dtypeBytes(tensor.dtype, *elements) : std::nullopt;
        const bool inBlob = item.codec == kTorchSaveCodec && bytes == item.bytes.length;
        const CodecId codec = inBlob ? kBlobCodec : item.codec;
        tensor.pieces.push_back({chunk.box, item.file, item.bytes, {}, codec, {}});
    }
}

void IndexBuilder::addBytes(Source& source, const Name& name) {
    if (m_sources > 1 &&
        !m_itemIds.try_emplace(std::string(name.name), m_index.items.size()).second) {
        return; // each rank may hold a copy
    }
    BytesItem item;
    item.name = name.name;
    item.stored =
        name.firstRow != kNoRow && readItem(source, source.rows[name.firstRow].info, item);
    if (item.stored) {
        m_index.files[item.file.position()].needed = true;
    } else {
        complain(source, ErrorCode::DcpBadMetadata,
                 "The index does not say where this value is stored", name.name, {});
    }
    m_index.items.push_back(std::move(item));
}

bool IndexBuilder::readItem(Source& source, NodeId info, BytesItem& item) {
    const MetadataView& view = source.view;
    const NodeId path = view.field(info, "relative_path", 0);
    const auto offset = view.count(view.field(info, "offset", 1));
    const auto length = view.count(view.field(info, "length", 2));
    if (view.graph().text(path).empty() || !offset || !length) {
        return false;
    }
    item.file = fileOf(source, path);
    item.bytes = {*offset, *length};
    item.codec = codecOf(source, view.field(info, "transform_descriptors", 3));
    return true;
}

FileIndex IndexBuilder::fileOf(Source& source, NodeId path) {
    if (!source.lastPath.present() || path != source.lastPath) {
        const std::string text(source.view.graph().text(path));
        const auto [place, fresh] =
            m_fileIds.emplace(text, static_cast<std::uint32_t>(m_index.files.size()));
        if (fresh) {
            m_index.files.push_back({text, false});
        }
        source.lastPath = path;
        source.lastFile = FileIndex(place->second);
    }
    return source.lastFile;
}

CodecId IndexBuilder::codecOf(Source& source, NodeId transforms) {
    const auto list = source.view.graph().items(transforms);
    if (list.empty()) {
        return kTorchSaveCodec;
    }
    if (list.size() == 1 && isZstd(source.view.graph().text(list[0]))) {
        return kZstdCodec;
    }
    std::string words = transformWords(source.view, transforms);
    std::vector<std::string>& known = m_index.unknownTransforms;
    auto found = std::ranges::find(known, words);
    if (found == known.end() && known.size() < kMaxUnknownTransforms) {
        complain(source, ErrorCode::DcpUnknownTransform,
                 "Items are stored with a transform that is not known", {}, words);
        known.push_back(std::move(words));
        found = known.end() - 1;
    }
    const auto position = std::min<std::size_t>(static_cast<std::size_t>(found - known.begin()),
                                                kMaxUnknownTransforms - 1);
    return static_cast<CodecId>(kFirstUnknownCodec + position);
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
        pieces.erase(std::unique(pieces.begin(), pieces.end(), sameBox), pieces.end());
    }
}

DcpIndex IndexBuilder::finish() && {
    sortPieces();
    if (m_sources > 1) {
        dropRepeats(); // without collectives every rank stores its own copy of what is replicated
    }
    return std::move(m_index);
}

} // namespace cairn::formats::dcp
