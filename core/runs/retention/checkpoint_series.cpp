// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention/checkpoint_series.h"

#include "core/model/names/position.h"
#include "core/runs/retention/name_series.h"
#include "core/runs/retention/series_order.h"
#include "core/runs/run_counts.h"

#include <algorithm>

namespace cairn {
namespace {

/// The series of a checkpoint; empty: none.
std::string seriesOf(const ScannedRun& run, const ScannedCheckpoint& each) {
    std::filesystem::path below = each.path.lexically_relative(run.path);
    below = below.empty() || below == "." ? each.path.filename() : below;
    std::string series;
    bool any = false;
    for (const std::filesystem::path& part : below) {
        const std::string own = seriesOfName(part.string(), each.step, each.epoch);
        any = any || !own.empty();
        series += "/" + (own.empty() ? part.string() : own);
    }
    return any ? series : std::string();
}

std::optional<Number> asNumber(const auto& recorded) {
    return recorded ? std::optional(Number(*recorded)) : std::nullopt;
}

std::optional<Number> namedPosition(const ScannedCheckpoint& each) {
    const NamedPosition named = positionFromName(each.path.filename().string());
    return named.step ? asNumber(named.step) : asNumber(named.epoch);
}

Sentence describe(SeriesConflict::Kind kind, const std::string& other) {
    switch (kind) {
    case SeriesConflict::Kind::SamePosition:
        return sentence("%1 is at the same position: two runs or models share this folder", other);
    case SeriesConflict::Kind::SavedBefore:
        return sentence("the run went back: %1 is at a later position, but was saved earlier",
                        other);
    case SeriesConflict::Kind::SavedAfter:
        return sentence("the run went back: %1 is at an earlier position, but was saved later",
                        other);
    case SeriesConflict::Kind::Epochs:
        return sentence("its step and its epoch disagree about whether it precedes %1", other);
    case SeriesConflict::Kind::Names:
        return sentence("its name and its values disagree about whether it precedes %1", other);
    }
    return {};
}

} // namespace

CheckpointSeries::CheckpointSeries(const ScannedRun& run)
    : m_run(run), m_names(run.checkpoints.size()) {
    const std::vector<ScannedCheckpoint>& list = run.checkpoints;
    const RunSaves saves(run);
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!list[i].isLink() && !list[i].exportOf && saves.has(list[i])) {
            m_names[i] = seriesOf(run, list[i]);
            m_all[m_names[i]].push_back(i);
        }
    }
    m_all.erase(std::string());
    std::erase_if(m_all, [](const auto& series) { return series.second.size() < 2; });
    for (auto& [name, members] : m_all) {
        const bool byStep = std::ranges::all_of(
            members, [&](std::size_t i) { return list[i].orderNumber().has_value(); });
        for (const std::size_t i : members) {
            const auto position = byStep ? list[i].orderNumber() : asNumber(list[i].epoch);
            if (position && !position->isNothing()) {
                m_positions[i] = *position;
            }
        }
        std::ranges::stable_sort(members, [&](std::size_t a, std::size_t b) {
            return position(a).value_or(Number(-1)) > position(b).value_or(Number(-1));
        });
    }
}

bool CheckpointSeries::has(std::size_t checkpoint) const {
    return m_all.contains(m_names[checkpoint]);
}

const std::vector<std::size_t>& CheckpointSeries::of(std::size_t checkpoint) const {
    return m_all.at(m_names[checkpoint]);
}

std::optional<Number> CheckpointSeries::position(std::size_t checkpoint) const {
    const auto at = m_positions.find(checkpoint);
    return at != m_positions.end() ? std::optional(at->second) : std::nullopt;
}

std::vector<Sentence> CheckpointSeries::conflicts(const std::vector<SavedTimes>& times) const {
    const std::vector<ScannedCheckpoint>& list = m_run.checkpoints;
    std::vector<Sentence> all(list.size());
    for (const auto& [name, members] : m_all) {
        std::vector<SeriesMember> order;
        for (const std::size_t i : members) {
            if (const auto place = position(i)) {
                const bool byStep = list[i].step && *place == Number(*list[i].step);
                order.push_back({i, *place, namedPosition(list[i]), times[i].oldestNs,
                                 times[i].newestNs, times[i].settled,
                                 byStep ? list[i].epoch : std::nullopt});
            }
        }
        const auto found = seriesConflicts(order);
        for (std::size_t k = 0; k < order.size(); ++k) {
            if (found[k]) {
                all[order[k].checkpoint] = describe(found[k]->kind, list[found[k]->other].name);
            }
        }
    }
    return all;
}

} // namespace cairn
