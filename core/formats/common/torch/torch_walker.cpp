// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_walker.h"

#include "core/base/endian.h"
#include "core/model/role_decision.h"
#include "core/model/value_roles.h"

#include <algorithm>

namespace cairn::formats {
namespace {

using pickle::NodeId;
using pickle::NodeKind;
using pickle::PickleGraph;

// A value takes some 80 bytes where the pickle takes two: these bounds keep hostile files from
// growing out of hand. A reference takes two bytes, and what it names may be large: what is built
// for references grows with the pickle.
constexpr std::uint64_t kMaxItems = 4'000'000;
constexpr std::uint64_t kMaxTensors = 4'000'000;
constexpr std::uint64_t kFreeRepeats = 16'384;
constexpr std::uint64_t kFreeRepeatedItems = 65'536;
constexpr std::uint64_t kFreeNameBytes = std::uint64_t{1} << 22;
constexpr int kMaxDepth = Value::kMaxDepth - 50;

/// The element after the last one, counted from the first: 1 + the sum of (size - 1) * stride.
/// Nothing on overflow.
std::optional<std::uint64_t> spanOf(const Shape& shape, const Strides& strides) {
    std::uint64_t span = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const auto reach = checkedMul(static_cast<std::uint64_t>(shape[i] - 1),
                                      static_cast<std::uint64_t>(strides[i]));
        const auto sum = reach ? checkedAdd(span, *reach) : std::nullopt;
        if (!sum) {
            return std::nullopt;
        }
        span = *sum;
    }
    return span;
}

/// Dense C order, whatever the strides of dimensions of one element state.
bool isDense(const Shape& shape, const Strides& strides) {
    std::int64_t step = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
        if (shape[i] != 1 && strides[i] != step) {
            return false;
        }
        step *= shape[i];
    }
    return true;
}

} // namespace

std::uint64_t TorchWalker::Content::hash() const {
    std::uint64_t mixed = hashOf(storage) + hashOf(view) + hashOf(viewOffset) + node;
    for (const auto numbers : {shape.span(), strides.span()}) {
        for (const std::int64_t number : numbers) {
            mixed = hashOf(mixed) + static_cast<std::uint64_t>(number);
        }
    }
    return hashOf(mixed) + hashOf(offset);
}

bool TorchWalker::Content::sameAs(const Content& other) const {
    return node == other.node && storage == other.storage && view == other.view &&
           viewOffset == other.viewOffset && offset == other.offset && dtype == other.dtype &&
           shape == other.shape && strides == other.strides && flags == other.flags;
}

TorchWalker::Content TorchWalker::contentOf(NodeId id, const TorchTensor& tensor,
                                            TensorIndex index) {
    Content content;
    content.first = index;
    if (!tensor.storage) {
        content.node = id.value + 1;
        return content;
    }
    content.storage = tensor.storage->key;
    if (const auto& view = tensor.storage->view) {
        content.view = view->key;
        content.viewOffset = view->offset;
    }
    content.offset = tensor.offset;
    content.dtype = tensor.dtype;
    content.shape = tensor.shape;
    content.strides = tensor.strides;
    content.flags = tensor.flags;
    return content;
}

TorchWalker::TorchWalker(const pickle::PickleGraph& graph, TorchStorages& storages,
                         const CancelToken& cancel)
    : m_graph(graph), m_storages(storages), m_cancel(cancel),
      m_numberingLeft(2 * graph.storedNodes() + 1024), m_itemsLeft(kMaxItems),
      m_itemsOfManyLeft(kMaxItems), m_tensorsLeft(kMaxTensors),
      m_textLeft(4 * graph.buffer().size() + (std::uint64_t{1} << 20)),
      m_decodingLeft(32 * graph.buffer().size() + (std::uint64_t{1} << 26)),
      m_repeatsLeft(kFreeRepeats + graph.storedNodes()),
      m_repeatedItemsLeft(kFreeRepeatedItems + 2 * graph.storedNodes()),
      m_nameBytesLeft(kFreeNameBytes + 8 * graph.buffer().size()) {}

Result<TorchObjects> TorchWalker::run() {
    m_out.root = walk(m_graph.root(), 0);
    CAIRN_CHECK(m_cancel.check());
    makeNamesUnique();
    refineRoles(m_out.root, m_out.tensors);
    return std::move(m_out);
}

void TorchWalker::noteOnce(bool& noted, ErrorCode code, Sentence message, Severity severity) {
    if (!noted) {
        noted = true;
        m_out.notices.push_back({severity, fail(code, std::move(message)).inField(m_path)});
    }
}

void TorchWalker::noteUnshown(bool& noted, const Sentence& message) {
    if (!noted) {
        m_out.unshown.push_back(message);
        noteOnce(noted, ErrorCode::LimitExceeded, message);
    }
}

