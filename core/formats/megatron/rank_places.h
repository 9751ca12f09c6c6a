// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/megatron/layout.h"
#include "core/formats/megatron/rank_set.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace cairn::formats::megatron {

/// A rank's coordinates.
struct Place {
    std::uint32_t tp = 0;
    std::uint32_t pp = 0;
    std::uint32_t ep = 0;
    auto operator<=>(const Place&) const = default;
};

/// Assigns the model's files to ranks. Borrows the files.
struct RankPlaces {
    Layout layout;
    std::map<Place, RankFile*> files;

    /// Any rank of the stage, because all of them have the same names; null: none.
    [[nodiscard]] const RankFile* ofStage(std::uint32_t pp) const;
    /// Position among all stages: the second virtual stages follow the first ones of all pipeline
    /// ranks.
    [[nodiscard]] std::size_t stageOf(std::uint32_t pp, std::uint32_t chunk) const {
        return std::size_t{chunk} * layout.pipeline + pp;
    }
};

/// Compares the layout in args with the folders. Sets the world size of `data`; ranks without files
/// become notices. Empty, with a notice: the files are shown per rank.
std::optional<RankPlaces> findPlaces(CheckpointData& data, RankSet& ranks);

} // namespace cairn::formats::megatron
