// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/config/model_config.h"
#include "core/plan/consolidate.h"

#include <optional>

namespace cairn {

struct DequantisedSource {
    CheckpointPtr checkpoint; ///< the source itself if nothing could be unpacked
    UnpackedWeights weights;
};

/// A source with its quantised weights as numbers (analysis/unpacked_weights.h), except those that
/// a plan multiplies itself (plan/scaled_weights.h); `all`: those, too. `wanted`: for weights whose
/// library gives them in any dtype; empty: float32. Fails with the errors of reading their small
/// parts, and Cancelled.
Result<DequantisedSource> dequantisedSource(const CheckpointPtr& source, const ModelConfig* config,
                                            bool all, std::optional<Dtype> wanted,
                                            const CancelToken& cancel);

} // namespace cairn
