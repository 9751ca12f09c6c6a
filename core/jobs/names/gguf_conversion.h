// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/names/name_conversion.h"
#include "core/model/checkpoint.h"
#include "core/plan/consolidate.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// Weights as llama.cpp loads them: its names, layouts, metadata and tokenizer
/// (families/gguf/gguf.h).
namespace cairn {

struct GgufSource {
    CheckpointPtr checkpoint;            ///< what the job reads instead; null: see `problem`
    std::string architecture;            ///< as llama.cpp names it; empty: see `problem`
    CheckpointPtr expected;              ///< the same for verification, see CopyPlan; may be null
    std::map<TensorIndex, Dtype> dtypes; ///< as llama.cpp needs them
    std::vector<ValueItem> metadata;
    std::vector<PlanDecision> decisions;
    std::vector<PlanProblem> problems; ///< warnings, or the error that names are kept for
};

/// Whether the weights of a job get llama.cpp's names.
bool convertsToGguf(const Checkpoint& source, const JobRequest& request);

/// `source` has published names, or those below a container of `values` (may be null). What
/// llama.cpp could not load is a problem: of severity Error, or a warning with --force, which then
/// keeps the names. `expected`: see CopyPlan, or null. `unpacked`: weights that are numbers
/// already, whatever the config says, and parts that are left out. Fails with InvalidArgument for
/// the names of another format.
Result<GgufSource> convertToGguf(const CheckpointPtr& source, const CheckpointPtr& expected,
                                 const JobRequest& request, std::span<const Sidecar> sidecars,
                                 const Value* values, const UnpackedWeights& unpacked);

} // namespace cairn
