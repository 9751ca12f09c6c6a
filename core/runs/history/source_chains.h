// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"
#include "core/runs/history/source_lineage.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Which sources of a history were written by one training, and in which order. Pure.
namespace cairn {

/// Decides by names (SourceLineage) and by the recorded points; see joinSeries() for the rules.
class SourceChains {
public:
    /// `history` must outlive it, with the series as returned by the readers.
    SourceChains(const RunHistory& history, const std::filesystem::path& run);

    /// The chain of a source, and its position in it.
    [[nodiscard]] std::pair<std::size_t, std::size_t> placeOf(std::uint32_t source) const {
        return source < m_place.size() ? m_place[source]
                                       : std::pair(m_chains.size(), std::size_t{source});
    }
    /// All sources of its chain, in the order of writing.
    [[nodiscard]] std::span<const std::uint32_t> sourcesWith(std::uint32_t source) const {
        const std::size_t chain = placeOf(source).first;
        return chain < m_chains.size() ? std::span<const std::uint32_t>(m_chains[chain].sources)
                                       : std::span<const std::uint32_t>();
    }
    [[nodiscard]] const std::string& partOf(std::uint32_t source) const {
        static const std::string kNone;
        return source < m_lineages.size() ? m_lineages[source].part : kNone;
    }

private:
    /// Combined range of a source's series.
    struct Extent {
        double first = std::numeric_limits<double>::infinity(); ///< smallest step
        double last = -std::numeric_limits<double>::infinity();
        /// Smallest distance between two points of a series.
        double interval = std::numeric_limits<double>::infinity();
        double wall = std::numeric_limits<double>::infinity(); ///< earliest time
        bool byEpoch = false;                                  ///< for at least one of its series
        [[nodiscard]] bool any() const { return first <= last; }
    };

    /// Sources of one training, in the order of writing.
    struct Chain {
        std::vector<std::uint32_t> sources;
        SourceLineage lineage; ///< of the last source
        Extent extent;
    };

    static void widen(Extent& extent, const MetricSeries& series);
    static bool continues(const Chain& earlier, const Chain& later);
    [[nodiscard]] bool writtenBefore(std::uint32_t a, std::uint32_t b, bool byWall) const;
    void sort(std::vector<std::uint32_t>& sources) const;
    void makeStreams();
    void continueStreams();

    const RunHistory& m_history;
    std::vector<Extent> m_extents;
    std::vector<SourceLineage> m_lineages;
    std::vector<Chain> m_chains;
    std::vector<std::pair<std::size_t, std::size_t>> m_place;
};

} // namespace cairn
