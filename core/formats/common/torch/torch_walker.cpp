// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_walker.h"

#include "core/formats/common/torch/torch_calls.h"
#include "core/formats/common/torch/torch_classes.h"
#include "core/model/value_roles.h"

#include <utility>

namespace cairn::formats {
namespace {

using pickle::NodeId;
using pickle::NodeKind;

// A value takes some 80 bytes where the pickle takes two, and a reference takes two bytes, and what
// it names may be large: these bounds keep hostile files from growing out of hand. What is built
// for references grows with the pickle.
constexpr std::uint64_t kFreeRepeats = 16'384;
constexpr std::uint64_t kFreeRepeatedItems = 65'536;
constexpr int kMaxDepth = Value::kMaxDepth - 50;

} // namespace

TorchWalker::TorchWalker(const pickle::PickleGraph& graph, TorchStorages& storages,
                         const CancelToken& cancel)
    : m_graph(graph), m_storages(storages), m_cancel(cancel), m_notes(m_path, m_out),
      m_entries(graph, storages, m_path, m_notes, m_out), m_items(graph, m_notes, *this),
      m_textLeft(4 * graph.buffer().size() + (std::uint64_t{1} << 20)),
      m_repeatsLeft(kFreeRepeats + graph.storedNodes()),
      m_repeatedItemsLeft(kFreeRepeatedItems + 2 * graph.storedNodes()) {}

Result<TorchObjects> TorchWalker::run() {
    m_out.root = walk(m_graph.root(), 0);
    CAIRN_CHECK(m_cancel.check());
    m_entries.makeNamesUnique();
    refineRoles(m_out.root, m_out.tensors);
    return std::move(m_out);
}

Value TorchWalker::text(NodeId id) {
    const std::string_view all = m_graph.text(id);
    if (all.size() > m_textLeft) {
        m_notes.once(TorchNote::Text, ErrorCode::LimitExceeded,
                     "The checkpoint has more text than can be shown");
        return Value("…");
    }
    m_textLeft -= all.size();
    return Value(all);
}

Value TorchWalker::walkAt(std::string_view part, NodeId id, int depth) {
    const TorchPath::Step step(m_path, part);
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
        m_notes.unshown(TorchNote::Depth, "Values are nested deeper than can be shown");
        return Value("…");
    }
    Done& done = again ? known->second : memo[id.value]; // stays where it is
    done.open = true;
    const std::size_t tensorsBefore = m_entries.size();
    const std::uint64_t itemsBefore = m_items.met();
    m_repeating += again ? 1 : 0;
    Value value = convert(id, depth);
    m_repeating -= again ? 1 : 0;
    done.open = false;
    done.withTensors = m_entries.size() > tensorsBefore;
    done.items = m_items.met() - itemsBefore;
    done.value = value;
    if (m_items.isSearching() && m_descriptions == 0 && !done.withTensors) {
        memo.erase(id.value);
        m_items.noteBare(id);
    }
    return value;
}

/// Whether what holds tensors may be walked once more. A repeat inside another was paid for by it.
bool TorchWalker::mayRepeat(const Done& known) {
    const std::uint64_t cost = m_repeating > 0 ? 0 : known.items;
    if (m_repeatsLeft == 0 || cost > m_repeatedItemsLeft) {
        m_notes.unshown(TorchNote::Repeats, "Tensors have more names than can be shown");
        return false;
    }
    --m_repeatsLeft;
    m_repeatedItemsLeft -= cost;
    return true;
}

Value TorchWalker::convert(NodeId id, int depth) {
    switch (m_graph.kind(id)) {
    case NodeKind::Bytes:
    case NodeKind::ByteArray:
        return bytes(m_graph.bytes(id));
    case NodeKind::Tuple:
        return m_items.sequence(ValueKind::Tuple, m_graph.items(id), depth);
    case NodeKind::List:
        return m_items.sequence(ValueKind::List, m_graph.items(id), depth);
    case NodeKind::Set:
    case NodeKind::FrozenSet:
        return m_items.sequence(ValueKind::Set, m_graph.items(id), depth);
    case NodeKind::Dict:
        return m_items.dictionary(id, depth);
    case NodeKind::Global:
        return Value(className(m_graph, id));
    case NodeKind::PersistentId:
        if (auto tensor = m_storages.tensorOf(m_graph, m_graph.payload(id))) {
            return *tensor ? addTensor(id, **tensor)
                           : m_entries.addDamaged(std::move(*tensor).error());
        }
        return convertPersistentId(*this, id);
    default:
        return convertObject(*this, id, depth);
    }
}

Value TorchWalker::bytes(std::span<const std::byte> bytes) {
    auto content = m_storages.contentOf(bytes);
    return content ? Value::bytes(std::move(*content))
                   : m_entries.addDamaged(std::move(content).error());
}

Value TorchWalker::addTensor(NodeId id, const TorchTensor& tensor) {
    if (isDescribing()) {
        return Value::object("torch.Tensor", {{Value("dtype"), Value(dtypeName(tensor.dtype))},
                                              {Value("shape"), Value(formatDims(tensor.shape))}});
    }
    return m_entries.add(id, tensor);
}

Value TorchWalker::addTensorAt(std::string_view part, NodeId id, const TorchTensor& tensor) {
    const TorchPath::Step step(m_path, part);
    return addTensor(id, tensor);
}

} // namespace cairn::formats
