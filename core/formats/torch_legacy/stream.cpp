// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch_legacy/stream.h"

#include "core/base/checked.h"
#include "core/base/endian.h"
#include "core/formats/common/torch/torch_nested.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::formats::torch_legacy {
namespace {

using pickle::NodeId;
using pickle::NodeKind;
using pickle::PickleGraph;

constexpr std::int64_t kProtocolVersion = 1001;
constexpr std::uint64_t kFirstWindow = std::uint64_t{1} << 20;

bool isMagic(const PickleGraph& graph) {
    return graph.integerText(graph.root()) == kTorchStreamMagic;
}

Error badHeader(Sentence message, std::uint64_t offset) {
    return fail(ErrorCode::TorchBadHeader, std::move(message)).at(offset);
}

/// Keys are text, or bytes from Python 2.
Result<std::vector<std::string>> readKeys(const PickleGraph& graph, std::uint64_t offset) {
    if (graph.kind(graph.root()) != NodeKind::List) {
        return badHeader("The list of storages is not a list", offset);
    }
    std::vector<std::string> keys;
    for (const NodeId id : graph.items(graph.root())) {
        const NodeKind kind = graph.kind(id);
        if (kind != NodeKind::Str && kind != NodeKind::Bytes) {
            return badHeader("The key of a storage is not a string", offset);
        }
        keys.emplace_back(asText(graph.bytes(id)));
    }
    return keys;
}

/// Parses the five pickles from the part of the file that has been read.
Result<LegacyStream> readPickles(const std::shared_ptr<const std::vector<std::byte>>& buffer) {
    std::vector<PickleGraph> graphs;
    std::uint64_t at = 0;
    std::array<std::uint64_t, 5> starts{};
    for (std::size_t i = 0; i < 5; ++i) {
        starts[i] = at;
        const auto rest = std::span(*buffer).subspan(static_cast<std::size_t>(at));
        auto graph = pickle::parsePickle(pickle::PickleBytes(rest, buffer));
        if (!graph) {
            Error error = std::move(graph).error();
            error.where.offset = at + error.where.offset.value_or(0);
            return error;
        }
        at += graph->consumed();
        graphs.push_back(std::move(*graph));
        if (i == 0 && !isMagic(graphs[0])) {
            return badHeader("The file does not begin with torch's magic number", 0);
        }
        if (i == 1 && graphs[1].asInteger(graphs[1].root()) != kProtocolVersion) {
            return badHeader("Unsupported file version", starts[1])
                .butFound(verbatim(graphs[1].integerText(graphs[1].root())))
                .expecting(verbatim(std::to_string(kProtocolVersion)));
        }
        if (i == 2 && graphs[2].kind(graphs[2].root()) != NodeKind::Dict) {
            return badHeader("The record of the saving system is not a dictionary", starts[2]);
        }
    }
    LegacyStream stream;
    CAIRN_TRY(stream.keys, readKeys(graphs[4], starts[4]));
    stream.protocol = graphs[3].protocol();
    stream.object = std::move(graphs[3]);
    stream.objectOffset = starts[3];
    stream.dataOffset = at;
    return stream;
}

} // namespace

bool beginsWithMagic(std::span<const std::byte> head) {
    const auto graph = pickle::parsePickle(head.first(std::min<std::size_t>(head.size(), 64)));
    return graph && isMagic(*graph);
}

Result<LegacyStream> readLegacyStream(const ByteSource& source) {
    // The pickles are at the front and their length is not recorded: read twice as much until they
    // are complete.
    for (std::uint64_t window = kFirstWindow;; window *= 2) {
        const std::uint64_t length = std::min(window, source.size());
        CAIRN_TRY(auto bytes, readRange(source, {0, length}));
        auto stream = readPickles(std::make_shared<const std::vector<std::byte>>(std::move(bytes)));
        if (stream) {
            return stream;
        }
        const ErrorCode code = stream.error().code;
        const bool cut = code == ErrorCode::PickleTruncated || code == ErrorCode::PickleBadFrame;
        if (!cut || length == source.size()) {
            return stream;
        }
    }
}

