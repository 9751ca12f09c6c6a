// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"
#include "core/formats/huggingface/parts.h"

#include <span>
#include <vector>

/// Checks that the parts of a composite model exist. Missing parts are added to `data` as notices
/// and reasons for incompleteness.
namespace cairn::formats::huggingface {

/// Reads the parts from `modules.json`; an unreadable file becomes a notice.
std::vector<ModelPart> readModules(CheckpointData& data, const OpenRequest& request);

/// Checks the names in the folder of each part. Fails: Cancelled.
Result<void> noteParts(CheckpointData& data, const OpenRequest& request,
                       std::span<const ModelPart> parts);

/// What is wrong with a part.
enum class PartState : std::uint8_t { Missing, WithoutWeights };
void notePart(CheckpointData& data, const ModelPart& part, PartState state);

} // namespace cairn::formats::huggingface
