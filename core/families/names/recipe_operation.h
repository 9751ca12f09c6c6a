// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/config/model_config.h"
#include "core/families/names/recipe.h"
#include "core/families/names/view.h"
#include "core/model/dims.h"

#include <cstddef>
#include <string>

/// Internal to recipe.cpp: one operation of a rule on the view of one tensor.
namespace cairn {

/// The fields of the config, the recipe's definitions and the numbers of a name.
class RecipeFields {
public:
    RecipeFields(const ModelConfig& config, const Recipe& recipe)
        : m_config(recipe.withDefinitions(config)) {}

    void set(const NameNumbers& numbers) {
        for (const auto& [letter, number] : numbers) {
            m_config.set(letter, number);
        }
    }
    void setExtents(const Shape& shape) {
        for (std::size_t d = 0; d < shape.size(); ++d) {
            m_config.set("d" + std::to_string(d), shape[d]);
        }
    }
    const ModelConfig& config() const { return m_config; }

private:
    ModelConfig m_config;
};

/// The view after the operation, whose numbers may use the fields and the view's extents d0, d1, ….
/// Operations that join tensors are not allowed. Fails: NotFound (a field is missing), BadSlice,
/// Internal, and the errors of Expression::evaluate() and of views.
Result<TensorView> applyOp(const TensorView& view, const Recipe::Op& op, RecipeFields& fields);

} // namespace cairn
