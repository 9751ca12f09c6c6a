// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/value.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

/// Values that refer to tensors by name until all ranks are read. Pure.
namespace cairn::formats::ranks {

/// Where the tensor of each name is in the checkpoint.
using TensorPlaces = std::map<std::string, TensorIndex, std::less<>>;

/// Stands for a tensor until it has its place.
Value placeholder(const std::string& name);

/// The value with a reference in the place of each placeholder(); one without a place leaves dicts
/// and is null in lists. Nodes that are shared stay shared.
Value withPlaces(const Value& value, const TensorPlaces& places);

/// What each rank has of its own stands under its rank, as its tensors' names do.
Value withRanks(Value values, std::map<std::uint32_t, std::vector<ValueItem>> ranks);

} // namespace cairn::formats::ranks
