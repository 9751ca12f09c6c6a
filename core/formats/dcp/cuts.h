// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

#include <cstdint>
#include <span>
#include <vector>

/// Which rank of a grid holds which part of a tensor. Private to this folder.
namespace cairn::formats::dcp {

struct Cut {
    std::uint32_t rank = 0;
    Box box;
};

/// Ranks of a grid: the product of its axes. Fails: InvalidArgument (an axis of nothing, or more
/// than kMaxRanks in all).
Result<std::uint32_t> rankCount(std::span<const ShardAxis> axes);
inline constexpr std::uint32_t kMaxRanks = 65536;

/// Cuts a tensor among the ranks of a grid by the rule of torch.chunk: each axis in turn cuts what
/// the axes before it left in ceil(extent / ranks) long parts, so that the last parts may be
/// shorter or empty (torch/distributed/tensor/_utils.py, compute_local_shape_and_global_offset).
/// Empty parts are left out: nobody ever reads them. Along an axis whose dimension the tensor lacks
/// all ranks would hold the same; one of them does, `turn` decides which (0, 1, 2 … spreads tensors
/// evenly). A tensor without elements is one empty part. Linear in the ranks that the tensor is cut
/// among.
std::vector<Cut> cutTensor(const Shape& shape, std::span<const ShardAxis> axes, std::uint64_t turn);

} // namespace cairn::formats::dcp
