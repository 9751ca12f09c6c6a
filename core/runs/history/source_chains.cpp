// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/source_chains.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace cairn {

void SourceChains::widen(Extent& extent, const MetricSeries& series) {
    extent.byEpoch = extent.byEpoch || series.stepsFrom == StepsFrom::Epoch;
    double before = std::nan("");
    for (const double step : series.steps) {
        extent.first = std::min(extent.first, step);
        extent.last = std::max(extent.last, step);
        if (step > before) {
            extent.interval = std::min(extent.interval, step - before);
        }
        before = step;
    }
    const auto known = std::ranges::find_if(series.wall, [](double w) { return std::isfinite(w); });
    extent.wall = known != series.wall.end() ? std::min(extent.wall, *known) : extent.wall;
}

SourceChains::SourceChains(const RunHistory& history, const std::filesystem::path& run)
    : m_history(history), m_extents(history.sources.size()) {
    for (const std::size_t least :
         {2U, 1U}) { // a single point may be a summary of the complete run
        for (const MetricSeries& series : history.series) {
            if (series.stepsFrom != StepsFrom::Count && series.source < m_extents.size() &&
                series.size() >= least && !(least == 1 && m_extents[series.source].any())) {
                widen(m_extents[series.source], series);
            }
        }
    }
    for (const HistorySource& source : history.sources) {
        m_lineages.push_back(lineageOf(source, run));
    }
    makeStreams();
    continueStreams();
    m_place.resize(history.sources.size());
    for (std::size_t c = 0; c < m_chains.size(); ++c) {
        for (std::size_t i = 0; i < m_chains[c].sources.size(); ++i) {
            m_place[m_chains[c].sources[i]] = {c, i};
        }
    }
}

/// Whether source `a` was written before `b`. Recorded times decide; a file's own time may be that
/// of a copy, so names take precedence over it.
bool SourceChains::writtenBefore(std::uint32_t a, std::uint32_t b, bool byWall) const {
    if (byWall && m_extents[a].wall != m_extents[b].wall) {
        return m_extents[a].wall < m_extents[b].wall;
    }
    if (namedBefore(m_lineages[a], m_lineages[b]) != namedBefore(m_lineages[b], m_lineages[a])) {
        return namedBefore(m_lineages[a], m_lineages[b]);
    }
    return m_history.sources[a].modifiedNs < m_history.sources[b].modifiedNs;
}

void SourceChains::sort(std::vector<std::uint32_t>& sources) const {
    const bool byWall = std::ranges::all_of(
        sources, [&](std::uint32_t source) { return std::isfinite(m_extents[source].wall); });
    std::ranges::stable_sort(
        sources, [&](std::uint32_t a, std::uint32_t b) { return writtenBefore(a, b, byWall); });
}

void SourceChains::makeStreams() {
    std::map<std::pair<std::string, std::string>, std::vector<std::uint32_t>> streams;
    for (std::uint32_t i = 0; i < m_lineages.size(); ++i) {
        streams[{m_lineages[i].stream, m_lineages[i].part}].push_back(i);
    }
    for (auto& [key, sources] : streams) {
        sort(sources);
        Chain chain{sources, m_lineages[sources.back()], {}};
        for (const std::uint32_t source : sources) {
            const Extent& extent = m_extents[source];
            chain.extent.first = std::min(chain.extent.first, extent.first);
            chain.extent.last = std::max(chain.extent.last, extent.last);
            chain.extent.interval = std::min(chain.extent.interval, extent.interval);
            chain.extent.byEpoch = chain.extent.byEpoch || extent.byEpoch;
        }
        m_chains.push_back(std::move(chain));
    }
}

/// Whether `later` continues `earlier`. A training that starts again begins where the first one
/// did, or within one logging interval of that.
bool SourceChains::continues(const Chain& earlier, const Chain& later) {
    const Extent& a = earlier.extent;
    const Extent& b = later.extent;
    const bool comparable = a.any() && b.any() && a.byEpoch == b.byEpoch &&
                            earlier.lineage.isPlainLog && later.lineage.isPlainLog &&
                            (earlier.lineage.part == later.lineage.part ||
                             earlier.lineage.part.empty() || later.lineage.part.empty());
    if (!comparable) {
        return false;
    }
    const double intervalA = std::isfinite(a.interval) ? a.interval : b.interval;
    const double intervalB = std::isfinite(b.interval) ? b.interval : a.interval;
    const double most = std::max(intervalA, intervalB);
    const double gap = b.first - a.last;
    const bool near = std::isfinite(most) ? gap <= 2 * most : gap <= 1;
    if (earlier.lineage.family != later.lineage.family) {
        return gap > 0 && near;
    }
    const bool anew = intervalA != intervalB && b.first <= intervalB;
    return b.first > a.first && near && !anew;
}

void SourceChains::continueStreams() {
    std::vector<Chain> streams = std::exchange(m_chains, {});
    std::ranges::stable_sort(streams, [&](const Chain& a, const Chain& b) {
        const std::uint32_t x = a.sources.front();
        const std::uint32_t y = b.sources.front();
        if (a.lineage.family == b.lineage.family) {
            return writtenBefore(
                x, y, std::isfinite(m_extents[x].wall) && std::isfinite(m_extents[y].wall));
        }
        return a.extent.first < b.extent.first;
    });
    for (Chain& stream : streams) {
        Chain* joins = nullptr;
        for (Chain& chain : m_chains) {
            joins = continues(chain, stream) ? &chain : joins; // the latest one
        }
        if (joins == nullptr) {
            m_chains.push_back(std::move(stream));
            continue;
        }
        joins->sources.insert(joins->sources.end(), stream.sources.begin(), stream.sources.end());
        joins->lineage = stream.lineage;
        joins->extent.last = std::max(joins->extent.last, stream.extent.last);
        joins->extent.interval = std::min(joins->extent.interval, stream.extent.interval);
    }
}

} // namespace cairn
