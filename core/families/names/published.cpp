// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/conversion.h"

#include <array>

namespace cairn {
namespace {

constexpr auto kRecipes = std::to_array<KnownRecipe>({
#include "core/families/names/published_recipes.inc"
});

} // namespace

std::span<const KnownRecipe> publishedRecipes() {
    return kRecipes;
}

} // namespace cairn
