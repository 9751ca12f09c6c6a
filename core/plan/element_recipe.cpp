// SPDX-License-Identifier: Apache-2.0
#include "core/plan/element_recipe.h"

#include <algorithm>

namespace cairn {
namespace {

/// Whether the tensors of an adapter's step have the shapes that it needs for a tensor.
bool fits(const FoldStep& step, const Shape& stored) {
    if (step.adapter == nullptr) {
        return false;
    }
    const AdapterOperation& how = step.operation;
    const Shape shape = asMatrix(stored);
    const auto operand = [&](TensorIndex index) -> const Shape* {
        return index.position() < step.adapter->tensors().size()
                   ? &step.adapter->tensor(index).shape
                   : nullptr;
    };
    const Shape* values = operand(how.values);
    if (values == nullptr) {
        return false;
    }
    if (how.kind == AdapterOperation::Kind::Vector) {
        return *values == shape && shape.size() == 1;
    }
    if (how.kind == AdapterOperation::Kind::Rows) {
        return shape.size() == 2 && values->size() == 2 && (*values)[1] == shape[1] &&
               (*values)[0] == static_cast<std::int64_t>(how.rows.size()) &&
               std::ranges::all_of(how.rows,
                                   [&](std::int64_t row) { return row >= 0 && row < shape[0]; });
    }
    const Shape* factor = operand(how.factor);
    const std::size_t rank = shape.size();
    if (how.kind != AdapterOperation::Kind::LowRank || factor == nullptr || values->size() != 2 ||
        factor->size() != 2 || rank < 2 || rank > 3 || how.rank < 1 || how.experts < 1) {
        return false;
    }
    const std::int64_t out = shape[how.transposed ? rank - 1 : rank - 2];
    const std::int64_t in = shape[how.transposed ? rank - 2 : rank - 1];
    const std::int64_t experts = rank == 3 ? shape[0] : 1;
    const bool norms = !how.magnitude || (operand(*how.magnitude) != nullptr && rank == 2 &&
                                          operand(*how.magnitude)->size() == 1 &&
                                          (*operand(*how.magnitude))[0] == out);
    return norms && how.firstOut >= 0 && how.firstIn >= 0 && how.firstExpert >= 0 &&
           (*values)[0] >= how.firstOut + out && (*factor)[1] >= how.firstIn + in &&
           how.experts >= how.firstExpert + experts && (*values)[1] == how.rank * how.experts &&
           (*factor)[0] == (*values)[1];
}

} // namespace

bool isFoldable(Dtype dtype) {
    return dtype == Dtype::Float32 || dtype == Dtype::Bfloat16 || dtype == Dtype::Float16;
}

bool isValidRecipe(const ElementRecipe& recipe, const Checkpoint& source,
                   const TensorEntry& tensor) {
    const auto& [scales, block, terms, steps, folded, divides, termSum] = recipe;
    const int ways = (scales ? 1 : 0) + (terms.empty() ? 0 : 1) + (steps.empty() ? 0 : 1);
    if (ways != 1 || (divides && !scales) || dtypeInfo(tensor.dtype).kind != DtypeKind::Float) {
        return false;
    }
    bool sound = true;
    if (scales) {
        sound = scales->position() < source.tensors().size() &&
                block.size() == tensor.shape.size() &&
                std::ranges::all_of(block.span(), [](std::int64_t extent) { return extent > 0; });
    }
    double sum = 0;
    for (const AverageTerm& term : terms) {
        sound = sound && term.checkpoint != nullptr && term.weight >= 0 &&
                term.tensor.position() < term.checkpoint->tensors().size() &&
                term.checkpoint->tensor(term.tensor).shape == tensor.shape;
        sum += term.weight;
        sound = sound && (termSum == TermSum::WeightedMean || isFoldable(tensor.dtype));
    }
    for (const FoldStep& step : steps) {
        sound = sound && fits(step, tensor.shape) && isFoldable(folded) && isFoldable(tensor.dtype);
    }
    return sound && (terms.empty() || sum > 0);
}

} // namespace cairn
