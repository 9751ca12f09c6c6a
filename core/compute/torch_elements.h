// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/compute/torch/module_api.h"
#include "core/model/dtype.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

/// Cairn's dtypes in the words of the libtorch module. Internal to core/compute.
namespace cairn {

/// The kind that a dtype's elements are stored as; nothing for those without numbers.
std::optional<int> torchKind(Dtype dtype);

/// REQUIRES: torchKind(dtype).
CairnElements torchElements(Dtype dtype, std::span<const std::byte> bytes);

/// What the module states went wrong; `what` is the sentence.
Error torchError(const CairnTorchError& error, std::string what);

} // namespace cairn
