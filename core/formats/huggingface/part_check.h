// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"
#include "core/formats/huggingface/parts.h"

#include <span>
#include <vector>

/// Whether the parts of a model that is several are there. What is missing becomes notices and
/// reasons of `data`, which is incomplete then.
namespace cairn::formats::huggingface {

/// What `modules.json` names; a file that cannot be read is a notice.
std::vector<ModelPart> readModules(CheckpointData& data, const OpenRequest& request);

/// Looks into the folder of each part: its names only. Fails: Cancelled.
Result<void> noteParts(CheckpointData& data, const OpenRequest& request,
                       std::span<const ModelPart> parts);

/// What is wrong with a part.
enum class PartState : std::uint8_t { Missing, WithoutWeights };
void notePart(CheckpointData& data, const ModelPart& part, PartState state);

} // namespace cairn::formats::huggingface
