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

/// Puts flat values back into the nesting that the planner took apart. Private to this folder.
namespace cairn::formats::dcp {

/// The nesting alone: its leaves are numbers that the caller gave. It is made while the index is at
/// hand, and takes a tenth of its memory; the values come when they are asked for. Linear in the
/// sum of the paths' lengths. Const members from any thread.
class ValueTree {
public:
    ValueTree();

    /// `path` is planner_data's tuple for `name`: text parts are dict keys (dots and all), integers
    /// list positions. Without a usable path (absent, too long, in conflict with another value) the
    /// value stays under its flat name: a dot states nothing about nesting, keys contain dots
    /// themselves.
    void put(const pickle::PickleGraph* graph, pickle::NodeId path, std::string_view name,
             std::uint32_t leaf);

    /// About so many paths are going to be put.
    void reserve(std::size_t count);

    /// To be called some paths before put(): in a large tree every look-up waits for memory.
    void prefetch(const pickle::PickleGraph& graph, pickle::NodeId path) const;

    /// To be called between the paths of two graphs.
    void nextGraph() { m_trail.clear(); }

    /// The nested value. Containers whose keys are 0, 1, 2 … become lists, everything else dicts in
    /// order of first use.
    [[nodiscard]] Value grow(const std::function<Value(std::uint32_t leaf)>& valueOf) const;

    /// The keys of one dict of the tree, the outermost being node 0, with the tensors below each:
    /// `tensorsOf` adds those of a leaf. Linear in what is below.
    using TensorsOf = std::function<void(std::uint32_t leaf, std::vector<std::size_t>& out)>;
    [[nodiscard]] std::vector<RolePart> parts(std::size_t node, const TensorsOf& tensorsOf) const;

private:
    static constexpr std::uint32_t kNone = 0xFFFF'FFFF;
    /// "3" and 3 differ.
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
        std::uint32_t next = kNone; ///< sibling
        std::uint32_t childCount = 0;
        std::uint32_t leaf = kNone;   ///< its number
        std::uint32_t textLength = 0; ///< of the key, when that is text
        bool isInteger = false;       ///< the key is
        bool allIntegers = true;      ///< keys of the children
        std::int64_t number = 0;      ///< the key, or where its text begins
    };
    /// The nodes of the path that was put last: most paths begin like the one before.
    struct Trail {
        pickle::NodeId part;
        std::uint32_t node = kNone;
    };

    bool readSteps(const pickle::PickleGraph& graph, pickle::NodeId path);
    bool place(std::uint32_t leaf);
    std::uint32_t childOf(std::uint32_t parent, const Step& step);
    template <class Key> // text or a number
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
