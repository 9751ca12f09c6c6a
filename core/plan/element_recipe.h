// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/adapters/adapter_operation.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace cairn {

/// How the terms of a recipe become one element. The last two work as torch adds up a list of
/// tensors, from 0 on in their own dtype, float32 or shorter: each result is rounded to it.
enum class TermSum : std::uint8_t {
    WeightedMean, ///< summed in float64 in order and divided by the sum of the weights
    Stepwise,
    StepwiseMean, ///< divided by the number of terms
};

/// A sum over slices that is not a number, whatever bits its terms had: those depend on the order
/// of a processor's operands.
inline constexpr float kSumNan = std::numeric_limits<float>::quiet_NaN();

/// One member of an average.
struct AverageTerm {
    CheckpointPtr checkpoint;
    TensorIndex tensor;       ///< in that checkpoint; with the segment's shape
    double weight = 1;        ///< not negative
    CheckpointPtr expected{}; ///< as verification reads it; null: `checkpoint`
};

/// A change of a tensor by an adapter; not Kind::Replace.
struct FoldStep {
    CheckpointPtr adapter;
    AdapterOperation operation;
};

/// Whether elements of a dtype can be the operands of a FoldStep.
bool isFoldable(Dtype dtype);

/// How the elements of one source tensor are computed, if more than a cast is needed (which follows
/// from the segment's dtype). One of scales, terms and steps.
struct ElementRecipe {
    /// In the plan's source: each element is multiplied in float32 with its block's scale, or
    /// divided by it.
    std::optional<TensorIndex> scales;
    Shape block;                    ///< elements of each dimension that share one scale
    std::vector<AverageTerm> terms; ///< instead of the tensor's own elements
    /// Adapters that are folded into the tensor, in this order. Its elements are first rounded to
    /// `folded`, and again between the steps; the last result, in float32, is rounded to the
    /// segment's dtype.
    std::vector<FoldStep> steps;
    Dtype folded = Dtype::Float32; ///< float32 or shorter
    bool divides = false;          ///< by the scales
    TermSum termSum = TermSum::WeightedMean;
};

/// Whether the operands of a recipe exist and have shapes and dtypes that fit the tensor.
bool isValidRecipe(const ElementRecipe& recipe, const Checkpoint& source,
                   const TensorEntry& tensor);

} // namespace cairn
