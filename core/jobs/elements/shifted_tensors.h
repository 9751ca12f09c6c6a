// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <string>
#include <vector>

/// Tensors of a derived checkpoint that are computed, for layouts whose programs store a sum.
namespace cairn {

/// Replaces a tensor of `data`, a copy of the data of `base`, by a float32 one whose elements are
/// those of `base` plus one, in float32; sums of float16 are rounded to float16 first, as
/// llama.cpp's converter does. Read when it is used, each time completely: for small tensors. Its
/// reading fails with LimitExceeded above 64 MiB.
void addOne(CheckpointData& data, const CheckpointPtr& base, TensorIndex tensor);

/// A float32 vector that is in no file. `from`: what it follows from, for messages.
void addVector(CheckpointData& data, std::string name, const std::vector<float>& values,
               const std::string& from);

} // namespace cairn
