// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/families/config/model_config.h"
#include "core/model/checkpoint.h"
#include "core/plan/consolidate.h"

#include <vector>

/// Tied weights that a format cannot tell (a distributed checkpoint stores the head and the
/// embedding as if they were two).
namespace cairn {

/// The selected tensors that the model of this config ties to another selected one, and which have
/// its bytes. Reads both completely. `values`: as for containerPrefix(). Fails with the errors of
/// reading, and with Cancelled.
Result<std::vector<TiedTensor>> findTiedHeads(const CheckpointPtr& source,
                                              const JobRequest& request, const ModelConfig& config,
                                              const Value* values, const CancelToken& cancel);

} // namespace cairn
