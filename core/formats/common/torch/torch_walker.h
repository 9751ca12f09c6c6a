// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/torch/torch_entries.h"
#include "core/formats/common/torch/torch_items.h"
#include "core/formats/common/torch/torch_notes.h"
#include "core/formats/common/torch/torch_objects.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>

namespace cairn::formats {

/// Walks a graph and converts it to values and entries; private to this folder. It recurses at most
/// Value::kMaxDepth deep and remembers results, so that its cost is linear in the graph. Only
/// containers with tensors are converted again if they occur under a second name, within a limit.
/// It owns the parts of the work: entries() of tensors, items() of containers; torch_calls.h
/// converts objects.
class TorchWalker {
public:
    using NodeId = pickle::NodeId;

    TorchWalker(const pickle::PickleGraph& graph, TorchStorages& storages,
                const CancelToken& cancel);
    TorchWalker(const TorchWalker&) = delete;
    TorchWalker& operator=(const TorchWalker&) = delete;
    ~TorchWalker() = default;
    /// Converts everything; once.
    Result<TorchObjects> run();

    Value walk(NodeId id, int depth);
    /// The same, one key further.
    Value walkAt(std::string_view part, NodeId id, int depth);
    /// Adds a tensor; inside a description only describes it.
    Value addTensor(NodeId id, const TorchTensor& tensor);
    /// The same, one key further.
    Value addTensorAt(std::string_view part, NodeId id, const TorchTensor& tensor);
    /// A text, within the limit on all of them.
    Value text(NodeId id);
    /// A bytes value; of long ones the graph's buffer may contain only the beginning.
    Value bytes(std::span<const std::byte> bytes);

    [[nodiscard]] const pickle::PickleGraph& graph() const { return m_graph; }
    TorchEntries& entries() { return m_entries; }
    TorchItems& items() { return m_items; }

    /// During its lifetime the walk is inside a DTensor's layout or a quantisation, whose tensors
    /// describe another tensor.
    class Description {
    public:
        Description(TorchWalker& walker, bool inside) : m_walker(walker), m_count(inside ? 1 : 0) {
            m_walker.m_descriptions += m_count;
        }
        Description(const Description&) = delete;
        Description& operator=(const Description&) = delete;
        ~Description() { m_walker.m_descriptions -= m_count; }

    private:
        TorchWalker& m_walker;
        int m_count;
    };
    [[nodiscard]] bool isDescribing() const { return m_descriptions > 0; }

private:
    struct Done {
        Value value;
        std::uint64_t items = 0; ///< number of items that were converted for it
        bool withTensors = false;
        bool open = false; ///< in progress: reaching it again is a cycle
    };
    Value convert(NodeId id, int depth);
    bool mayRepeat(const Done& known);

    const pickle::PickleGraph& m_graph;
    TorchStorages& m_storages;
    CancelToken m_cancel;
    TorchObjects m_out;
    TorchPath m_path;
    TorchNotes m_notes;
    TorchEntries m_entries;
    TorchItems m_items;
    std::unordered_map<std::uint32_t, Done> m_done;
    std::unordered_map<std::uint32_t, Done> m_described; ///< as m_done, inside descriptions
    std::uint64_t m_textLeft;
    std::uint64_t m_repeatsLeft;
    std::uint64_t m_repeatedItemsLeft;
    int m_repeating = 0;
    int m_descriptions = 0;
    std::size_t m_visits = 0;
};

} // namespace cairn::formats
