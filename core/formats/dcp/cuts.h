// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

#include <cstdint>
#include <span>
#include <vector>

/// The parts of a tensor on the ranks of a grid. Private to this folder.
namespace cairn::formats::dcp {

struct Cut {
    std::uint32_t rank = 0;
    Box box;
};

/// Number of ranks of a grid: the product of its axes. Fails: InvalidArgument (an axis of size 0,
/// or more than kMaxRanks in total).
Result<std::uint32_t> rankCount(std::span<const ShardAxis> axes);
inline constexpr std::uint32_t kMaxRanks = 65536;

/// Cuts a tensor among the ranks of a grid by the rule of torch.chunk: each axis in turn cuts the
/// parts of the previous axes into lengths of ceil(extent / ranks), so that the last parts may be
/// shorter or empty (torch/distributed/tensor/_utils.py, compute_local_shape_and_global_offset).
/// Empty parts are omitted. If the tensor lacks an axis's dimension, all ranks along that axis
/// would store the same; only one does, selected by `turn` (0, 1, 2 … distributes tensors evenly).
/// A tensor without elements is one empty part. Linear in the number of parts.
std::vector<Cut> cutTensor(const Shape& shape, std::span<const ShardAxis> axes, std::uint64_t turn);

} // namespace cairn::formats::dcp
