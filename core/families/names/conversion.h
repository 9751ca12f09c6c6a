// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/config/model_config.h"
#include "core/families/names/recipe.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// A recipe, and the models for which it holds.
struct KnownRecipe {
    std::string_view from;    ///< "transformers-5", "megatron", "native"
    std::string_view to;      ///< "hf"
    std::string_view classes; ///< words of `architectures`; empty: any
    std::string_view types;   ///< values of `model_type`; empty: any
    std::string_view rules;   ///< text of a Recipe
    /// It has a rule for every tensor of such a model: one without a rule is an error.
    bool complete = false;
};

/// From the tensors of a model in memory to those that save_pretrained publishes; they differ since
/// transformers 5. Made at the first call, from resources/families/published_recipes.txt.
std::span<const KnownRecipe> publishedRecipes();

/// The name that transformers takes for one of BERT's original checkpoints: "….LayerNorm.gamma" and
/// "….LayerNorm.beta" are weight and bias, in every model; other names stay. Source: transformers
/// 5.24, conversion_mapping.py ("legacy").
std::string currentNormName(std::string name);

/// Whether one of them is for models of this config.
bool hasPublishedRecipe(const ModelConfig& config);

/// A recipe that fits a checkpoint.
struct Conversion {
    const KnownRecipe* known = nullptr;
    Recipe recipe;
    std::vector<NamedTensor> tensors; ///< with the names that the recipe knows
    std::string prefix;               ///< was dropped from all names to get these
    std::size_t matched = 0;          ///< tensors that a rule takes
};

/// The recipe for a model of this config (null: unknown) that takes the most tensors; nothing if
/// none takes one, or if the tensors have the names already that it would give them. Up to four
/// leading parts that all names share ("net.", "model.") may be dropped. `from`: only recipes from
/// there; empty: any. Pure; linear in tensors and rules.
Result<std::optional<Conversion>> chooseConversion(std::span<const NamedTensor> tensors,
                                                   const ModelConfig* config,
                                                   std::span<const KnownRecipe> recipes,
                                                   std::string_view from = {});

} // namespace cairn
