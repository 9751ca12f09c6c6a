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

/// By stack ("decoder.layers."): the global number of each stage's first layer, in the order of the
/// stages.
using FirstLayers = std::map<std::string, std::vector<std::uint64_t>, std::less<>>;

/// Counts the layers of all stages; each stage numbers its own from 0. Empty, with a notice: the
/// numbers do not add up.
std::optional<FirstLayers> countLayers(const RankPlaces& places, RankSet& ranks);

/// The global number of each stage's first layer, in the order of the stages; empty for unknown
/// stages. `counts`: number of layers in each stage, empty for missing ones. If `layers` is
/// recorded, the sum must equal it; missing stages are assumed to have equal lengths if that gives
/// the sum. Empty: the sum differs. Pure.
std::optional<std::vector<std::uint64_t>>
firstLayers(std::span<const std::optional<std::uint64_t>> counts,
            std::optional<std::int64_t> layers);

} // namespace cairn::formats::megatron