std::unordered_map<std::string, std::uint64_t> LegacyStorages::elementSizes() const {
    std::unordered_map<std::string, std::uint64_t> sizes;
    const PickleGraph& graph = m_stream.object;
    for (std::size_t i = 0; i < graph.storedNodes(); ++i) {
        const NodeId id{static_cast<std::uint32_t>(i)};
        if (graph.kind(id) != NodeKind::PersistentId || !isTorchStorage(graph, graph.payload(id))) {
            continue;
        }
        if (const auto storage = readTorchStorage(graph, graph.payload(id))) {
            sizes.try_emplace(std::string(storage->key), storage->elementBytes());
        }
    }
    return sizes;
}

Result<std::vector<Notice>> LegacyStorages::locate() {
    const auto sizes = elementSizes();
    std::vector<Notice> notices;
    std::uint64_t at = m_stream.dataOffset;
    const auto stop = [&](Error error) {
        notices.push_back({Severity::Error, std::move(error).at(at)});
    };
    for (const std::string& key : m_stream.keys) {
        const auto size = sizes.find(key);
        if (size == sizes.end()) {
            stop(fail(ErrorCode::TorchBadHeader,
                      "A listed storage has an unknown size, because no tensor uses it")
                     .butFound(verbatim(key)));
            return notices;
        }
        std::array<std::byte, 8> field{};
        if (!ByteRange{at, field.size()}.fitsInto(m_source.size())) {
            stop(fail(ErrorCode::Truncated, "The file ends before the last of its storages")
                     .butFound(sentence("%1 bytes", m_source.size())));
            return notices;
        }
        CAIRN_CHECK(m_source.readAt(at, field));
        const auto count = loadLittle<std::int64_t>(field);
        const auto bytes =
            count < 0 ? std::nullopt : checkedMul(static_cast<std::uint64_t>(count), size->second);
        const ByteRange range{at + field.size(), bytes.value_or(0)};
        if (!bytes || !range.fitsInto(m_source.size())) {
            stop(fail(ErrorCode::Truncated, "A storage extends beyond the end of the file")
                     .inField(key)
                     .butFound(sentence("%1 bytes", m_source.size()))
                     .expecting(sentence("%1 elements of %2 bytes", count, size->second)));
            if (range.offset <= m_source.size() && bytes) { // the tensors at its start exist
                m_places.emplace(key, ByteRange{range.offset, m_source.size() - range.offset});
            }
            return notices;
        }
        m_places.emplace(key, range);
        at = range.end();
    }
    if (at < m_source.size()) {
        notices.push_back(
            {Severity::Warning, fail(ErrorCode::StrayFile, "Trailing bytes after the last storage")
                                    .at(at)
                                    .butFound(sentence("%1 bytes", m_source.size() - at))});
    }
    return notices;
}

Result<std::uint64_t> LegacyStorages::sizeOf(const TorchStorage& storage) {
    const auto place = m_places.find(std::string(storage.key));
    if (place == m_places.end()) {
        return fail(ErrorCode::TorchMissingRecord, "The data of a tensor is not in the file")
            .butFound(sentence("no storage %1", storage.key));
    }
    if (!storage.view) {
        return place->second.length;
    }
    const auto first = checkedMul(storage.view->offset, storage.elementBytes());
    const auto length = checkedMul(storage.view->numel, storage.elementBytes());
    if (!first || !length || !ByteRange{*first, *length}.fitsInto(place->second.length)) {
        return fail(ErrorCode::TorchStorageTooSmall, "A view extends beyond the end of its storage")
            .butFound(sentence("a storage of %1 bytes", place->second.length));
    }
    return *length;
}

void LegacyStorages::place(const TorchStorage& storage, ByteRange bytes, Dtype, Piece& piece) {
    // Data is little-endian in every file: big-endian writers swapped it.
    const ByteRange& range = m_places.at(std::string(storage.key));
    std::uint64_t first = range.offset + bytes.offset;
    if (storage.view) {
        first += storage.view->offset * storage.elementBytes();
    }
    piece.bytes = {first, bytes.length};
}

bool LegacyStorages::placeInline(std::span<const std::byte> bytes, Piece& piece) {
    if (bytes.empty()) {
        return false;
    }
    const auto inPickle =
        static_cast<std::uint64_t>(bytes.data() - m_stream.object.buffer().data());
    piece.bytes = {m_stream.objectOffset + inPickle, bytes.size()};
    return true;
}

} // namespace cairn::formats::torch_legacy