/// A key may be empty text; only the root has no key at all.
std::string TorchWalker::nameHere() const {
    return m_steps == 0 ? "tensor" : m_path;
}

/// Whether one more tensor, or what is wrong with it, gets a line under the path's name.
bool TorchWalker::takeName() {
    if (m_tensorsLeft == 0) {
        noteUnshown(m_notedTensors, "The checkpoint has more tensors than can be shown");
        return false;
    }
    if (m_path.size() > m_nameBytesLeft) {
        noteUnshown(m_notedNames, "The tensors' names exceed the text limit");
        return false;
    }
    --m_tensorsLeft;
    m_nameBytesLeft -= m_path.size();
    return true;
}

Value TorchWalker::text(NodeId id) {
    const std::string_view all = m_graph.text(id);
    if (all.size() > m_textLeft) {
        noteOnce(m_notedText, ErrorCode::LimitExceeded,
                 "The checkpoint has more text than can be shown");
        return Value("…");
    }
    m_textLeft -= all.size();
    return Value(all);
}

Value TorchWalker::walkAt(std::string_view part, NodeId id, int depth) {
    const Step step(*this, part);
    return walk(id, depth);
}

Value TorchWalker::walk(NodeId id, int depth) {
    switch (m_graph.kind(id)) {
    case NodeKind::Absent:
    case NodeKind::None:
        return {};
    case NodeKind::Bool:
        return m_graph.boolean(id);
    case NodeKind::Int:
        return m_graph.integer(id);
    case NodeKind::BigInt:
        return BigInt{m_graph.integerText(id)};
    case NodeKind::Float:
        return m_graph.number(id);
    case NodeKind::Str:
        return text(id);
    case NodeKind::Buffer:
        return Value("<out-of-band buffer>");
    default:
        break;
    }
    if ((++m_visits & 0x3FFU) == 0 && m_cancel.cancelled()) {
        return {};
    }
    // What describes a tensor may be a tensor of the checkpoint elsewhere.
    auto& memo = m_descriptions > 0 ? m_described : m_done;
    const auto known = memo.find(id.value);
    const bool again = known != memo.end();
    if (again && known->second.open) {
        return Value::object("<itself>", {});
    }
    if (again && (!known->second.withTensors || !mayRepeat(known->second))) {
        return known->second.value;
    }
    if (depth >= kMaxDepth) {
        noteUnshown(m_notedDepth, "Values are nested deeper than can be shown");
        return Value("…");
    }
    Done& done = again ? known->second : memo[id.value]; // stays where it is
    done.open = true;
    const std::size_t tensorsBefore = m_out.tensors.size();
    const std::uint64_t itemsBefore = m_itemsMet;
    m_repeating += again ? 1 : 0;
    Value value = build(id, depth);
    m_repeating -= again ? 1 : 0;
    done.open = false;
    done.withTensors = m_out.tensors.size() > tensorsBefore;
    done.items = m_itemsMet - itemsBefore;
    done.value = value;
    if (m_searching > 0 && m_descriptions == 0 && !done.withTensors) {
        memo.erase(id.value);
        noteBare(id);
    }
    return value;
}

/// A search found no tensors in it. Of keys and of () nothing needs to be remembered.
void TorchWalker::noteBare(NodeId id) {
    if (m_keys == 0 && id.value < m_graph.storedNodes()) {
        m_bare.resize(m_graph.storedNodes());
        m_bare[id.value] = true;
    }
}

/// Whether what holds tensors may be walked once more. A repeat inside another was paid for by it.
bool TorchWalker::mayRepeat(const Done& known) {
    const std::uint64_t cost = m_repeating > 0 ? 0 : known.items;
    if (m_repeatsLeft == 0 || cost > m_repeatedItemsLeft) {
        noteUnshown(m_notedRepeats, "Tensors have more names than can be shown");
        return false;
    }
    --m_repeatsLeft;
    m_repeatedItemsLeft -= cost;
    return true;
}

Value TorchWalker::build(NodeId id, int depth) {
    switch (m_graph.kind(id)) {
    case NodeKind::Bytes:
    case NodeKind::ByteArray: {
        auto bytes = m_storages.contentOf(m_graph.bytes(id));
        return bytes ? Value::bytes(std::move(*bytes)) : complain(std::move(bytes).error());
    }
    case NodeKind::Tuple:
        return sequence(ValueKind::Tuple, m_graph.items(id), depth);
    case NodeKind::List:
        return sequence(ValueKind::List, m_graph.items(id), depth);
    case NodeKind::Set:
    case NodeKind::FrozenSet:
        return sequence(ValueKind::Set, m_graph.items(id), depth);
    case NodeKind::Dict:
        return dictionary(id, {}, depth);
    case NodeKind::Global:
        return Value(className(id));
    case NodeKind::PersistentId:
        if (auto tensor = m_storages.tensorOf(m_graph, m_graph.payload(id))) {
            return *tensor ? addTensor(id, **tensor) : complain(std::move(*tensor).error());
        }
        return storageValue(id);
    default:
        return object(id, depth);
    }
}

