// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

/// Internal to core/families/slices: what the names of a rank's tensors say. Pure; views of the
/// names.
namespace cairn {

/// "rank_3.model.norm.weight", as the reader of ranks names what it cannot join.
struct RankTensorName {
    std::uint32_t rank = 0;
    std::string_view name;
};
std::optional<RankTensorName> splitRankTensor(std::string_view name);

/// The name without the parameter: "model.layers.0.self_attn.q_proj" of its weight.
std::string_view moduleOf(std::string_view name);

/// Whether the layer is one that is cut into contiguous blocks of rows or columns.
bool isContiguous(std::string_view name);

/// Whether the tensor may have rows of padding at its end: a vocabulary's.
bool mayBePadded(std::string_view name);

/// A layer in which vLLM stores several of a class.
struct FusedLayer {
    std::string_view name;
    std::array<std::string_view, 3> parts; ///< in the order of their rows; the last may be empty
};
/// Null: none.
const FusedLayer* fusedLayer(std::string_view name);

/// A tensor in which vLLM stores a layer of all experts: [experts, rows, columns].
struct ExpertLayer {
    std::string_view name; ///< "w13_weight"
    /// Of each expert, in the order of their rows, as classes name them; the second may be empty.
    std::array<std::array<std::string_view, 2>, 2> parts;
};
/// Null: none.
const ExpertLayer* expertLayer(std::string_view name);

/// Whether the layer has the heads of keys or of values, of which a model may have fewer than there
/// are ranks.
bool hasSharedHeads(std::string_view name);

} // namespace cairn
