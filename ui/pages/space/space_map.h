// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/runs/retention/space.h"

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::ui {

/// A tree of sizes as a treemap draws it: folders, runs, checkpoints and their roles, or the
/// modules of one checkpoint down to its tensors. Immutable; made by a worker.
struct SpaceMap {
    /// The meaning of a tile's colour. The first three are those of roleGroup().
    enum class Fill : std::uint8_t { Weights, Optimizer, Other, Outside };
    static constexpr std::uint32_t kNone = UINT32_MAX;
    struct Node {
        std::string_view name; ///< borrowed from `tree`, `checkpoint` or `rangeNames`
        std::uint64_t bytes = 0;
        std::uint32_t parent = 0;
        std::uint32_t firstChild = 0; ///< children are consecutive, the largest first
        std::uint32_t childCount = 0;
        std::uint32_t source =
            kNone;               ///< a node of `tree`, or a tensor; a part has its checkpoint's
        Fill fill = Fill::Other; ///< of a group: of its largest child
        bool part = false;       ///< a role of a checkpoint: drawn, but never selected
        bool range = false;      ///< neighbours of a module that has too many children for tiles
    };
    /// A module with more children than this shows ranges of them, in the order of their names.
    static constexpr std::uint32_t kMostTiles = 1000;

    std::shared_ptr<const SpaceTree> tree; ///< or
    CheckpointPtr checkpoint;
    std::vector<Node> nodes;           ///< [0] is the root; parents precede their children
    std::array<bool, 4> fills{};       ///< by Fill: there are such tiles
    std::vector<std::uint32_t> nodeOf; ///< by node of `tree` or tensor; kNone: not drawn
    std::map<std::filesystem::path, std::uint32_t> saves; ///< the nodes of checkpoints
    std::deque<std::string> rangeNames;                   ///< "0 … 1999"

    [[nodiscard]] const Node& root() const { return nodes.front(); }
    /// The node itself, or the checkpoint that it is a part of.
    [[nodiscard]] std::uint32_t unitOf(std::uint32_t node) const {
        return nodes[node].part ? nodes[node].parent : node;
    }
    [[nodiscard]] bool isCheckpoint(std::uint32_t node) const {
        return tree && nodes[node].source != kNone &&
               tree->nodes[nodes[node].source].kind == SpaceKind::Checkpoint;
    }
    [[nodiscard]] std::optional<TensorIndex> tensorOf(std::uint32_t node) const;
    /// The largest tensors, or checkpoints and files, below a node: at most kLargest sources, the
    /// largest first. Linear in what is below; for a worker.
    [[nodiscard]] std::vector<std::uint32_t> largestBelow(std::uint32_t node) const;
    static constexpr std::size_t kLargest = 10;

    /// Folders inside a run are left out: what they contain belongs to the run.
    static Result<std::shared_ptr<const SpaceMap>> make(std::shared_ptr<const SpaceTree> tree,
                                                        const CancelToken& cancel);
    static Result<std::shared_ptr<const SpaceMap>> make(const CheckpointPtr& checkpoint,
                                                        const CancelToken& cancel);
};
using SpaceMapPtr = std::shared_ptr<const SpaceMap>;

} // namespace cairn::ui
