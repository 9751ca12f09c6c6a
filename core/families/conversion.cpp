// SPDX-License-Identifier: Apache-2.0
#include "core/families/conversion.h"

#include "core/families/words.h"

#include <algorithm>
#include <utility>

namespace cairn {
namespace {

constexpr std::size_t kMostParts = 4; ///< of a prefix

/// Whether the recipe is for such a model: by its class, or by its type if the config names none.
bool holdsFor(const KnownRecipe& known, const ModelConfig* config) {
    if (known.classes.empty() && known.types.empty()) {
        return true;
    }
    if (config == nullptr) {
        return false;
    }
    const std::vector<std::string> classes = config->texts("architectures");
    return classes.empty() ? isWordOf(known.types, config->text("model_type").value_or(""))
                           : isWordOf(known.classes, classes.front());
}

/// The beginnings that may be dropped: "", "net.", "net.model.".
std::vector<std::string> prefixesOf(std::span<const NamedTensor> tensors) {
    std::vector<std::string> prefixes = {""};
    while (prefixes.size() <= kMostParts && !tensors.empty()) {
        const std::string& first = tensors.front().name;
        const std::size_t dot = first.find('.', prefixes.back().size());
        const std::string longer = first.substr(0, dot == std::string::npos ? 0 : dot + 1);
        const bool shared =
            !longer.empty() && std::ranges::all_of(tensors, [&](const NamedTensor& each) {
                return each.name.starts_with(longer);
            });
        if (!shared) {
            break;
        }
        prefixes.push_back(longer);
    }
    return prefixes;
}

struct Fit {
    std::size_t taken = 0;     ///< names that a rule takes
    std::size_t converted = 0; ///< names that no rule takes, but gives
};

bool matchesAny(const std::vector<Recipe::Source>& sources, std::string_view name) {
    return std::ranges::any_of(sources, [name](const Recipe::Source& source) {
        return source.name.text() != "{*}" && source.name.match(name).has_value();
    });
}

Fit fitOf(std::span<const NamedTensor> tensors, std::string_view prefix, const Recipe& recipe) {
    Fit fit;
    for (const NamedTensor& each : tensors) {
        const std::string_view name = std::string_view(each.name).substr(prefix.size());
        const auto rules = recipe.rules();
        if (recipe.knows(name)) {
            ++fit.taken;
        } else if (std::ranges::any_of(rules, [name](const Recipe::Rule& rule) {
                       return matchesAny(rule.targets, name);
                   })) {
            ++fit.converted;
        }
    }
    return fit;
}

} // namespace

Result<std::optional<Conversion>> chooseConversion(std::span<const NamedTensor> tensors,
                                                   const ModelConfig* config,
                                                   std::span<const KnownRecipe> recipes,
                                                   std::string_view from) {
    std::optional<Conversion> best;
    const std::vector<std::string> prefixes = prefixesOf(tensors);
    for (const KnownRecipe& known : recipes) {
        if ((!from.empty() && known.from != from) || !holdsFor(known, config)) {
            continue;
        }
        CAIRN_TRY(const Recipe recipe, Recipe::parse(known.rules));
        for (const std::string& prefix : prefixes) {
            const Fit fit = fitOf(tensors, prefix, recipe);
            if (fit.converted == 0 && fit.taken > (best ? best->matched : 0)) {
                best = Conversion{&known, recipe, {}, prefix, fit.taken};
            }
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
