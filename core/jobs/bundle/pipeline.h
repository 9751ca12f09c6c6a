// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/jobs/bundle/sidecars.h"
#include "core/model/checkpoint.h"
#include "core/plan/consolidate.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A pipeline of diffusers as a folder that DiffusionPipeline.from_pretrained() loads: folders of
/// components with their configs, and model_index.json. Reads; any thread. Source: diffusers 0.42,
/// pipelines/pipeline_utils.py.
namespace cairn {

/// The document that lists the components.
inline constexpr std::string_view kPipelineIndex = "model_index.json";

struct PipelineOutput {
    std::vector<OutputComponent> components; ///< those with weights
    SidecarSearch files;                     ///< all others, by their paths in the output
};

/// Whether a folder is a pipeline's.
bool isPipelineFolder(const std::filesystem::path& folder);

/// A source whose weights are all in folders of components (accelerate's checkpoint of a training,
/// with "unet" only), together with the other components of the pipeline `like`; the source itself
/// if `like` is empty or no pipeline. Fails with the errors of opening `like`.
Result<CheckpointPtr> withOtherComponents(const CheckpointPtr& source,
                                          const std::filesystem::path& like,
                                          const CancelToken& cancel);

/// The components of such a source, or of a pipeline, and the files beside their weights. One
/// component without an index becomes the output itself. Nothing if the source is neither. What is
/// missing is a problem.
std::optional<PipelineOutput> findPipeline(const Checkpoint& source,
                                           const std::filesystem::path& like);

} // namespace cairn
