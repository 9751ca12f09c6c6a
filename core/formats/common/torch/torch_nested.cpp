// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_nested.h"

#include "core/base/endian.h"
#include "core/formats/common/torch/torch_numpy.h"

#include <algorithm>

namespace cairn::formats {
namespace {

using pickle::NodeId;
using pickle::NodeKind;
using pickle::PickleGraph;

constexpr std::size_t kCountBytes = 8;
constexpr std::size_t kMaxPickle = 1024; ///< each of the five takes about 100 bytes; many tensors
                                         ///< may use one storage, and each reads them again

Error badNested(Sentence message) {
    return fail(ErrorCode::TorchBadHeader, std::move(message))
        .expecting("a torch.save file that contains one storage");
}

/// The fourth of the five leading pickles, and the offset after the fifth, where the storage's
/// element count begins.
struct NestedStream {
    PickleGraph object;
    std::size_t end = 0;
};
Result<NestedStream> readFront(std::span<const std::byte> bytes) {
    NestedStream stream;
    for (int i = 0; i < 5; ++i) { // magic, version, machine, object, keys
        const auto rest = bytes.subspan(stream.end);
        CAIRN_TRY(auto graph, pickle::parsePickle(rest.first(std::min(rest.size(), kMaxPickle))));
        stream.end += static_cast<std::size_t>(graph.consumed());
        if (i == 0 && graph.integerText(graph.root()) != kTorchStreamMagic) {
            return badNested("The data of a storage does not begin with torch's magic number");
        }
        if (i == 4 && graph.items(graph.root()).size() != 1) {
            return badNested("The data of a storage does not contain exactly one storage");
        }
        if (i == 3) {
            stream.object = std::move(graph);
        }
    }
    return stream;
}

/// Location of the elements in `bytes`, after their count; a view omits some of them.
Result<ByteRange> rangeOf(const TorchStorage& storage, std::size_t end,
                          std::span<const std::byte> bytes) {
    if (bytes.size() - end < kCountBytes) {
        return badNested("The data of a storage ends before its elements");
    }
    const auto count = loadLittle<std::uint64_t>(bytes.subspan(end).first<kCountBytes>());
    const std::uint64_t rest = bytes.size() - end - kCountBytes;
    const auto all = checkedMul(count, storage.elementBytes());
    const auto first = storage.view ? checkedMul(storage.view->offset, storage.elementBytes())
                                    : std::optional<std::uint64_t>(0);
    const auto length =
        checkedMul(storage.view ? storage.view->numel : storage.numel, storage.elementBytes());
    if (!all || *all > rest || !first || !length || !ByteRange{*first, *length}.fitsInto(*all)) {
        return fail(ErrorCode::TorchStorageTooSmall, "A storage extends beyond its data")
            .butFound(sentence("%1 bytes", rest))
            .expecting(sentence("%1 elements of %2 bytes", count, storage.elementBytes()));
    }
    return ByteRange{end + kCountBytes + *first, *length};
}

} // namespace

bool isNestedStorage(const PickleGraph& graph, NodeId id) {
    return graph.isCallOf(id, {"torch.storage", "_load_from_bytes"});
}

std::optional<Result<TorchTensor>> readNestedStorage(const PickleGraph& graph, NodeId id) {
    TorchTensor tensor;
    const auto args = graph.items(graph.args(id));
    const auto bytes =
        args.empty() ? std::nullopt : readPickledBytes(graph, args[0], tensor.decoded);
    if (!bytes) {
        return badNested("The data of a storage is not a byte string");
    }
    tensor.decodedBytes = tensor.decoded.size();
    CAIRN_TRY(const auto stream, readFront(*bytes));
    const PickleGraph& object = stream.object;
    if (object.kind(object.root()) != NodeKind::PersistentId ||
        !isTorchStorage(object, object.payload(object.root()))) {
        return std::nullopt;
    }
    CAIRN_TRY(const auto storage, readTorchStorage(object, object.payload(object.root())));
    CAIRN_TRY(const auto range, rangeOf(storage, stream.end, *bytes));
    const auto first = static_cast<std::size_t>(range.offset);
    const auto length = static_cast<std::size_t>(range.length);
    tensor.dtype = storage.dtype.value_or(Dtype::Uint8);
    tensor.shape = Shape{static_cast<std::int64_t>(length / storage.elementBytes())};
    tensor.strides = Strides{1};
    if (tensor.decoded.empty()) {
        tensor.inlineBytes = bytes->subspan(first, length);
    } else {
        tensor.decoded = tensor.decoded.substr(first, length);
    }
    return tensor;
}

} // namespace cairn::formats
