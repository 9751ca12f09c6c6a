// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/index_source.h"

#include <algorithm>

// Where the chunks and the plain values are stored.

namespace cairn::formats::dcp {

using pickle::NodeId;

namespace {

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

} // namespace

void IndexBuilder::addChunks(Source& source, TensorEntry& tensor, const Name& name, NodeId chunks) {
    const MetadataView& view = source.view;
    const auto list = view.graph().items(chunks);
    if (list.size() > source.chunkBudget) {
        complain(source, ErrorCode::DcpBadMetadata, "Tensors share one chunk list", name.name,
                 sentence("%1 chunks", list.size()));
        return;
    }
    source.chunkBudget -= list.size();
    tensor.pieces.reserve(tensor.pieces.size() + list.size());
    RowsByOffset& rows = source.rowsOfTensor;
    rows.choose(name.firstRow);
    for (const NodeId node : list) {
        const MetadataView::Record chunk = view.open(node);
        auto origin = view.dims(view.field(chunk, Field::Offsets));
        auto extent = view.dims(view.field(chunk, Field::Sizes));
        if (!origin || !extent) {
            complain(source, ErrorCode::DcpBadChunk,
                     "A chunk's position in the tensor cannot be read", tensor.name, {});
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
        complain(source, ErrorCode::DcpBadChunk, "A chunk is outside its tensor", name.name,
                 sentence("offsets %1, sizes %2 in a tensor of %3", formatDims(chunk.box.origin),
                          formatDims(chunk.box.extent), formatDims(tensor.shape)));
        return;
    }
    BytesItem item;
    const bool empty =
        std::ranges::any_of(chunk.box.extent.span(), [](std::int64_t n) { return n == 0; });
    if (!chunk.info.present()) {
        if (!empty) { // nobody ever reads an empty chunk
            complain(source, ErrorCode::CoverageHole,
                     "The index does not record where this chunk is stored", name.name,
                     sentence("offsets %1", formatDims(chunk.box.origin)));
        }
        return;
    }
    if (!readItem(source, chunk.info, item)) {
        complain(source, ErrorCode::DcpBadMetadata, "A chunk's storage location cannot be read",
                 name.name, sentence("offsets %1", formatDims(chunk.box.origin)));
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

/// Its leaf.
std::optional<std::uint32_t> IndexBuilder::addBytes(Source& source, const Name& name) {
    if (m_sources > 1) {
        const auto [known, fresh] =
            m_itemIds.try_emplace(std::string(name.name), m_index.items.size());
        if (!fresh) { // each rank may hold a copy
            return itemLeaf(known->second);
        }
    }
    BytesItem item;
    item.name = name.name;
    item.stored =
        name.firstRow != kNoRow && readItem(source, source.rows[name.firstRow].info, item);
    if (item.stored) {
        m_index.files[item.file.position()].needed = true;
    } else {
        complain(source, ErrorCode::DcpBadMetadata,
                 "The index does not record where this value is stored", name.name, {});
    }
    m_index.items.push_back(std::move(item));
    return itemLeaf(m_index.items.size() - 1);
}

bool IndexBuilder::readItem(Source& source, NodeId info, BytesItem& item) {
    const MetadataView& view = source.view;
    const MetadataView::Record place = view.open(info);
    const NodeId path = view.field(place, Field::RelativePath);
    const auto offset = view.count(view.field(place, Field::Offset));
    const auto length = view.count(view.field(place, Field::Length));
    if (view.graph().text(path).empty() || !offset || !length) {
        return false;
    }
    item.file = fileOf(source, path);
    item.bytes = {*offset, *length};
    item.codec = codecOf(source, view.field(place, Field::TransformDescriptors));
    return true;
}

FileIndex IndexBuilder::fileOf(Source& source, NodeId path) {
    Source::KnownPath& known = source.paths[path.value % source.paths.size()];
    if (known.text != path) {
        const std::string text(source.view.graph().text(path));
        const auto [place, fresh] =
            m_fileIds.emplace(text, static_cast<std::uint32_t>(m_index.files.size()));
        if (fresh) {
            m_index.files.push_back({text, false});
        }
        known = {path, FileIndex(place->second)};
    }
    return known.file;
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
                 "Items are stored with an unknown transform", {}, verbatim(words));
        known.push_back(std::move(words));
        found = known.end() - 1;
    }
    const auto position = std::min<std::size_t>(static_cast<std::size_t>(found - known.begin()),
                                                kMaxUnknownTransforms - 1);
    return static_cast<CodecId>(kFirstUnknownCodec + position);
}

} // namespace cairn::formats::dcp
