// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/context/job_context.h"
#include "core/jobs/record/verify_result.h"
#include "core/model/checkpoint.h"

/// What a checkpoint contains besides tensors.
namespace cairn {

/// Compares the plain values, parameter groups included, and the files beside the tensors that the
/// checkpoints do not consist of (config.json, a tokenizer), byte by byte; adds the differences to
/// `result`. A value that is damaged or unreadable on either side is a difference. Files are
/// compared between two folders; for a single file `result.notCompared` says that they were not.
/// Fails: Cancelled.
Result<void> compareBeside(const Checkpoint& source, const Checkpoint& output, VerifyResult& result,
                           JobContext& context);

/// The same as text, for a comparison of tensors alone: what was not compared.
void noteNotCompared(const Checkpoint& source, const Checkpoint& output, VerifyResult& result);

} // namespace cairn
