// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/torch/torch_keys.h"
#include "core/formats/common/torch/torch_notes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace cairn::formats {

class TorchWalker;

/// Converts the items of lists, dicts and objects, which the walker converts one by one, and
/// decides which are kept. If there are more plain values than the limit, the rest is searched for
/// tensors: only containers of tensors are kept, and a bit marks nodes without tensors. The
/// arguments must outlive it.
class TorchItems {
public:
    using NodeId = pickle::NodeId;
    /// Containers with more items (a sampler's order, for example) have a separate limit.
    static constexpr std::size_t kMany = 10'000;

    TorchItems(const pickle::PickleGraph& graph, TorchNotes& notes, TorchWalker& walker);

    Value sequence(ValueKind kind, std::span<const NodeId> items, int depth);
    Value dictionary(NodeId id, int depth);
    std::vector<ValueItem> pairs(pickle::PairView pairs, int depth);
    /// Adds one entry of a dict.
    void addEntry(std::vector<ValueItem>& items, pickle::PairView::Pair pair, std::size_t position,
                  int depth, bool ofMany = false) {
        addEntry(items, pair, position, depth, ofMany, nullptr);
    }
    /// Adds one attribute.
    void addItem(std::vector<ValueItem>& items, std::string_view name, NodeId id, int depth);
    /// What follows may have these parameters as keys.
    void enterOptimizer(NodeId groups) { m_objectKeys.enterOptimizer(groups); }

    /// Number of items converted so far.
    [[nodiscard]] std::uint64_t met() const { return m_met; }
    /// Inside an item that is kept only if it contains tensors.
    [[nodiscard]] bool isSearching() const { return m_searching > 0; }
    /// A search found no tensors in it.
    void noteBare(NodeId id);

private:
    bool takeItem(bool ofMany = false);
    [[nodiscard]] bool isSelected(NodeId id, bool taken) const;
    [[nodiscard]] std::uint64_t roomFor(bool many) const;
    std::optional<Value> item(std::string_view part, NodeId id, int depth, bool taken);
    Value keyOf(NodeId key, std::size_t position, int depth, TorchKeys* keys);
    void addEntry(std::vector<ValueItem>& items, pickle::PairView::Pair pair, std::size_t position,
                  int depth, bool ofMany, TorchKeys* keys);

    const pickle::PickleGraph& m_graph;
    TorchNotes& m_notes;
    TorchWalker& m_walker;
    TorchObjectKeys m_objectKeys;
    std::vector<bool> m_bare; ///< by node: known to contain no tensors
    std::uint64_t m_met = 0;
    std::uint64_t m_left;
    std::uint64_t m_ofManyLeft; ///< for containers with more than kMany items
    int m_searching = 0;        ///< inside an item that is kept only if it contains tensors
    int m_keys = 0;             ///< inside a key, which is small and kept completely
};

} // namespace cairn::formats
