// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/plan/consolidate.h"

#include <optional>
#include <span>

/// What makes weights and their sidecars a folder that a model's own library opens. Pure.
namespace cairn {

/// `tie_word_embeddings` of the sidecars' config.json; nothing: it does not say.
std::optional<bool> tiesEmbeddings(std::span<const Sidecar> sidecars);

/// Completes the plan of a bundle: config.json tells the dtype that is written and no quantisation
/// that was undone; a model card (README.md) says what was made from what, unless one was copied;
/// plan.checklist says for each thing that a loader asks for whether it is there. Sizes and the
/// forecast follow. Fails with what validate() says.
Result<void> completeBundle(CopyPlan& plan);

} // namespace cairn
