// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/families/config/model_config.h"
#include "core/model/checkpoint.h"
#include "core/plan/consolidate.h"

#include <vector>

/// Tied weights, of which a bundle has the one that the model's class publishes: whichever of two
/// names a pickle has first, and where a format cannot tell (a distributed checkpoint stores the
/// head and the embedding as if they were two).
namespace cairn {

enum class TieEvidence : std::uint8_t {
    Stored, ///< two names of one stored tensor
    Bytes,  ///< or two tensors with the same bytes, which are read completely
};

/// Whether two tensors have the same dtype, shape and bytes; reads both completely. Fails with the
/// errors of reading, and with Cancelled.
Result<bool> haveSameBytes(const Checkpoint& source, TensorIndex a, TensorIndex b,
                           const CancelToken& cancel);

/// The selected tensors that the class of this config ties to another selected one, and which are
/// the same by this evidence. `values`: as for containerPrefix(). Fails with the errors of reading,
/// and with Cancelled.
Result<std::vector<TiedTensor>> findTiedHeads(const CheckpointPtr& source,
                                              const JobRequest& request, const ModelConfig& config,
                                              const Value* values, TieEvidence evidence,
                                              const CancelToken& cancel);

} // namespace cairn
