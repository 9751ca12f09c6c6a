// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

#include <span>

/// Private to this folder.
namespace cairn::formats::dcp {

/// Marks tensors whose chunks are the same items as those of an earlier tensor. torch never writes
/// such an index; Cairn does for tied weights. Linear.
void markAliases(std::span<TensorEntry> tensors);

} // namespace cairn::formats::dcp
