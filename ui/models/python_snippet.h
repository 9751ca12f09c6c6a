// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"

#include <QString>

namespace cairn::ui {

/// Python that loads this one tensor with the framework's own reader, without loading the rest:
/// safe_open for safetensors, torch.distributed.checkpoint.load for sharded folders,
/// torch.load(mmap=True, weights_only=True) for files of torch. Runs in a worker: where a torch
/// file nests its dicts is looked up in the values. Fails: Cancelled.
Result<QString> pythonSnippet(const CheckpointPtr& checkpoint, TensorIndex tensor,
                              const CancelToken& cancel);

} // namespace cairn::ui
