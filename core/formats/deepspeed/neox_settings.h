// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"
#include "core/model/checkpoint.h"

#include <optional>

namespace cairn::formats::deepspeed {

/// The settings of GPT-NeoX, which saves its YAML files in a folder `configs` of each save: one
/// dict named "configs". A name is the same with hyphens and underscores there; it has underscores
/// here. Files that cannot be read are reported in `data`. Nothing if there are none.
std::optional<ValueItem> neoxSettings(const OpenRequest& request, CheckpointData& data);

} // namespace cairn::formats::deepspeed
