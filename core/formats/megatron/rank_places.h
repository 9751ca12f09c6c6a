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

/// Among the ranks of each kind.
struct Place {
    std::uint32_t tp = 0;
    std::uint32_t pp = 0;
    std::uint32_t ep = 0;
    auto operator<=>(const Place&) const = default;
};

/// Which file of the model is which rank's. Borrows the files.
struct RankPlaces {
    Layout layout;
    std::map<Place, RankFile*> files;

    /// Any of the stage's ranks, because all of them have the same names; null: there is none.
    [[nodiscard]] const RankFile* ofStage(std::uint32_t pp) const;
    /// Position among all stages: virtual stages count on after all pipeline ranks.
    [[nodiscard]] std::size_t stageOf(std::uint32_t pp, std::uint32_t chunk) const {
        return std::size_t{chunk} * layout.pipeline + pp;
    }
};

/// What args record about the ranks, held against their folders. The world size becomes `data`'s;
/// ranks without files are notices. Nothing, with a notice: the files are shown per rank.
std::optional<RankPlaces> findPlaces(CheckpointData& data, RankSet& ranks);

} // namespace cairn::formats::megatron
