// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

/// What a matrix is for, by its name, in any naming of a model. Pure.
namespace cairn {

enum class ModelPart : std::uint8_t {
    Other,
    Embedding, ///< a table of vectors: words, positions
    Head,      ///< from the last layer to the vocabulary or to classes
    Router     ///< chooses experts
};

ModelPart modelPart(std::string_view name);

/// True for the parameters of normalisation layers, judged by name: `input_layernorm.weight`,
/// `norm.bias`, `ln_f.weight`, `bn1.weight`, `q_norm.weight`.
bool isNormName(std::string_view name);

/// Ends of the names that models published by transformers have for them.
inline constexpr std::array<std::string_view, 5> kEmbeddingNames = {
    "embed_tokens.weight", "wte.weight", "word_embeddings.weight", "embed_in.weight",
    "shared.weight"};
inline constexpr std::array<std::string_view, 2> kHeadNames = {"lm_head.weight",
                                                               "embed_out.weight"};

} // namespace cairn
