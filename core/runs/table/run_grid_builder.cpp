// SPDX-License-Identifier: Apache-2.0
#include "core/runs/table/run_grid_builder.h"

#include "core/io/folder.h"
#include "core/runs/compare/compare.h"
#include "core/runs/compare/setting_words.h"
#include "core/runs/history/checkpoint_values/checkpoint_values.h"
#include "core/runs/run_counts.h"
#include "core/runs/table/run_grid_values.h"
#include "core/runs/table/run_row.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace cairn {
namespace {

/// Whether the text of every run contains the run's own name: "outputs/lr-1e-3_seed-2".
bool containsNames(const GridSetting& setting, const std::vector<GridRow>& rows) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (setting.ofRow[row] == GridSetting::kNoValue) {
            continue;
        }
        const SettingValue& value = setting.values[setting.ofRow[row]];
        const std::string name = rows[row].path.filename().string();
        constexpr std::size_t kShortest = 3; // "1" is in many texts
        if (value.number || name.size() < kShortest || value.text.find(name) == std::string::npos) {
            return false;
        }
    }
    return setting.values.size() > 1;
}

std::string stateOf(const ScannedRun& run, const ScannedCheckpoint* newest) {
    const ScannedCheckpoint* last = nullptr;
    for (const ScannedCheckpoint& each : run.checkpoints) {
        last = each.isLink() || each.isExport ? last : &each;
    }
    const bool saving = last != nullptr && last->state == CheckpointState::BeingWritten;
    const ScannedCheckpoint* shown = saving ? last : newest;
    return shown != nullptr ? std::string(stateName(shown->state)) : "no-checkpoints";
}

} // namespace

std::string lowerCase(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return result;
}

void RunGridBuilder::build(std::span<const GridSource> sources) {
    std::map<std::string, std::size_t> rankingMetrics;
    for (std::uint32_t s = 0; s < sources.size(); ++s) {
        const Experiment& experiment = *sources[s].experiment;
        const bool sameName = std::ranges::count_if(sources, [&](const GridSource& each) {
                                  return each.experiment->name == experiment.name;
                              }) > 1;
        const std::string prefix = sources.size() == 1 ? std::string()
                                   : sameName          ? experiment.path.string() + "/"
                                                       : experiment.name + "/";
        m_grid.m_tables.push_back(sources[s].table);
        for (std::size_t run = 0; run < experiment.runs.size(); ++run) {
            addRow(sources[s], s, run, prefix);
            const std::string& rankingMetric = experiment.runs[run].scoreMetric();
            rankingMetrics[rankingMetric] += rankingMetric.empty() ? 0U : 1U;
        }
    }
    finishSettings();
    rankingMetrics.erase(std::string());
    finishMetrics(rankingMetrics);
}

void RunGridBuilder::addRow(const GridSource& source, std::uint32_t sourceIndex, std::size_t index,
                            const std::string& prefix) {
    const ScannedRun& run = source.experiment->runs[index];
    const RunTable* table = source.table.get();
    const RunRow* known = table == nullptr ? nullptr
                          : index < table->rows.size() && table->rows[index].id == run.id
                              ? &table->rows[index]
                              : table->find(run.id);
    GridRow row;
    const bool isWhole = run.id == "." && !prefix.empty(); // the experiment itself is the run
    row.id = isWhole ? prefix.substr(0, prefix.size() - 1) : prefix + run.id;
    row.name = isWhole ? row.id : prefix + run.name;
    row.path = run.path;
    row.source = sourceIndex;
    row.run = static_cast<std::uint32_t>(index);
    row.bytes = run.bytes();
    row.checkpoints = savesOf(run);
    for (std::uint32_t i = 0; i < run.checkpoints.size(); ++i) {
        const ScannedCheckpoint& each = run.checkpoints[i];
        const bool isNewest = each.latest || (!row.newest && !each.isLink());
        row.newest = isNewest ? std::optional(i) : row.newest;
        row.best = each.best ? std::optional(i) : row.best;
        row.step = each.step ? std::optional(std::max(row.step.value_or(*each.step), *each.step))
                             : row.step;
    }
    row.newestName = row.newest ? run.checkpoints[*row.newest].name : "";
    row.bestName = row.best ? run.checkpoints[*row.best].name : "";
    row.state = stateOf(run, row.newest ? &run.checkpoints[*row.newest] : nullptr);
    const auto at = static_cast<std::uint32_t>(m_grid.m_rows.size());
    if (known != nullptr) {
        if (known->lastStep) {
            row.step = std::max(row.step.value_or(*known->lastStep), *known->lastStep);
        }
        row.started = known->firstWall;
        if (known->firstWall && known->lastWall) {
            row.duration = *known->lastWall - *known->firstWall;
        }
        row.settingsCut = known->settingsCut;
        addSettings(*known, at);
    }
    m_grid.m_rows.push_back(std::move(row));
    m_grid.m_tableRows.push_back(known);
    addMetrics(known);
    addCheckpointNumbers(run, at);
}

