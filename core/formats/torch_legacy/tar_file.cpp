// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch_legacy/tar_file.h"

#include "core/base/endian.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace cairn::formats::torch_legacy {
namespace {

using pickle::NodeId;
using pickle::NodeKind;
using pickle::PickleGraph;

constexpr std::uint64_t kBlock = 512;
constexpr std::uint64_t kFirstDescription = 256; ///< a description takes 50 to 100 bytes
constexpr std::uint64_t kMaxDescription = std::uint64_t{64} << 20U; ///< the list of views
constexpr std::uint64_t kMaxObject = std::uint64_t{2} << 30U;
constexpr std::size_t kMaxRank = 64;
constexpr auto kMembers =
    std::to_array<std::string_view>({"sys_info", "pickle", "tensors", "storages"});

Error badMember(Sentence message, std::uint64_t offset) {
    return fail(ErrorCode::TorchBadHeader, std::move(message)).at(offset);
}

std::string_view nameOf(std::span<const std::byte> block) {
    std::string_view name = asText(block.first(100));
    name = name.substr(0, name.find('\0'));
    return name.starts_with("./") ? name.substr(2) : name;
}

/// The key of a storage or tensor: an integer, which the object's persistent ids contain as text.
std::string keyOf(const PickleGraph& graph, NodeId node) {
    const NodeKind kind = graph.kind(node);
    return kind == NodeKind::Str                               ? std::string(graph.text(node))
           : kind == NodeKind::Int || kind == NodeKind::BigInt ? graph.integerText(node)
                                                               : std::string();
}

ByteRange withoutFirst(ByteRange range, std::uint64_t bytes) {
    return {range.offset + bytes, range.length - bytes};
}

} // namespace

bool beginsTorchTar(std::span<const std::byte> head) {
    if (head.size() < kBlock || !looksLikeTar(head.first(kBlock))) {
        return false;
    }
    // Python's tarfile writes a pax header for the times before each member.
    for (std::size_t at = 0; at + kBlock <= head.size() && at <= 4 * kBlock; at += kBlock) {
        const auto block = head.subspan(at, kBlock);
        if (looksLikeTar(block) && block[156] == std::byte{'0'} &&
            std::ranges::find(kMembers, nameOf(block)) != kMembers.end()) {
            return true;
        }
    }
    return false;
}

Result<void> TarFile::read(std::vector<Notice>& notices) {
    CAIRN_TRY(const TarIndex index, indexTar(m_source));
    std::array<std::optional<ByteRange>, kMembers.size()> members;
    for (const TarMember& member : index.members) {
        const auto known = std::ranges::find(kMembers, member.name);
        if (known != kMembers.end()) {
            members[static_cast<std::size_t>(known - kMembers.begin())] = member.bytes;
        }
    }
    for (std::size_t i = 1; i < kMembers.size(); ++i) {
        if (!members[i]) {
            return fail(index.ended ? ErrorCode::TorchBadHeader : ErrorCode::Truncated,
                        "A member of the file is missing")
                .inField(std::string(kMembers[i]));
        }
    }
    if (!index.ended) {
        notices.push_back(
            {Severity::Error, fail(ErrorCode::Truncated, "The tar archive has no end marker")
                                  .at(m_source.size())
                                  .expecting("two blocks of zeros")});
    }
    for (Result<void> result : {readStorages(*members[3]), readTensors(*members[2])}) {
        if (!result && result.error().code == ErrorCode::Io) {
            return result;
        }
        if (!result) {
            notices.push_back({Severity::Error, std::move(result).error()});
        }
    }
    const ByteRange object = *members[1];
    if (object.length > kMaxObject) {
        return fail(ErrorCode::LimitExceeded, "The pickle is too long").at(object.offset);
    }
    CAIRN_TRY(auto bytes, readRange(m_source, object));
    auto graph =
        pickle::parsePickle(std::make_shared<const std::vector<std::byte>>(std::move(bytes)));
    if (!graph) {
        Error error = std::move(graph).error();
        error.where.offset = error.where.offset.value_or(0) + object.offset;
        return error;
    }
    m_object = std::move(*graph);
    m_objectOffset = object.offset;
    return {};
}

