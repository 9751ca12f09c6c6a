// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/scan/open_named.h"

namespace cairn {

/// Files with plain numbers ("model_0.pt", "model_1.pt") that record no step or epoch are
/// checkpoints of a training, or slices of tensor parallelism in one model. Fails with
/// InvalidArgument if the shapes are those of the class of the config beside them, divided by the
/// number of files. Without a config, also if a folder was named, its latest checkpoint was chosen
/// by such a number alone, and a neighbour has the same tensors, some of them with the same
/// elements and most matrices with others: norms are not cut and layers are. Whoever names one of
/// the files decides that. Compares two files.
Result<void> refuseUndecidedSlices(const NamedCheckpoint& named, const CancelToken& cancel);

} // namespace cairn