void RunGridBuilder::addSettings(const RunRow& row, std::uint32_t at) {
    for (const RowSetting& each : row.settings) {
        const auto [place, isNew] =
            m_grid.m_settingAt.emplace(each.key, static_cast<std::uint32_t>(m_given.size()));
        if (isNew) {
            m_given.emplace_back();
        }
        m_given[place->second].emplace_back(at, &each);
    }
}

void RunGridBuilder::finishSettings() {
    std::vector<GridSetting> settings(m_given.size());
    for (const auto& [key, index] : m_grid.m_settingAt) {
        GridSetting& setting = settings[index];
        setting.key = key;
        setting.runs = m_given[index].size();
        setting.ofRow.assign(m_grid.m_rows.size(), GridSetting::kNoValue);
        collectValues(setting, m_given[index]);
        setting.isIdentity = namesRun(key) || containsNames(setting, m_grid.m_rows);
    }
    std::unordered_map<std::string, int> rank;
    for (const GridSetting& each : settings) {
        rank.emplace(each.key, settingRank(each.key));
    }
    std::ranges::sort(settings, [&](const GridSetting& a, const GridSetting& b) {
        const auto tier = [](const GridSetting& each) {
            return !each.differs() ? 3 : each.isIdentity ? 2 : each.values.size() < 2 ? 1 : 0;
        };
        return tier(a) != tier(b)                 ? tier(a) < tier(b)
               : rank.at(a.key) != rank.at(b.key) ? rank.at(a.key) < rank.at(b.key)
                                                  : metricNameLess(a.key, b.key);
    });
    for (std::uint32_t i = 0; i < settings.size(); ++i) {
        m_grid.m_settingAt[settings[i].key] = i;
        m_grid.m_differing += settings[i].differs() ? 1U : 0U;
    }
    m_grid.m_settings = std::move(settings);
}

std::uint32_t RunGridBuilder::metricNamed(const std::string& name) {
    const auto [place, isNew] =
        m_grid.m_metricAt.emplace(name, static_cast<std::uint32_t>(m_grid.m_metrics.size()));
    if (isNew) {
        m_grid.m_metrics.push_back({name, names::directionOf(name), metricRank(name), 0});
        m_agreed.emplace_back();
    }
    return place->second;
}

void RunGridBuilder::agree(std::uint32_t metric, names::Direction better) {
    m_agreed[metric] =
        m_agreed[metric].value_or(better) == better ? better : names::Direction::Unknown;
}

void RunGridBuilder::addMetrics(const RunRow* row) {
    const void* names = row != nullptr ? row->names.get() : nullptr;
    const std::size_t count = row != nullptr ? row->cells.size() : 0;
    const auto [list, isNew] = m_lists.emplace(std::pair(names, count),
                                               static_cast<std::uint32_t>(m_grid.m_cellOf.size()));
    if (isNew) {
        auto& cells = m_grid.m_cellOf.emplace_back();
        m_agreedByName.push_back(false);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t metric = metricNamed((*row->names)[i]);
            cells.resize(std::max<std::size_t>(cells.size(), metric + 1U), RunGrid::kNoCell);
            if (cells[metric] == RunGrid::kNoCell) { // series with the same name are adjacent
                cells[metric] = static_cast<std::uint32_t>(i);
            }
        }
    }
    m_grid.m_listOf.push_back(list->second);
    m_grid.m_extras.emplace_back();
    if (row != nullptr) {
        agreeOnDirections(list->second, row);
    }
}

