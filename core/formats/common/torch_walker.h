// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/torch_numpy.h"
#include "core/formats/common/torch_objects.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::formats {

class TorchKeys;

/// Turns a graph into values and entries; private to this folder. The walk recurses along the graph
/// at most Value::kMaxDepth deep, and remembers what it has built, so that its cost is linear in
/// the graph. Only containers with tensors in them are built again when they are met under a second
/// name, within a budget. Where there are more plain values than are kept, the rest is searched for
/// tensors: nothing is built of it but what holds some, and a bit remembers what holds none.
class TorchWalker {
public:
    TorchWalker(const pickle::PickleGraph& graph, TorchStorages& storages,
                const CancelToken& cancel);
    Result<TorchObjects> run();

private:
    using NodeId = pickle::NodeId;
    using GlobalName = pickle::GlobalName;

    /// So many items do not stand for something each: they have a bound of their own.
    static constexpr std::size_t kMany = 10'000;

    struct Done {
        Value value;
        std::uint64_t items = 0; ///< that were met in building it
        bool withTensors = false;
        bool open = false; ///< being built: meeting it again is a cycle
    };

    /// Appends a part to the path while it lives.
    class Step {
    public:
        Step(TorchWalker& walker, std::string_view part)
            : m_walker(walker), m_length(walker.m_path.size()) {
            walker.m_path += walker.m_path.empty() ? "" : ".";
            walker.m_path += part;
            ++walker.m_steps;
        }
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;
        ~Step() {
            m_walker.m_path.resize(m_length);
            --m_walker.m_steps;
        }

    private:
        TorchWalker& m_walker;
        std::size_t m_length;
    };

    // torch_objects.cpp: values, tensors, their places.
    Value walk(NodeId id, int depth);
    Value walkAt(std::string_view part, NodeId id, int depth);
    Value build(NodeId id, int depth);
    bool mayRepeat(const Done& known);
    void noteBare(NodeId id);
    Value text(NodeId id);
    Value addTensor(NodeId id, const TorchTensor& tensor);
    Value complain(Error error);
    void placeTensor(const TorchTensor& tensor, TensorEntry& entry);
    void placeInline(const TorchTensor& tensor, ByteRange bytes, Piece& piece);
    [[nodiscard]] std::string nameHere() const;
    bool takeName();
    void noteOnce(bool& noted, ErrorCode code, std::string message,
                  Severity severity = Severity::Warning);
    void noteUnshown(bool& noted, const std::string& message);

    // torch_containers.cpp: lists and dicts, names.
    bool takeItem(bool ofMany = false);
    [[nodiscard]] bool isSelected(NodeId id, bool taken) const;
    std::optional<Value> item(std::string_view part, NodeId id, int depth, bool taken);
    void addItem(std::vector<ValueItem>& items, std::string_view name, NodeId id, int depth);
    Value sequence(ValueKind kind, std::span<const NodeId> items, int depth);
    void addEntry(std::vector<ValueItem>& items, pickle::PairView::Pair pair, std::size_t position,
                  int depth, bool ofMany = false, TorchKeys* keys = nullptr);
    std::vector<ValueItem> pairs(pickle::PairView pairs, int depth);
    [[nodiscard]] std::uint64_t roomFor(bool many) const;
    Value dictionary(NodeId id, std::string className, int depth);
    void makeNamesUnique();

    // torch_keys.cpp
    Value keyOf(NodeId key, std::size_t position, int depth, TorchKeys* keys);
    std::optional<std::size_t> numberOf(NodeId parameter);

    // torch_classes.cpp: what objects of known and unknown classes become.
    Value object(NodeId id, int depth);
    std::optional<Result<TorchTensor>> readTensor(NodeId id);
    bool pythonObject(NodeId id, GlobalName callee, int depth, Value& out);
    bool torchObject(NodeId id, GlobalName callee, int depth, Value& out);
    Value unknownObject(NodeId id, int depth);
    Value storageValue(NodeId id);
    Value pathValue(std::span<const NodeId> parts);
    std::optional<Value> pickledBytes(NodeId id);
    std::string className(NodeId callable) const;
    /// Attributes that BUILD gives: a dict, or (dict or None, slots dict).
    std::vector<std::pair<std::string_view, NodeId>> attributes(NodeId id) const;
    std::vector<std::pair<std::string_view, NodeId>> attributesOf(NodeId state) const;

    // torch_subclasses.cpp: tensors that are more than elements with strides.
    void checkPart(TensorIndex local, const Shape& whole);
    Value subclassTensor(NodeId id, std::span<const NodeId> args, int depth);
    Value quantizedTensor(NodeId id, std::span<const NodeId> args, int depth);
    Value sparseTensor(NodeId id, GlobalName callee, std::span<const NodeId> args, int depth);

    // torch_module.cpp
    Value module(NodeId id, std::span<const std::pair<std::string_view, NodeId>> state, int depth);

    const pickle::PickleGraph& m_graph;
    TorchStorages& m_storages;
    CancelToken m_cancel;
    TorchObjects m_out;
    std::string m_path;
    std::size_t m_steps = 0; ///< parts of m_path, empty ones included
    std::unordered_map<std::uint32_t, Done> m_done;
    std::unordered_map<std::uint32_t, Done> m_described; ///< the same, inside descriptions
    std::unordered_map<std::string, TensorIndex>
        m_sameBytes; ///< storage, offset, shape, strides -> first entry
    NodeId m_groups; ///< of the optimizer that was met last
    std::unordered_map<std::uint32_t, std::size_t> m_parameterNumbers;
    std::optional<std::uint32_t> m_numberedGroups; ///< whose m_parameterNumbers are
    std::uint64_t m_numberingLeft;                 ///< steps: groups may share what is in them
    std::vector<bool> m_bare;                      ///< by node: holds no tensors, as a search found
    std::uint64_t m_itemsMet = 0;
    std::uint64_t m_itemsLeft;
    std::uint64_t m_itemsOfManyLeft; ///< of containers with many: they crowd out no others
    std::uint64_t m_tensorsLeft;
    std::uint64_t m_textLeft;
    std::uint64_t m_decodingLeft; ///< bytes of tensors that are written as text
    std::uint64_t m_repeatsLeft;
    std::uint64_t m_repeatedItemsLeft;
    std::uint64_t m_nameBytesLeft;
    int m_repeating = 0;
    int m_searching = 0; ///< inside an item that is not kept for itself
    int m_keys = 0;      ///< inside a key, which is small, and needed whole
    std::size_t m_visits = 0;
    int m_descriptions =
        0; ///< inside a DTensor's layout or a quantisation: tensors that describe another
    bool m_notedItems = false;
    bool m_notedTensors = false;
    bool m_notedNames = false;
    bool m_notedText = false;
    bool m_notedMembers = false;
    bool m_notedKeys = false;
    bool m_notedDepth = false;
    bool m_notedRepeats = false;
};

} // namespace cairn::formats
