// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/conversion.h"

#include "core/families/config/name_prefix.h"
#include "core/families/config/words.h"

#include <algorithm>
#include <utility>

namespace cairn {
namespace {

/// Whether the recipe is for such a model, by its class and its type, of which the config may lack
/// one: some classes are published under other names for another type.
bool holdsFor(const KnownRecipe& known, const ModelConfig* config) {
    if (known.classes.empty() && known.types.empty()) {
        return true;
    }
    if (config == nullptr) {
        return false;
    }
    const std::vector<std::string> classes = config->texts("architectures");
    const auto type = config->text("model_type");
    return (type || !classes.empty()) && (!type || isWordOf(known.types, *type)) &&
           (classes.empty() || isWordOf(known.classes, classes.front()));
}

bool matchesAny(const std::vector<Recipe::Source>& sources, std::string_view name) {
    return std::ranges::any_of(sources, [name](const Recipe::Source& source) {
        return source.name.text() != "{*}" && source.name.match(name).has_value();
    });
}

/// Whether there are names that no rule takes, but one gives.
bool anyConverted(std::span<const std::string_view> names, std::string_view prefix,
                  const Recipe& recipe) {
    return std::ranges::any_of(names, [&](std::string_view whole) {
        const std::string_view name = whole.substr(prefix.size());
        return !recipe.knows(name) &&
               std::ranges::any_of(recipe.rules(), [name](const Recipe::Rule& rule) {
                   return matchesAny(rule.targets, name);
               });
    });
}

/// Whether all names that a rule takes are as it would make them: it adds a part to names that its
/// own target matches, too ("language_model.{*} -> language_model.model.{*}").
bool isApplied(std::span<const std::string_view> names, std::string_view prefix,
               const Recipe::Rule& rule) {
    const bool adds = rule.sources.size() == 1 && rule.targets.size() == 1 &&
                      rule.sources.front().name.match(rule.targets.front().name.name({}, "x"));
    bool any = false;
    for (const std::string_view whole : adds ? names : std::span<const std::string_view>()) {
        const std::string_view name = whole.substr(prefix.size());
        if (rule.sources.front().name.match(name)) {
            any = true;
            if (!rule.targets.front().name.match(name)) {
                return false;
            }
        }
    }
    return any;
}

} // namespace

bool hasPublishedRecipe(const ModelConfig& config) {
    return std::ranges::any_of(publishedRecipes(),
                               [&](const KnownRecipe& known) { return holdsFor(known, &config); });
}

Result<std::optional<Conversion>> chooseConversion(std::span<const NamedTensor> tensors,
                                                   const ModelConfig* config,
                                                   std::span<const KnownRecipe> recipes,
                                                   std::string_view from) {
    std::optional<Conversion> best;
    std::vector<std::string_view> names;
    for (const NamedTensor& each : tensors) {
        names.push_back(each.name);
    }
    for (const KnownRecipe& known : recipes) {
        if ((!from.empty() && known.from != from) || !holdsFor(known, config)) {
            continue;
        }
        CAIRN_TRY(const Recipe recipe, Recipe::parse(known.rules));
        const NamePrefix prefix = bestPrefix(
            names, PrefixOf::All, [&recipe](std::string_view name) { return recipe.knows(name); });
        const bool isPublished = std::ranges::any_of(
            recipe.rules(), [&](const auto& rule) { return isApplied(names, prefix.text, rule); });
        if (prefix.known > (best ? best->matched : 0) && !isPublished &&
            !anyConverted(names, prefix.text, recipe)) {
            best = Conversion{&known, recipe, {}, prefix.text, prefix.known};
        }
    }
    if (best) {
        for (const NamedTensor& each : tensors) {
            best->tensors.push_back({each.tensor, each.name.substr(best->prefix.size())});
        }
    }
    return best;
}

} // namespace cairn
