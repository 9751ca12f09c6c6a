// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/megatron/rank_places.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::formats::megatron {

/// By stack ("decoder.layers."): the first global layer of each stage, in the order of the stages.
using FirstLayers = std::map<std::string, std::vector<std::uint64_t>, std::less<>>;

/// Counts the layers of all stages, which begin with 0 on each of them. Nothing, with a notice:
/// they do not add up.
std::optional<FirstLayers> countLayers(const RankPlaces& places, RankSet& ranks);

/// The first global layer of each stage, in the order of the stages; nothing where stages are
/// unknown. `counts`: layers that each stage holds, nothing for one that is missing. A complete set
/// adds up to `layers` when that is recorded; where stages are missing, they are taken for equal if
/// that adds up. Nothing: it does not add up. Pure.
std::optional<std::vector<std::uint64_t>>
firstLayers(std::span<const std::optional<std::uint64_t>> counts,
            std::optional<std::int64_t> layers);

} // namespace cairn::formats::megatron
