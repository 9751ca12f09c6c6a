// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle.h"
#include "core/model/value.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// Puts flat values back into the nesting that the planner took apart. Private to this folder.
namespace cairn::formats::dcp {

/// Linear in the sum of the paths' lengths. One thread.
class ValueTree {
public:
    ValueTree();

    /// `path` is planner_data's tuple for `name`: text parts are dict keys (dots and all), integers
    /// list positions. Without a usable path (absent, too long, in conflict with another value) the
    /// value stays under its flat name: a dot says nothing about nesting, keys contain dots
    /// themselves.
    void put(const pickle::PickleGraph* graph, pickle::NodeId path, std::string_view name,
             Value value);

    /// The nested value. Containers whose keys are 0, 1, 2 … become lists, everything else dicts in
    /// order of first use.
    Value take() &&;

private:
    static constexpr std::uint32_t kNone = 0xFFFF'FFFF;
    struct Node {
        std::uint32_t parent = kNone;
        std::uint32_t firstChild = kNone;
        std::uint32_t lastChild = kNone;
        std::uint32_t next = kNone; ///< sibling
        std::uint32_t childCount = 0;
        bool isLeaf = false;
        bool allIntegers = true; ///< keys of the children
        Value key;
        Value value; ///< of a leaf
    };
    struct Step {
        std::string text; ///< "s:name" or "i:3", so that "3" and 3 differ
        Value key;
    };

    bool stepsOf(const pickle::PickleGraph& graph, pickle::NodeId path,
                 std::vector<Step>& steps) const;
    bool place(const std::vector<Step>& steps, const Value& value);
    std::uint32_t childOf(std::uint32_t parent, const Step& step);
    Value valueOf(std::uint32_t node);
    [[nodiscard]] bool isList(const Node& node) const;

    std::vector<Node> m_nodes;
    std::unordered_map<std::string, std::uint32_t> m_children; ///< parent's number, ':', step
};

} // namespace cairn::formats::dcp
