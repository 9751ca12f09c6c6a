// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"
#include "core/model/tensor_entry.h"

#include <cstddef>
#include <span>

namespace cairn {

/// Applies byte order, neg and conj flags to dense stored elements. Pure.
void applyFlags(std::span<std::byte> bytes, Dtype dtype, ElementFlags flags);

} // namespace cairn
