// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"

#include <QString>

namespace cairn::ui {

/// Python that loads this one tensor with the framework's own reader, without loading the rest:
/// safe_open for safetensors, torch.distributed.checkpoint.load for sharded folders,
/// torch.load(mmap=True, weights_only=True) for files of torch. Runs on a worker, because it reads
/// the values to find the nesting of dicts in a torch file. Fails: Cancelled.
Result<QString> pythonSnippet(const CheckpointPtr& checkpoint, TensorIndex tensor,
                              const CancelToken& cancel);

} // namespace cairn::ui
