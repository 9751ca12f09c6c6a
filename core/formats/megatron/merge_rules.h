// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/megatron/layout.h"
#include "core/model/tensor_entry.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// How a Megatron parameter is cut among tensor parallel ranks, from its name. Pure. Source:
/// megatron/core/tensor_parallel/layers.py, transformer/{attention,mlp}.py, and the older
/// megatron/model/{transformer,language_model}.py; tools/checkpoint.
namespace cairn::formats::megatron {

enum class CutKind : std::uint8_t { Unknown, Replicated, Rows, Columns };

struct Cut {
    CutKind kind = CutKind::Unknown;
    /// For Rows: number of blocks in each rank's rows, each of which is cut separately (gate and
    /// up; query, key and value in the oldest files). 0: the first layer of an MLP, decided by
    /// mlpBlocks().
    std::uint32_t blocks = 1;
};

/// `name` without the prefix "model.". "Rows" cut dimension 0 (Megatron's column parallelism: a
/// weight is [out, in]), "Columns" dimension 1. "Replicated" is the expectation for the name; the
/// caller compares the ranks' bytes.
Cut cutOf(std::string_view name, const Layout& layout);

/// "…mlp.linear_fc1.bias" -> "…mlp.linear_fc2.weight"; empty: not the first layer of an MLP.
std::string secondOfMlp(std::string_view name);

/// Number of row blocks on each rank in the first layer of an MLP: 1, or 2 if it contains gates
/// followed by ups. `rows`: of a part; `columns`: of the second layer's part, whose input size is
/// the output of the first, or half of it. Without the second layer, args give the size. Empty:
/// neither matches.
std::optional<std::uint32_t> mlpBlocks(std::string_view name, std::int64_t rows,
                                       std::optional<std::int64_t> columns, const Layout& layout);

/// The shape of the complete tensor; empty if parts of this shape cannot result from the cut.
std::optional<Shape> fullShape(const Shape& part, const Cut& cut, std::uint32_t ranks);

/// False: args record a different size (padded_vocab_size, hidden_size, heads), so the rule does
/// not apply to this tensor.
bool agrees(std::string_view name, const Shape& whole, const Layout& layout);

/// Moves the pieces of rank `rank`'s part to their position in the complete tensor. Empty if a
/// piece cannot be split (an encoded item, sub-byte elements). REQUIRES: fullShape() gave the
/// shape.
std::optional<PieceList> movedPieces(const TensorEntry& part, const Cut& cut, std::uint32_t rank,
                                     std::uint32_t ranks);

} // namespace cairn::formats::megatron
