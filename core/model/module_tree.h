// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/typed_index.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// One component of the dotted names, such as "layers" in "model.layers.0.weight".
struct ModuleNode {
    std::string_view name;        ///< the component; a view into a tensor name
    std::uint32_t parent = 0;     ///< position in ModuleTree::nodes; the root is its own parent
    std::uint32_t firstChild = 0; ///< children are consecutive
    std::uint32_t childCount = 0;
    std::uint64_t bytes = 0;           ///< of all tensors at or below this node; aliases count as 0
    std::uint64_t tensors = 0;         ///< at or below this node, including aliases
    std::optional<TensorIndex> tensor; ///< the tensor with exactly this name
};

/// The tensors of a checkpoint as a tree of modules with accumulated sizes, for the tree verb, the
/// window's tree and the treemap. Children are in natural order ("layers.2" before "layers.10").
/// Names are split at dots, or at slashes if most names have slashes (TensorFlow, HDF5); empty
/// components are kept. A plain value; immutable once built; the checkpoint must outlive it (names
/// are views).
struct ModuleTree {
    std::vector<ModuleNode> nodes; ///< [0] is the root; breadth first, so parents precede children
    char separator = '.';

    [[nodiscard]] const ModuleNode& root() const { return nodes.front(); }
    [[nodiscard]] std::span<const ModuleNode> children(const ModuleNode& node) const {
        return std::span(nodes).subspan(node.firstChild, node.childCount);
    }
    /// The node at a name, or null.
    [[nodiscard]] const ModuleNode* find(std::string_view name) const;
};

/// Deepest level with separate nodes; deeper components are combined into one. Limits recursion.
inline constexpr std::size_t kMaxModuleDepth = 256;

/// O(n log n) in the number of tensors.
ModuleTree buildModuleTree(const Checkpoint& checkpoint);

/// The same for a subset of the tensors.
ModuleTree buildModuleTree(const Checkpoint& checkpoint, std::span<const TensorIndex> tensors);

} // namespace cairn
