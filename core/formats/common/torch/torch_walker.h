// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/position_table.h"
#include "core/base/sentence.h"
#include "core/formats/common/torch/torch_numpy.h"
#include "core/formats/common/torch/torch_objects.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::formats {

class TorchKeys;

/// Converts a graph to values and entries; private to this folder. The walk recurses at most
/// Value::kMaxDepth deep and remembers results, so that its cost is linear in the graph. Only
/// containers with tensors are converted again if they occur under a second name, within a limit.
/// If there are more plain values than are kept, the rest is searched for tensors: only containers
/// of tensors are converted, and a bit marks nodes without tensors.
class TorchWalker {
public:
    TorchWalker(const pickle::PickleGraph& graph, TorchStorages& storages,
                const CancelToken& cancel);
    Result<TorchObjects> run();

private:
    using NodeId = pickle::NodeId;
    using GlobalName = pickle::GlobalName;

    /// Containers with more items (a sampler's order, for example) have a separate limit.
    static constexpr std::size_t kMany = 10'000;

    struct Done {
        Value value;
        std::uint64_t items = 0; ///< number of items that were converted for it
        bool withTensors = false;
        bool open = false; ///< in progress: reaching it again is a cycle
    };

    /// Identifies a tensor's elements. Tensors with equal Content are aliases of each other.
    struct Content {
        std::uint32_t node = 0; ///< of a tensor without a storage: its node + 1
        std::string_view storage;
        std::string_view view;
        std::uint64_t viewOffset = 0;
        std::uint64_t offset = 0;
        Dtype dtype{};
        Shape shape;
        Strides strides;
        ElementFlags flags;
        TensorIndex first; ///< the first tensor with this content; not compared
        [[nodiscard]] std::uint64_t hash() const;
        [[nodiscard]] bool sameAs(const Content& other) const;
    };
    static Content contentOf(NodeId id, const TorchTensor& tensor, TensorIndex index);

    /// Appends a component to the path during its lifetime.
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

    // torch_objects.cpp: values, tensors, their locations.
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
    void noteOnce(bool& noted, ErrorCode code, Sentence message,
                  Severity severity = Severity::Warning);
    void noteUnshown(bool& noted, const Sentence& message);

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

    // torch_classes.cpp: names, attributes, objects of unknown classes.
    Value object(NodeId id, int depth);
    std::optional<Result<TorchTensor>> readTensor(NodeId id);
    Value unknownObject(NodeId id, int depth);
    Value storageValue(NodeId id);
    /// "collections.OrderedDict".
    static std::string fullName(GlobalName name);
    std::string className(NodeId callable) const;
    /// Attributes from BUILD: a dict, or (dict or None, slots dict).
    std::vector<std::pair<std::string_view, NodeId>> attributes(NodeId id) const;
    std::vector<std::pair<std::string_view, NodeId>> attributesOf(NodeId state) const;

    // torch_known_classes.cpp: objects of known classes. Empty: use unknownObject().
    /// The call that creates an object.
    struct Call {
        NodeId id;
        GlobalName callee;
        std::span<const NodeId> args;
        int depth;
    };
    struct KnownCall;
    std::optional<Value> knownObject(const Call& call);
    std::optional<Value> dictValue(const Call& call);
    template <ValueKind kind> std::optional<Value> sequenceValue(const Call& call);
    std::optional<Value> complexValue(const Call& call);
    std::optional<Value> pathValue(const Call& call);
    std::optional<Value> bufferValue(const Call& call);
    std::optional<Value> sizeValue(const Call& call);
    std::optional<Value> deviceValue(const Call& call);
    std::optional<Value> layoutValue(const Call& call);
    std::optional<Value> firstArgument(const Call& call);
    std::optional<Value> typedStorageValue(const Call& call);
    std::optional<Value> tensorDictValue(const Call& call);
    std::optional<Value> pickledBytes(NodeId id);
    Value numpyObjects(const Call& call);

    // torch_subclasses.cpp: tensors that are more than strided elements.
    void checkPart(TensorIndex local, const Shape& whole);
    Value subclassTensor(NodeId id, std::span<const NodeId> args, int depth);
    Value quantizedTensor(NodeId id, std::span<const NodeId> args, int depth);
    std::optional<Value> sparseTensor(const Call& call);

    // torch_module.cpp
    Value module(NodeId id, std::span<const std::pair<std::string_view, NodeId>> state, int depth);

    const pickle::PickleGraph& m_graph;
    TorchStorages& m_storages;
    CancelToken m_cancel;
    TorchObjects m_out;
    std::string m_path;
    std::size_t m_steps = 0; ///< components of m_path, including empty ones
    std::unordered_map<std::uint32_t, Done> m_done;
    std::unordered_map<std::uint32_t, Done> m_described; ///< as m_done, inside descriptions
    PositionTable m_sameBytes;                           ///< positions in m_contents by their hash
    std::vector<Content> m_contents;
    NodeId m_groups; ///< of the most recent optimizer
    std::unordered_map<std::uint32_t, std::size_t> m_parameterNumbers;
    std::optional<std::uint32_t> m_numberedGroups; ///< to which m_parameterNumbers belong
    std::uint64_t m_numberingLeft;                 ///< remaining steps; groups may share items
    std::vector<bool> m_bare;                      ///< by node: known to contain no tensors
    std::uint64_t m_itemsMet = 0;
    std::uint64_t m_itemsLeft;
    std::uint64_t m_itemsOfManyLeft; ///< for containers with more than kMany items
    std::uint64_t m_tensorsLeft;
    std::uint64_t m_textLeft;
    std::uint64_t m_decodingLeft; ///< bytes of tensors stored as text
    std::uint64_t m_repeatsLeft;
    std::uint64_t m_repeatedItemsLeft;
    std::uint64_t m_nameBytesLeft;
    int m_repeating = 0;
    int m_searching = 0; ///< inside an item that is kept only if it contains tensors
    int m_keys = 0;      ///< inside a key, which is small and kept completely
    std::size_t m_visits = 0;
    int m_descriptions =
        0; ///< inside a DTensor's layout or a quantisation, whose tensors describe another tensor
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
