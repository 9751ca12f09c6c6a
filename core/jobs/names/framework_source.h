// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/names/name_conversion.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// Internal to name_conversion.h: a checkpoint of a framework (families/names/framework.h) as the
/// source of a job, under the names of the model's library.
namespace cairn {

/// What a conversion of names reads; nothing is owned.
struct NameInput {
    const CheckpointPtr& source;
    const JobRequest& request;
    const std::vector<TensorIndex>& chosen;
    const std::vector<NamedTensor>& named;
    std::span<const Sidecar> sidecars;
    const ModelConfig* config; ///< null: there is none
    ComputedBy code;           ///< of sums over slices
    std::size_t oldNorms = 0;  ///< of the names: see currentNormName()
};

/// Adds the decision that the names lose `prefix`, unless it is empty.
void addPrefix(ConvertedSource& made, const std::string& prefix,
               Sentence why = "Without it, the names are those of the model");

/// Nothing if no framework is recognised. `values`: the checkpoint's plain values, or null; they
/// may contain the framework's settings, of which config.json is made if there is none. Fails with
/// the errors of convertFramework(); BadSlice if words of the tokenizer would lose their rows.
Result<std::optional<ConvertedSource>> fromFramework(const NameInput& input, const Value* values);

} // namespace cairn
