// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/position_table.h"
#include "core/codec/pickle/pickle.h"
#include "core/model/role_decision.h"
#include "core/model/value.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// Restores the nesting of the flat values that the planner made. Private to this folder.
namespace cairn::formats::dcp {

/// Only the nesting: its leaves are numbers from the caller. It is built while the index is in
/// memory and takes a tenth of the index's size; the values are read later. Linear in the total
/// length of the paths. Const members may be called from any thread.
class ValueTree {
public:
    ValueTree();

    /// `path` is planner_data's tuple for `name`: texts are dict keys (which may contain dots),
    /// integers list positions. Without a usable path (absent, too long, in conflict with another
    /// value) the value keeps its flat name: a dot does not imply nesting, because keys may contain
    /// dots.
    void put(const pickle::PickleGraph* graph, pickle::NodeId path, std::string_view name,
             std::uint32_t leaf);

    /// Reserves space for about `count` paths.
    void reserve(std::size_t count);

    /// Call this a few paths ahead of put(): in a large tree every lookup waits for memory.
    void prefetch(const pickle::PickleGraph& graph, pickle::NodeId path) const;

    /// Call this between the paths of two graphs.
    void nextGraph() { m_trail.clear(); }

    /// The nested value. Containers with the keys 0, 1, 2 … become lists, all others dicts in order
    /// of first use.
    [[nodiscard]] Value grow(const std::function<Value(std::uint32_t leaf)>& valueOf) const;

    /// The keys of one dict of the tree (node 0 is the outermost), with the tensors below each key:
    /// `tensorsOf` adds those of a leaf. Linear in the number of nodes below.
    using TensorsOf = std::function<void(std::uint32_t leaf, std::vector<std::size_t>& out)>;
    [[nodiscard]] std::vector<RolePart> parts(std::size_t node, const TensorsOf& tensorsOf) const;

private:
    static constexpr std::uint32_t kNone = 0xFFFF'FFFF;
    /// "3" and 3 are different keys.
    struct Step {
        pickle::NodeId part;
        bool isInteger = false;
        std::int64_t number = 0;
        std::string_view text;
    };
    struct Node {
        std::uint32_t parent = kNone;
        std::uint32_t firstChild = kNone;
        std::uint32_t lastChild = kNone;
        std::uint32_t next = kNone; ///< next sibling
        std::uint32_t childCount = 0;
        std::uint32_t leaf = kNone;   ///< number of the leaf
        std::uint32_t textLength = 0; ///< length of a text key
        bool isInteger = false;       ///< whether the key is an integer
        bool allIntegers = true;      ///< whether the children's keys are
        std::int64_t number = 0;      ///< integer key, or offset of a text key in m_texts
    };
    /// The nodes of the previous path: most paths have a common prefix with it.
    struct Trail {
        pickle::NodeId part;
        std::uint32_t node = kNone;
    };

    bool readSteps(const pickle::PickleGraph& graph, pickle::NodeId path);
    bool place(std::uint32_t leaf);
    std::uint32_t childOf(std::uint32_t parent, const Step& step);
    template <class Key> // text or integer
    [[nodiscard]] static std::uint64_t hashAt(std::uint32_t parent, Key key) {
        return hashOf(key) ^ hashOf(std::uint64_t{parent} + 1);
    }
    [[nodiscard]] bool isKey(const Node& node, const Step& step) const;
    [[nodiscard]] std::string_view textOf(const Node& node) const;
    [[nodiscard]] Value keyOf(const Node& node) const;
    [[nodiscard]] bool isList(const Node& node) const;
    [[nodiscard]] Value valueOf(const Node& node,
                                const std::function<Value(std::uint32_t)>& leafValue) const;

    std::vector<Node> m_nodes;
    std::string m_texts; ///< of all keys
    PositionTable m_children;
    std::vector<Trail> m_trail;
    std::vector<Step> m_steps;
};

} // namespace cairn::formats::dcp
