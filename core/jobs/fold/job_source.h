// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/jobs/fold/combined_adapter.h"
#include "core/jobs/names/name_conversion.h"
#include "core/model/checkpoint.h"
#include "core/plan/consolidate.h"
#include "core/plan/fold.h"

#include <memory>
#include <optional>
#include <vector>

namespace cairn {

/// What a job reads, before its plan: at first the source as it is stored, then under the names of
/// request.names and with request.adapters folded into it. A value type.
struct JobSource {
    CheckpointPtr checkpoint;
    JobRequest request;                  ///< renamed tensors are no longer below a subtree
    std::vector<Sidecar> sidecars;       ///< those around the source
    std::optional<Value> values;         ///< of the checkpoint; empty: unknown
    std::vector<AverageMember> average;  ///< as in JobInputs
    std::vector<AdapterMember> adapters; ///< the same
    /// Empty: `checkpoint` is no adapter that several became; `average` is empty then.
    std::optional<CombinedSource> combined;

    std::optional<ConvertedSource> converted; ///< empty: the names are as they were
    std::optional<PlanDecision> joined;       ///< slices of ranks that became tensors
    CheckpointPtr unfolded;                   ///< the checkpoint before the adapters
    std::shared_ptr<const FoldedSource> fold; ///< null: there are no adapters
};

/// `code` computes what the names need (convertNames()). Fails with the errors of convertNames()
/// and foldAdapters(). Any thread.
Result<JobSource> withNamesAndAdapters(JobSource source, ComputedBy code,
                                       const CancelToken& cancel);

} // namespace cairn
