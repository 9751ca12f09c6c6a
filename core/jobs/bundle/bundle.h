// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/plan/consolidate.h"

#include <optional>
#include <span>

/// Plans a folder of weights and sidecars that the model's library can open. Pure.
namespace cairn {

/// `tie_word_embeddings` in the sidecars' config.json; empty: not recorded.
std::optional<bool> tiesEmbeddings(std::span<const Sidecar> sidecars);

/// Completes the plan of a bundle: config.json gets the written dtype, without a quantisation that
/// was undone, and the model's class if it names none and one fits; a model card (README.md)
/// describes the source, unless one was copied; plan.checklist lists everything that a loader
/// needs, and whether it exists. A line that fails is a problem that stops the job; a warning with
/// request.force. With request.mustLoad, tensors that cannot be compared are a problem, too. Sizes
/// and the forecast are updated. Fails with the errors of validate().
Result<void> completeBundle(CopyPlan& plan, const JobRequest& request);

/// The same comparison of names and tensors for an output without the sidecars, which stay where
/// they are: for request.mustLoad.
void requireLoadable(CopyPlan& plan, std::span<const Sidecar> sidecars, const JobRequest& request);

} // namespace cairn