/// Parses the pickle at the start of `left`, in growing windows, because its length is not
/// recorded.
Result<PickleGraph> TarFile::readPickle(ByteRange left) const {
    for (std::uint64_t window = kFirstDescription;; window *= 4) {
        const std::uint64_t length = std::min(window, left.length);
        CAIRN_TRY(auto bytes, readRange(m_source, {left.offset, length}));
        auto graph =
            pickle::parsePickle(std::make_shared<const std::vector<std::byte>>(std::move(bytes)));
        if (graph) {
            return graph;
        }
        const ErrorCode code = graph.error().code;
        const bool cut = code == ErrorCode::PickleTruncated || code == ErrorCode::PickleBadFrame;
        if (!cut || length == left.length || window >= kMaxDescription) {
            Error error = std::move(graph).error();
            error.where.offset = error.where.offset.value_or(0) + left.offset;
            return error;
        }
    }
}

/// Format: a count; for each storage (key, location, class), its number of elements, and the
/// elements; then the list of views.
Result<void> TarFile::readStorages(ByteRange left) {
    CAIRN_TRY(const PickleGraph count, readPickle(left));
    left = withoutFirst(left, count.consumed());
    const auto storages = count.asInteger(count.root());
    if (!storages || *storages < 0) {
        return badMember("The storage count is not a number", left.offset);
    }
    for (std::int64_t i = 0; i < *storages; ++i) {
        CAIRN_TRY(const PickleGraph about, readPickle(left));
        const std::uint64_t at = left.offset;
        const auto items = about.items(about.root());
        const auto dtype =
            items.size() == 3 ? torchStorageDtype(about.global(items[2])) : std::nullopt;
        if (!dtype || !*dtype || dtypeInfo(**dtype).bits % 8 != 0) {
            return badMember("A storage is not described by key, location and class", at);
        }
        left = withoutFirst(left, about.consumed());
        if (left.length < 8) {
            return fail(ErrorCode::Truncated, "The file ends before the last of its storages")
                .at(at);
        }
        std::array<std::byte, 8> field{};
        CAIRN_CHECK(m_source.readAt(left.offset, field));
        left = withoutFirst(left, field.size());
        const auto elements = loadLittle<std::int64_t>(field);
        const auto bytes =
            elements < 0 ? std::nullopt : dtypeBytes(**dtype, static_cast<std::uint64_t>(elements));
        if (!bytes || *bytes > left.length) {
            return fail(ErrorCode::Truncated, "A storage extends beyond the end of its member")
                .at(at)
                .butFound(sentence("%1 elements", elements));
        }
        m_storages.insert_or_assign(keyOf(about, items[0]),
                                    Storage{{left.offset, *bytes}, **dtype});
        left = withoutFirst(left, *bytes);
    }
    CAIRN_TRY(const PickleGraph views, readPickle(left));
    return readViews(views, left.offset);
}

/// [(key, key of the root, offset, elements), …]
Result<void> TarFile::readViews(const PickleGraph& views, std::uint64_t at) {
    for (const NodeId view : views.items(views.root())) {
        const auto items = views.items(view);
        const auto root =
            items.size() == 4 ? m_storages.find(keyOf(views, items[1])) : m_storages.end();
        const auto first = items.size() == 4 ? views.asInteger(items[2]) : std::nullopt;
        const auto count = items.size() == 4 ? views.asInteger(items[3]) : std::nullopt;
        if (root == m_storages.end() || !first || !count || *first < 0 || *count < 0) {
            return badMember("A view of a storage is not key, root, offset and count", at);
        }
        const Storage whole = root->second;
        const auto skip = dtypeBytes(whole.dtype, static_cast<std::uint64_t>(*first));
        const auto length = dtypeBytes(whole.dtype, static_cast<std::uint64_t>(*count));
        if (!skip || !length || !ByteRange{*skip, *length}.fitsInto(whole.bytes.length)) {
            return fail(ErrorCode::TorchStorageTooSmall,
                        "A view extends beyond the end of its storage")
                .at(at);
        }
        m_storages.insert_or_assign(keyOf(views, items[0]),
                                    Storage{{whole.bytes.offset + *skip, *length}, whole.dtype});
    }
    return {};
}

Result<Dims> TarFile::readDims(ByteRange left, std::uint64_t rank) const {
    CAIRN_TRY(const auto bytes, readRange(m_source, {left.offset, 8 * rank}));
    Dims dims(static_cast<std::size_t>(rank), 0);
    for (std::size_t d = 0; d < dims.size(); ++d) {
        dims[d] = loadLittle<std::int64_t>(std::span(bytes).subspan(8 * d, 8));
    }
    return dims;
}

