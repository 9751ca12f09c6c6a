// SPDX-License-Identifier: Apache-2.0
#include "core/families/config/records.h"
#include "core/families/names/conversion.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {
namespace {

std::vector<KnownRecipe> readRecipes() {
    std::vector<KnownRecipe> recipes;
    for (std::string_view record : publishedRecipeRecords()) {
        if (!isComment(record)) {
            KnownRecipe& recipe = recipes.emplace_back();
            recipe.from = "transformers-5";
            recipe.to = "hf";
            recipe.classes = takeField(record, "classes");
            recipe.types = takeField(record, "types");
            recipe.rules = record;
        }
    }
    return recipes;
}

} // namespace

std::string currentNormName(std::string name) {
    constexpr std::string_view kNorm = "LayerNorm.";
    constexpr std::pair<std::string_view, std::string_view> kNames[] = {{"gamma", "weight"},
                                                                        {"beta", "bias"}};
    for (const auto& [old, current] : kNames) {
        if (name.ends_with(old) &&
            std::string_view(name).substr(0, name.size() - old.size()).ends_with(kNorm)) {
            name.replace(name.size() - old.size(), old.size(), current);
            break;
        }
    }
    return name;
}

std::span<const KnownRecipe> publishedRecipes() {
    static const std::vector<KnownRecipe> kRecipes = readRecipes();
    return kRecipes;
}

} // namespace cairn
