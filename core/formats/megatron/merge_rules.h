// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/megatron/layout.h"
#include "core/model/tensor_entry.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// How a parameter of Megatron's is cut among tensor parallel ranks, by its name. Pure.
/// Source: megatron/core/tensor_parallel/layers.py, transformer/{attention,mlp}.py, and the older
/// megatron/model/{transformer,language_model}.py; tools/checkpoint.
namespace cairn::formats::megatron {

enum class CutKind : std::uint8_t { Unknown, Replicated, Rows, Columns };

struct Cut {
    CutKind kind = CutKind::Unknown;
    /// Of Rows: each rank's rows are this many blocks, each of which is cut by itself (gate and up;
    /// query, key and value of the oldest files). 0: an MLP's first, whose rows show (mlpBlocks).
    std::uint32_t blocks = 1;
};

/// `name` without the prefix "model.". "Rows" cut dimension 0 (Megatron's column parallelism: a
/// weight is [out, in]), "Columns" dimension 1. "Replicated" is what the name states; whether the
/// ranks do hold the same bytes is for who has their files to find out.
Cut cutOf(std::string_view name, const Layout& layout);

/// "…mlp.linear_fc1.bias" -> "…mlp.linear_fc2.weight"; empty: not an MLP's first.
std::string secondOfMlp(std::string_view name);

/// The blocks of rows that each rank has of an MLP's first: 1, or 2 when it holds gates and then
/// ups. `rows`: of a part; `columns`: of its second's part, which takes in what the first gives:
/// once or half of it. Without that, args record how wide it is. Nothing: neither fits.
std::optional<std::uint32_t> mlpBlocks(std::string_view name, std::int64_t rows,
                                       std::optional<std::int64_t> columns, const Layout& layout);

/// The shape of the whole; nothing when parts of this shape cannot be cut so.
std::optional<Shape> fullShape(const Shape& part, const Cut& cut, std::uint32_t ranks);

/// False: args record another size (padded_vocab_size, hidden_size, heads): the rule is not for
/// this tensor.
bool agrees(std::string_view name, const Shape& whole, const Layout& layout);

/// Moves the pieces of rank `rank`'s part to where they belong in the whole. Nothing when a piece
/// cannot be cut (an encoded item, elements of less than a byte). REQUIRES: fullShape() gave the
/// shape.
std::optional<std::vector<Piece>> movedPieces(const TensorEntry& part, const Cut& cut,
                                              std::uint32_t rank, std::uint32_t ranks);

} // namespace cairn::formats::megatron