void RunGridBuilder::agreeOnDirections(std::uint32_t list, const RunRow* row) {
    if (row->goals.empty() && m_agreedByName[list]) {
        return;
    }
    m_agreedByName[list] = m_agreedByName[list] || row->goals.empty();
    const std::vector<std::uint32_t>& cells = m_grid.m_cellOf[list];
    for (std::uint32_t metric = 0; metric < cells.size(); ++metric) {
        if (cells[metric] != RunGrid::kNoCell) {
            const GridMetric& known = m_grid.m_metrics[metric]; // `better`: still that of the name
            const auto goal = std::ranges::find_if(
                row->goals, [&](const MetricGoal& each) { return each.isOf(known.name); });
            agree(metric, goal != row->goals.end() ? goal->better : known.better);
        }
    }
}

void RunGridBuilder::addCheckpointNumbers(const ScannedRun& run, std::uint32_t at) {
    const bool any = std::ranges::any_of(
        run.checkpoints, [](const ScannedCheckpoint& each) { return !each.metrics.empty(); });
    if (!any) {
        return;
    }
    RunHistory history;
    addCheckpointValues(history, run);
    for (const MetricSeries& series : history.series) {
        const std::uint32_t metric = metricNamed(series.name);
        if (m_grid.cellAt(at, metric) == nullptr && series.size() > 0) {
            const names::Direction better = names::directionOf(series.name);
            m_grid.m_extras[at].push_back({metric, metricCell(series, better)});
            agree(metric, better);
        }
    }
}

void RunGridBuilder::finishMetrics(const std::map<std::string, std::size_t>& rankingMetrics) {
    auto& metrics = m_grid.m_metrics;
    std::vector<std::uint32_t> order(metrics.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return metrics[a].rank != metrics[b].rank
                   ? metrics[a].rank < metrics[b].rank
                   : metricNameLess(metrics[a].name, metrics[b].name);
    });
    std::vector<std::uint32_t> rank(order.size());
    std::vector<GridMetric> sorted;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        rank[order[i]] = i;
        sorted.push_back(std::move(metrics[order[i]]));
        sorted.back().better = m_agreed[order[i]].value_or(sorted.back().better);
        m_grid.m_metricAt[sorted.back().name] = i;
    }
    metrics = std::move(sorted);
    for (auto& cells : m_grid.m_cellOf) {
        std::vector<std::uint32_t> moved(metrics.size(), RunGrid::kNoCell);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            moved[rank[i]] = cells[i];
        }
        cells = std::move(moved);
    }
    std::vector<std::size_t> runsOfList(m_grid.m_cellOf.size());
    for (std::size_t row = 0; row < m_grid.m_rows.size(); ++row) {
        ++runsOfList[m_grid.m_listOf[row]];
        for (auto& extra : m_grid.m_extras[row]) {
            extra.metric = rank[extra.metric];
            ++metrics[extra.metric].runs;
        }
    }
    for (std::size_t list = 0; list < runsOfList.size(); ++list) {
        for (std::size_t i = 0; i < metrics.size(); ++i) {
            metrics[i].runs += m_grid.m_cellOf[list][i] != RunGrid::kNoCell ? runsOfList[list] : 0;
        }
    }
    // The lead: by most runs, then by rank.
    std::size_t most = 0;
    for (const auto& [name, runs] : rankingMetrics) {
        const auto at = m_grid.m_metricAt.find(name);
        if (at != m_grid.m_metricAt.end() &&
            (runs > most || (runs == most && at->second < *m_grid.m_lead))) {
            most = runs;
            m_grid.m_lead = at->second;
        }
    }
    const auto first = std::ranges::find_if(
        metrics, [](const GridMetric& each) { return each.better != names::Direction::Unknown; });
    if (!m_grid.m_lead && first != metrics.end()) {
        m_grid.m_lead = static_cast<std::size_t>(first - metrics.begin());
    }
}

} // namespace cairn
