// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/config/model_config.h"
#include "core/families/names/recipe.h"
#include "core/model/checkpoint.h"

#include <span>

namespace cairn {

/// Whether a model under the names that `rules` give is evidently complete, so that a conversion
/// does not pass on what is missing: every tensor outside the layers is there (a head only if the
/// config unties it), the layers and experts are as many as the config says and have no gaps, no
/// layer lacks what another of its kind has, and tensors that differ by their numbers only have the
/// same shape. Fails, and names the tensor: NotFound for a missing one; BadSlice for a shape or a
/// number of layers that contradicts. Linear in tensors.
Result<void> checkComplete(const Checkpoint& library, const Recipe& rules,
                           const ModelConfig& config);

/// Whether a config may be that of a model of unknown family: its vocabulary and width are those of
/// the embedding, and its layers as many as those of the names. Tensors under other names than
/// transformers' usual ones are not checked. Fails with BadSlice, and names the tensor or the
/// field.
Result<void> checkConfig(const Checkpoint& checkpoint, std::span<const NamedTensor> tensors,
                         const ModelConfig& config);

} // namespace cairn
