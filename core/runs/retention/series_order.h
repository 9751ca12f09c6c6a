// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/number.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// Whether positions, names and times of a series agree about the order of its checkpoints. Pure.
namespace cairn {

struct SeriesMember {
    std::size_t checkpoint = 0; ///< index in the run
    Number position;
    std::optional<Number> named; ///< position in its name
    std::int64_t oldestNs = 0;   ///< modification time of its oldest file; next: of its newest
    std::int64_t newestNs = 0;
    bool settled = true;              ///< its times are reliable
    std::optional<double> epoch = {}; ///< beside the step that is its position
};

struct SeriesConflict {
    enum class Kind : std::uint8_t {
        SamePosition,
        SavedBefore, ///< the other one has a later position and is older
        SavedAfter,  ///< the other one has an earlier position and is newer
        Names,       ///< the order of the names differs from that of the positions
        Epochs,      ///< the order of the epochs differs from that of the steps
    };
    Kind kind{};
    std::size_t other = 0; ///< index in the run
};

/// One for each member, empty if there is no conflict. n log n.
std::vector<std::optional<SeriesConflict>>
seriesConflicts(const std::vector<SeriesMember>& members);

} // namespace cairn