Value TorchWalker::complain(Error error) {
    m_out.anyMissing = true;
    if (!takeName()) {
        return {};
    }
    const std::string name = nameHere();
    m_out.notices.push_back({Severity::Error, std::move(error).inTensor(name)});
    return Value::object("<damaged tensor>", {});
}

Value TorchWalker::addTensor(NodeId id, const TorchTensor& tensor) {
    if (m_descriptions > 0) {
        return Value::object("torch.Tensor", {{Value("dtype"), Value(dtypeName(tensor.dtype))},
                                              {Value("shape"), Value(formatDims(tensor.shape))}});
    }
    if (!takeName()) {
        return {};
    }
    TensorEntry entry;
    entry.name = nameHere();
    entry.dtype = tensor.dtype;
    entry.shape = tensor.shape;
    entry.role = modelRole(entry.name); // what is around it decides, at the end
    const TensorIndex index(m_out.tensors.size());
    Content content = contentOf(id, tensor, index);
    const auto own = static_cast<std::uint32_t>(m_contents.size());
    const std::uint32_t known = m_sameBytes.add(
        content.hash(), own, [&](std::uint32_t at) { return m_contents[at].sameAs(content); });
    if (known != own) {
        const TensorIndex first = m_contents[known].first;
        entry.pieces = m_out.tensors[first.position()].pieces;
        entry.aliasOf =
            elementCount(entry.shape).value_or(0) == 0 ? std::nullopt : std::optional(first);
    } else {
        m_contents.push_back(std::move(content));
        if (elementCount(tensor.shape).value_or(0) > 0) {
            placeTensor(tensor, entry);
        }
    }
    m_out.tensors.push_back(std::move(entry));
    return index;
}

/// Finds the bytes, or leaves the entry without pieces and states why.
void TorchWalker::placeTensor(const TorchTensor& tensor, TensorEntry& entry) {
    if (tensor.meta) {
        complain(fail(ErrorCode::NotStored,
                      "The tensor is on the meta device; the file does not contain its data")
                     .butFound(sentence("%1 of shape %2", dtypeName(tensor.dtype),
                                        formatDims(tensor.shape)))
                     .withHint("Save the module after its parameters are loaded"));
        return;
    }
    const auto span = spanOf(tensor.shape, tensor.strides);
    const bool dense = isDense(tensor.shape, tensor.strides);
    const auto first = dtypeBytes(tensor.dtype, tensor.offset);
    const auto length = span ? dtypeBytes(tensor.dtype, *span) : std::nullopt;
    const auto end = first && length ? checkedAdd(*first, *length) : std::nullopt;
    if (!end) {
        complain(fail(ErrorCode::TorchBadTensor, "The strides of a tensor overflow")
                     .butFound(sentence("shape %1, strides %2", formatDims(tensor.shape),
                                        formatDims(tensor.strides))));
        return;
    }
    if (dtypeInfo(tensor.dtype).bits % 8 != 0 && (!dense || tensor.offset != 0)) {
        complain(fail(ErrorCode::Unsupported, "Views of packed elements are not supported")
                     .butFound(sentence("%1 with strides %2", dtypeName(tensor.dtype),
                                        formatDims(tensor.strides))));
        return;
    }
    Piece piece;
    piece.box = Box::whole(tensor.shape);
    piece.flags = tensor.flags;
    if (!dense) {
        piece.strides = tensor.strides;
    }
    const auto size = tensor.storage ? m_storages.sizeOf(*tensor.storage)
                                     : Result<std::uint64_t>(tensor.content().size());
    if (!size) {
        complain(size.error());
        return;
    }
    if (*end > *size) {
        complain(
            fail(ErrorCode::TorchStorageTooSmall, "A tensor extends beyond the end of its storage")
                .butFound(sentence("a storage of %1 bytes", *size))
                .expecting(sentence("at least %1 bytes", *end)));
        return;
    }
    if (tensor.storage) {
        m_storages.place(*tensor.storage, {*first, *length}, tensor.dtype, piece);
    } else {
        placeInline(tensor, {*first, *length}, piece);
    }
    entry.pieces.push_back(std::move(piece));
}

void TorchWalker::placeInline(const TorchTensor& tensor, ByteRange bytes, Piece& piece) {
    const auto content = tensor.content().subspan(static_cast<std::size_t>(bytes.offset),
                                                  static_cast<std::size_t>(bytes.length));
    if (tensor.decoded.empty() && m_storages.placeInline(content, piece)) {
        return;
    }
    piece.file = kDecodedFile;
    piece.bytes = {m_out.decoded.size(), content.size()};
    m_out.decoded.insert(m_out.decoded.end(), content.begin(), content.end());
}

} // namespace cairn::formats
