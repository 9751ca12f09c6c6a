// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/compute/torch/module_api.h"
#include "core/model/dtype.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

/// Maps Cairn's dtypes to those of the libtorch module. Internal to core/compute.
namespace cairn {

/// The module's kind for a dtype; empty for dtypes without numbers.
std::optional<int> torchKind(Dtype dtype);

/// REQUIRES: torchKind(dtype).
CairnElements torchElements(Dtype dtype, std::span<const std::byte> bytes);

/// The module's failure as an Error; `what` is the message.
Error torchError(const CairnTorchError& error, Sentence what);

} // namespace cairn
