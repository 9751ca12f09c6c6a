// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/history.h"

#include <algorithm>
#include <set>
#include <utility>

namespace cairn {

void MetricSeries::share() {
    for (Column<double>* column :
         {&steps, &values, &epochs, &wall, &replaced.steps, &replaced.values}) {
        column->share();
    }
    for (Column<std::uint32_t>* column :
         {&from, &attempts, &replaced.sources, &replaced.attempts}) {
        column->share();
    }
    for (Column<std::int16_t>* column :
         {&stepRests, &valueRests, &replaced.stepRests, &replaced.valueRests}) {
        column->share();
    }
    restarts.share();
}
bool HistoryCandidate::hasEntry(std::string_view entry) const {
    return std::any_of(entries.begin(), entries.end(),
                       [&](const FolderEntry& each) { return each.name == entry; });
}

const HistoryReader* findHistoryReader(std::string_view id) {
    for (const HistoryReader* reader : historyReaders()) {
        if (reader->id == id) {
            return reader;
        }
    }
    return nullptr;
}

std::string_view stepsFromName(StepsFrom from) {
    switch (from) {
    case StepsFrom::Source:
        return "step";
    case StepsFrom::Epoch:
        return "epoch";
    case StepsFrom::Count:
        return "count";
    }
    return "count";
}

std::vector<std::uint32_t> sourcesOf(const MetricSeries& series) {
    std::vector<std::uint32_t> sources;
    const auto add = [&](std::uint32_t source) {
        if (std::ranges::find(sources, source) == sources.end()) {
            sources.push_back(source);
        }
    };
    std::ranges::for_each(series.replaced.sources, add);
    std::ranges::for_each(series.from, add);
    add(series.source);
    return sources;
}

std::vector<std::size_t> restartsOf(const MetricSeries& series) {
    std::vector<std::size_t> restarts;
    for (std::size_t i = 1; i < series.steps.size(); ++i) {
        if (series.stepAt(i) < series.stepAt(i - 1)) {
            restarts.push_back(i);
        }
    }
    return restarts;
}

bool metricNameLess(std::string_view left, std::string_view right) {
    return naturalLess(left, right) || (!naturalLess(right, left) && left < right);
}

std::span<const MetricSeries> RunHistory::named(std::string_view name) const {
    const auto begin = std::lower_bound(series.begin(), series.end(), name,
                                        [](const MetricSeries& each, std::string_view wanted) {
                                            return metricNameLess(each.name, wanted);
                                        });
    return {begin, std::find_if_not(begin, series.end(),
                                    [&](const MetricSeries& each) { return each.name == name; })};
}

const MetricSeries* RunHistory::primary(std::string_view name) const {
    const std::span<const MetricSeries> sorted = named(name);
    const MetricSeries* most = nullptr;
    for (const MetricSeries& each : sorted.empty() ? std::span(series) : sorted) {
        if (each.name == name && (most == nullptr || each.size() > most->size())) {
            most = &each;
        }
    }
    return most;
}

std::vector<std::string> RunHistory::names() const {
    std::set<std::string_view> distinct;
    for (const MetricSeries& each : series) {
        distinct.insert(each.name);
    }
    std::vector<std::pair<int, std::string>> ranked;
    for (const std::string_view name : distinct) {
        ranked.emplace_back(metricRank(name), name);
    }
    std::ranges::sort(ranked, [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : naturalLess(a.second, b.second);
    });
    std::vector<std::string> names;
    for (auto& [rank, name] : ranked) {
        names.push_back(std::move(name));
    }
    return names;
}

} // namespace cairn
