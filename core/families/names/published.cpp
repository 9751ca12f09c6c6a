// SPDX-License-Identifier: Apache-2.0
#include "core/families/config/records.h"
#include "core/families/names/conversion.h"

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

std::span<const KnownRecipe> publishedRecipes() {
    static const std::vector<KnownRecipe> kRecipes = readRecipes();
    return kRecipes;
}

} // namespace cairn
