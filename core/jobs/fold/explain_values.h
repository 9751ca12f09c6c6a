// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/plan/copy_plan.h"

#include <cstdint>

/// The elements of explain_fold.h: a tensor of a merged model, compared with the one that a fold
/// gives. Memory is O(chunk).
namespace cairn {

/// One tensor in three models. Borrows them.
struct MergedTensor {
    const CopyPlan& base; ///< copies every tensor of the base as it is
    TensorIndex baseTensor;
    const CopyPlan& folded; ///< has the recipes of the adapters
    TensorIndex foldedTensor;
    const Checkpoint& merged;
    TensorIndex mergedTensor;
};

/// Whether the merged tensor is the base's, cast if its dtype is another one. Fails with the errors
/// of reading, and Cancelled.
Result<bool> isBase(const MergedTensor& tensor, const CancelToken& cancel);

/// Whether its bytes are what one of the ways to merge gives: with or without a rounding of the
/// changes (PEFT's safe_merge), computed at the base's dtype or at its own. Fails as isBase().
Result<bool> isFolded(const MergedTensor& tensor, const CancelToken& cancel);

/// How merged - base relates to folded - base, both taken as vectors.
struct FoldMeasure {
    std::uint64_t elements = 0;
    /// Elements further from the folded ones than the roundings of a merge can take them: the
    /// result's, the change's, and those of sums in another order.
    std::uint64_t outside = 0;
    double factor = 0;   ///< best multiple of the fold's change
    double residual = 0; ///< what this multiple leaves of the difference, relative to it
    bool within = false; ///< none is outside, and `factor` is 1 as far as rounding lets one tell
    bool scaled = false; ///< another `factor` explains the difference
};

/// Fails as isBase().
Result<FoldMeasure> measureFold(const MergedTensor& tensor, const CancelToken& cancel);

} // namespace cairn
