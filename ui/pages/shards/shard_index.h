// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/model/coverage.h"
#include "ui/models/role_color.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace cairn::ui {

/// The inverted placement map: the boxes of tensors in every file. Immutable; built on a worker,
/// painted by ShardMap. Tied tensors are listed once, under the name that owns the bytes.
struct ShardIndex {
    struct Segment {
        std::uint64_t offset = 0;
        std::uint64_t length = 0;
        std::uint32_t tensor = 0;
        std::uint32_t piece = 0;
    };
    struct File {
        std::uint32_t file = 0;    ///< position in Checkpoint::files()
        std::uint64_t bytes = 0;   ///< of the file; of a missing one the known part
        std::uint64_t holds = 0;   ///< bytes of tensors in it
        std::uint32_t tensors = 0; ///< with at least one piece in it
        bool missing = false;
        double against = 0;            ///< shardEvenness()
        std::vector<Segment> segments; ///< ascending offset
    };

    CheckpointPtr checkpoint;
    std::vector<File> files;   ///< natural order; files without tensors last
    std::uint64_t largest = 0; ///< bytes of the largest file with tensors
    std::uint32_t missing = 0;
    std::array<bool, kRoleGroups> holds{}; ///< tensors of each roleGroup()

    /// Linear in pieces, but for sorting each file's. Fails: Cancelled.
    static Result<std::shared_ptr<const ShardIndex>> make(CheckpointPtr checkpoint,
                                                          const CancelToken& cancel);
};
using ShardIndexPtr = std::shared_ptr<const ShardIndex>;

/// One tensor's pieces on paper: two of its dimensions.
struct PieceLayout {
    struct Part {
        double x = 0; ///< elements along the horizontal dimension
        double y = 0;
        double width = 0;
        double height = 0;
        std::uint32_t piece = 0; ///< into TensorEntry::pieces; of holes unused
        bool missing = false;
    };
    int horizontal = -1; ///< dimension drawn from left to right; -1: none
    int vertical = -1;   ///< from top to bottom; -1: it is drawn as one band
    double width = 1;    ///< elements
    double height = 1;
    std::vector<Part> parts;
    std::vector<Part> holes; ///< elements in no piece
    std::uint64_t holeElements = 0;
    std::uint64_t overlaps = 0;
    bool flattened = false; ///< more dimensions are cut than the two that are drawn

    static constexpr std::size_t kMaxParts = 4096;
};

/// Rows downwards and columns across for a matrix; with more dimensions the first two that are cut.
/// Any thread.
PieceLayout layOutPieces(const Checkpoint& checkpoint, const TensorEntry& tensor);

} // namespace cairn::ui
