// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/plan/consolidate.h"
#include "core/plan/fold.h"

#include <memory>
#include <vector>

namespace cairn {

/// Applies adapters to the weights of a job. Reads the adapters' settings, and of their
/// matrices as much as shows that there is a change. `sidecars`: the config among them tells how
/// the model's names and ties are; its fields that no longer hold are changed. `values`: the
/// checkpoint's plain values, or null. Fails with the errors of adapterChanges(); Unsupported for
/// an adapter that changes nothing.
Result<std::shared_ptr<const FoldedSource>>
foldAdapters(const CheckpointPtr& source, const JobRequest& request,
             const std::vector<AdapterMember>& adapters, std::vector<Sidecar>& sidecars,
             const Value* values, const CancelToken& cancel);

} // namespace cairn
