// SPDX-License-Identifier: Apache-2.0
#include "core/plan/planned_precision.h"

namespace cairn {
namespace {

std::uint64_t scaleBytes(const Precision& precision, const Shape& shape) {
    return precision.inBlocks()
               ? 0
               : sizeof(float) * elementCount(scaleGrid(precision.scales, shape)).value_or(0);
}

/// Elements that share a scale.
Shape groupOf(ScaleGroup scales, const Shape& matrix) {
    switch (scales) {
    case ScaleGroup::Row:
        return {1, matrix[1]};
    case ScaleGroup::Square:
        return {kSquareSide, kSquareSide};
    default:
        return matrix;
    }
}

} // namespace

std::string scalesText(const Precision& precision) {
    switch (precision.scales) {
    case ScaleGroup::InBlocks:
        return "Each block of " + std::to_string(dtypeInfo(precision.dtype).blockElements) +
               " elements has a scale of its own";
    case ScaleGroup::Row:
        return "Each row has a scale of its own";
    case ScaleGroup::Tensor:
        return "Each tensor has a scale of its own";
    case ScaleGroup::Square:
        break;
    }
    return "Each square of 128 x 128 elements has a scale of its own";
}

void addScales(Draft& draft, const ScaleSource& source, const ScaleSource& expected) {
    const Precision* precision = draft.plan.precision ? draft.plan.precision->precision : nullptr;
    if (precision == nullptr || precision->inBlocks() || !precision->isWritten || !source) {
        return;
    }
    std::vector<ScaledWeight> weights;
    for (std::size_t i = 0; i < draft.chosen.size(); ++i) {
        const TensorIndex index = draft.chosen[i];
        const TensorEntry& weight = draft.plan.source->tensor(index);
        if (draft.dtypes[i] != precision->dtype || weight.dtype == precision->dtype ||
            weight.pieces.empty()) {
            continue;
        }
        if (draft.plan.recipes.contains(index)) {
            addProblem(draft, ErrorCode::Unsupported, Severity::Error,
                       "Weights cannot be folded or averaged and quantised with scales at once",
                       "Write them first, and quantise the result", weight.name);
            return;
        }
        weights.push_back({index, weight.name + std::string(scaleSuffix(precision->scales))});
        if (draft.plan.source->find(weights.back().scales)) {
            addProblem(draft, ErrorCode::DuplicateTensor, Severity::Error,
                       "The checkpoint has a tensor with the name of new scales",
                       "Leave it out, or rename it first", weights.back().scales);
            return;
        }
    }
    draft.firstScale = draft.plan.source->tensors().size();
    if (expected || draft.plan.expected) {
        const CheckpointPtr& base = draft.plan.expected ? draft.plan.expected : draft.plan.source;
        draft.plan.expected = (expected ? expected : source)(base, *precision, weights);
    }
    draft.plan.source = source(draft.plan.source, *precision, weights);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const TensorIndex scales(draft.firstScale + i);
        const Shape& shape = draft.plan.source->tensor(weights[i].weight).shape;
        ElementRecipe recipe;
        recipe.scales = scales;
        recipe.block = groupOf(precision->scales, shape);
        recipe.divides = true;
        draft.plan.recipes.emplace(weights[i].weight, std::move(recipe));
        draft.chosen.push_back(scales);
        draft.dtypes.push_back(Dtype::Float32);
    }
}

void listQuantised(Draft& draft) {
    if (!draft.plan.precision) {
        return;
    }
    PlannedPrecision& planned = *draft.plan.precision;
    const bool hasScales = planned.precision->inBlocks() || draft.firstScale != kNoScales;
    const bool isWritten = planned.precision->isWritten && hasScales;
    for (const LayoutTensor& tensor : draft.tensors) {
        const TensorEntry& stored = draft.plan.source->tensor(tensor.source);
        const std::uint64_t bytes =
            dtypeBytes(tensor.dtype, elementCount(tensor.shape).value_or(0)).value_or(0);
        if (tensor.source.position() >= draft.firstScale) {
            planned.bytes += bytes;
            continue;
        }
        planned.sourceBytes += stored.bytes();
        const bool isQuantised =
            tensor.dtype != stored.dtype &&
            (tensor.dtype == planned.precision->dtype || canQuantize(stored.dtype, tensor.dtype));
        planned.bytes += bytes;
        if (isQuantised) {
            const std::uint64_t scales = scaleBytes(*planned.precision, tensor.shape);
            planned.tensors.push_back(
                {tensor.source, std::string(tensor.name), tensor.dtype, bytes + scales});
            planned.bytes += isWritten ? 0 : scales; // else they are tensors, too
        }
    }
    if (!isWritten) {
        addProblem(draft, ErrorCode::Unsupported, Severity::Error,
                   "Weights cannot be written in this precision, only its error can be forecast: " +
                       std::string(planned.precision->name),
                   "`cairn-cli plan` shows the forecast");
    }
}

} // namespace cairn
