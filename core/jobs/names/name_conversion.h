// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/config/model_config.h"
#include "core/families/names/recipe.h"
#include "core/jobs/elements/computed_tensors.h"
#include "core/model/checkpoint.h"
#include "core/plan/consolidate.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The names and layout of a model family for the tensors of a job; families/names/conversion.h
/// knows the recipes.
namespace cairn {

/// What the job reads instead of its source: the selected tensors under their new names, and the
/// others as they were.
struct ConvertedSource {
    CheckpointPtr checkpoint;
    std::vector<PlanDecision> decisions;
    std::vector<ChecklistItem> checklist; ///< names that the model's library does not know
    std::optional<Sidecar> config; ///< config.json from the framework's settings, if none was found
    /// Tensors of `checkpoint` that are sums over slices of tensor parallelism; null: there are
    /// none.
    std::shared_ptr<const ComputedSource> slices;
};

/// The names of tensors without the keys of containers and the additions of wrappers. `values`: the
/// checkpoint's plain values, or null.
Result<std::vector<NamedTensor>>
modelNames(const Checkpoint& source, const std::vector<TensorIndex>& chosen, const Value* values);

/// The converted tensors, then those of `source` below `subtree` that the job does not write, for
/// what it says of them.
CheckpointPtr withUnwritten(const CheckpointPtr& converted, const Checkpoint& source,
                            const std::vector<TensorIndex>& chosen, std::string_view subtree);

/// "12 tensors renamed, 4 cut out or rearranged".
Sentence countsOf(const Converted& converted);

/// Whether these request ask for names that may differ from the stored ones; a config is then
/// needed.
bool convertsNames(const JobRequest& request);

/// Words of wrappers, and the one beginning without which the names are those of the config's model
/// (families/expected/expected.h), are dropped, too. Nothing if the names stay: --names keep, no
/// bundle and not GGUF (whose names follow from the published ones), or the names are already those
/// of the model's library. `sidecars`: the config among them tells the family. `values`: the
/// checkpoint's plain values, or null. `code` computes sums over slices. Fails with the errors of
/// convertTensors(); InvalidArgument for unknown
/// names, or if tensors other than weights are selected; Unsupported if the names of a framework
/// were asked for that has none for these tensors.
Result<std::optional<ConvertedSource>> convertNames(const CheckpointPtr& source,
                                                    const JobRequest& request,
                                                    std::span<const Sidecar> sidecars,
                                                    const Value* values, ComputedBy code);

} // namespace cairn
