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
/// was undone; a model card (README.md) describes the source, unless one was copied; plan.checklist
/// lists everything that a loader needs, and whether it exists. Sizes and the forecast are updated.
/// Fails with the errors of validate().
Result<void> completeBundle(CopyPlan& plan);

} // namespace cairn
