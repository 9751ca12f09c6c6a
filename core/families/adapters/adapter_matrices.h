// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/checkpoint.h"

namespace cairn {

/// The same adapter with the matrices of convolutions as asMatrix() has them, at the same indices:
/// what AdapterOperation refers to. No element is read. Fails with the errors of TensorView.
Result<CheckpointPtr> withMatrices(const CheckpointPtr& adapter);

} // namespace cairn
