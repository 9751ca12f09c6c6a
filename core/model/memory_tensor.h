// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstddef>
#include <string>
#include <vector>

namespace cairn {

/// A tensor whose elements are `bytes`, in C order and little-endian, in a file of `data` that is
/// in memory; `place` stands for its path. Not added to the tensors of `data`.
TensorEntry memoryTensor(CheckpointData& data, std::string name, Dtype dtype, Shape shape,
                         std::vector<std::byte> bytes, std::string place);

} // namespace cairn
