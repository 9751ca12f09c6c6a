// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/families/config/model_config.h"
#include "core/families/config/name_pattern.h"
#include "core/families/names/recipe.h"

#include <string_view>
#include <vector>

namespace cairn {

/// A recipe that undoes another one for the models of one config.
struct InverseRecipe {
    struct Lost {
        NamePattern target; ///< of the rule that cannot be undone
        Error why;
    };
    Recipe recipe;
    std::vector<Lost> lost;

    /// Why there is no rule for a name, if it is known.
    [[nodiscard]] const Error* whyLost(std::string_view name) const;
};

/// Each rule whose condition is met is undone operation by operation: splits by merges, stacked
/// experts by single ones, parts of a tensor by joining them. That is possible if a rule takes one
/// tensor, and gives all of its elements: its targets are parts, one behind the other, of one
/// dimension. A single part from the start on counts as all: the rest is the padding of a
/// vocabulary. What is dropped does not come back, and of several tensors that become one the first
/// in the recipe does. The inverse fails for tensors that do not have the extents that the config
/// gives. Pure.
InverseRecipe invert(const Recipe& recipe, const ModelConfig& config);

} // namespace cairn
