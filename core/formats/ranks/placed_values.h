// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/value.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

/// Plain values that refer to tensors by name until all ranks are read. Pure.
namespace cairn::formats::ranks {

/// Position of each name's tensor in the checkpoint.
using TensorPlaces = std::map<std::string, TensorIndex, std::less<>>;

/// A value that represents a tensor until its position is known.
Value placeholder(const std::string& name);

/// Replaces each placeholder() by a reference to its tensor. Without such a tensor it is removed
/// from dicts and null in lists. Shared nodes stay shared.
Value withPlaces(const Value& value, const TensorPlaces& places);

/// Adds the values that each rank has separately, under the rank's name like its tensors.
Value withRanks(Value values, std::map<std::uint32_t, std::vector<ValueItem>> ranks);

} // namespace cairn::formats::ranks