/// Format: a count; for each tensor (key, key of its storage, class), i32 rank, 4 bytes, then as
/// i64 the extents, the strides, and the offset of its first element.
Result<void> TarFile::readTensors(ByteRange left) {
    CAIRN_TRY(const PickleGraph count, readPickle(left));
    left = withoutFirst(left, count.consumed());
    const auto tensors = count.asInteger(count.root());
    if (!tensors || *tensors < 0) {
        return badMember("The tensor count is not a number", left.offset);
    }
    for (std::int64_t i = 0; i < *tensors; ++i) {
        CAIRN_TRY(const PickleGraph about, readPickle(left));
        const std::uint64_t at = left.offset;
        const auto items = about.items(about.root());
        if (items.size() != 3) {
            return badMember("A tensor is not described by key, storage and class", at);
        }
        left = withoutFirst(left, about.consumed());
        std::array<std::byte, 4> field{};
        if (left.length < 16) {
            return fail(ErrorCode::Truncated, "The file ends before the last of its tensors")
                .at(at);
        }
        CAIRN_CHECK(m_source.readAt(left.offset, field));
        left = withoutFirst(left, 8);
        const auto rank = loadLittle<std::int32_t>(field);
        if (rank < 0 || static_cast<std::size_t>(rank) > kMaxRank) {
            return badMember("Implausible number of dimensions of a tensor", at)
                .butFound(verbatim(std::to_string(rank)));
        }
        const std::uint64_t list = 8 * static_cast<std::uint64_t>(rank);
        if (left.length < 2 * list + 8) {
            return fail(ErrorCode::Truncated, "The file ends before the last of its tensors")
                .at(at);
        }
        Tensor tensor;
        tensor.storage = keyOf(about, items[1]);
        CAIRN_TRY(tensor.shape, readDims(left, static_cast<std::uint64_t>(rank)));
        CAIRN_TRY(tensor.strides,
                  readDims(withoutFirst(left, list), static_cast<std::uint64_t>(rank)));
        std::array<std::byte, 8> offset{};
        CAIRN_CHECK(m_source.readAt(left.offset + 2 * list, offset));
        tensor.offset = loadLittle<std::int64_t>(offset);
        left = withoutFirst(left, 2 * list + 8);
        m_tensors.insert_or_assign(keyOf(about, items[0]), std::move(tensor));
    }
    return {};
}

std::optional<Result<TorchTensor>> TarFile::tensorOf(const PickleGraph& graph, NodeId payload) {
    const auto known = m_tensors.find(keyOf(graph, payload));
    if (known == m_tensors.end()) {
        const bool module = !graph.items(payload).empty();
        return module ? std::nullopt
                      : std::optional<Result<TorchTensor>>(
                            fail(ErrorCode::TorchBadPersistentId,
                                 "A persistent id does not name a tensor of the file"));
    }
    const Tensor& tensor = known->second;
    const auto storage = m_storages.find(tensor.storage);
    if (storage == m_storages.end()) {
        return fail(ErrorCode::TorchMissingRecord, "The storage of a tensor is not in the file")
            .butFound(sentence("no storage %1", tensor.storage));
    }
    const bool sane = std::ranges::none_of(tensor.shape.span(), [](auto n) { return n < 0; }) &&
                      tensor.offset >= 0;
    if (!sane) {
        return fail(ErrorCode::TorchBadTensor, "A tensor has a negative extent or offset");
    }
    TorchTensor found;
    found.dtype = storage->second.dtype;
    found.shape = tensor.shape;
    found.strides = tensor.strides;
    found.offset = static_cast<std::uint64_t>(tensor.offset);
    TorchStorage of;
    of.key = storage->first;
    of.location = "cpu";
    of.dtype = storage->second.dtype;
    of.numel = storage->second.bytes.length / of.elementBytes();
    found.storage = of;
    return found;
}

Result<std::uint64_t> TarFile::sizeOf(const TorchStorage& storage) {
    const auto known = m_storages.find(std::string(storage.key));
    if (known == m_storages.end()) {
        return fail(ErrorCode::TorchMissingRecord, "The data of a tensor is not in the file");
    }
    return known->second.bytes.length;
}

void TarFile::place(const TorchStorage& storage, ByteRange bytes, Dtype, Piece& piece) {
    // Little-endian in every file: big-endian writers swapped the data.
    const ByteRange& range = m_storages.at(std::string(storage.key)).bytes;
    piece.bytes = {range.offset + bytes.offset, bytes.length};
}

bool TarFile::placeInline(std::span<const std::byte> bytes, Piece& piece) {
    if (bytes.empty()) {
        return false;
    }
    const auto inPickle = static_cast<std::uint64_t>(bytes.data() - m_object->buffer().data());
    piece.bytes = {m_objectOffset + inPickle, bytes.size()};
    return true;
}

} // namespace cairn::formats::torch_legacy
