// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/plan/request.h"

namespace cairn {

/// The request with everything that was left open decided by its kind and its source: the output's
/// format, weights or everything, a bundle or a file. Idempotent. Looks for adapters near the
/// source for the hint of an error; else pure. Fails: InvalidArgument for options that are missing
/// or exclude each other, Unsupported for an output whose ending names no format.
Result<JobRequest> settledRequest(JobRequest request, const Checkpoint& source);

/// The tensors that an export writes: the chosen ones, else all.
Selection exportedTensors(const JobRequest& request);

} // namespace cairn
