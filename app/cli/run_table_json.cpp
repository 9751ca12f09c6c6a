// SPDX-License-Identifier: Apache-2.0
#include "app/cli/explain_output.h"
#include "app/cli/history_groups.h"
#include "app/cli/json_output.h"
#include "app/cli/run_listing.h"
#include "app/cli/run_table_output.h"
#include "app/cli/run_table_view.h"

#include <algorithm>

namespace cairn::cli {
namespace {

void writeNumberOrNull(JsonWriter& json, std::string_view name,
                       const std::optional<double>& number) {
    json.key(name);
    number ? json.number(*number) : json.null();
}

void writeStep(JsonWriter& json, std::string_view name, const std::optional<double>& step) {
    json.key(name);
    writeEpoch(json, step);
}

/// The settings or metrics to write: the chosen ones, else all.
std::vector<std::size_t> indicesOf(const RunView& view, GridColumn::Kind kind, std::size_t all) {
    std::vector<std::size_t> indices;
    for (const GridColumn column : view.columns) {
        if (view.chosen && column.kind == kind &&
            std::ranges::find(indices, std::size_t{column.index}) == indices.end()) {
            indices.push_back(column.index);
        }
    }
    for (std::size_t i = 0; !view.chosen && i < all; ++i) {
        indices.push_back(i);
    }
    return indices;
}

void writeRow(JsonWriter& json, const RunGrid& grid, std::uint32_t at, const RunView& view) {
    const GridRow& row = grid.rows()[at];
    json.beginObject();
    json.member("id", row.id);
    json.member("name", row.name);
    json.member("path", row.path.string());
    json.member("n", 1);
    json.key("settings");
    json.beginObject();
    for (const std::size_t i : indicesOf(view, GridColumn::Kind::Setting, grid.settings().size())) {
        if (const SettingValue* value = grid.setting(at, i)) {
            writeSetting(json, grid.settings()[i].key, value->value);
        }
    }
    json.endObject();
    json.key("metrics");
    json.beginObject();
    for (const std::size_t i : indicesOf(view, GridColumn::Kind::Metric, grid.metrics().size())) {
        if (const auto figures = grid.metric(at, i)) {
            json.key(grid.metrics()[i].name);
            json.beginObject();
            json.key("last");
            writeExact(json, {figures->last, figures->lastRest});
            json.key("last_step");
            writeExact(json, {figures->lastStep, figures->lastStepRest}, Numbers::Steps);
            json.key("best");
            figures->best ? writeExact(json, {*figures->best, figures->bestRest}) : json.null();
            json.key("best_step");
            figures->best
                ? writeExact(json, {figures->bestStep, figures->bestStepRest}, Numbers::Steps)
                : json.null();
            json.member("points", figures->points);
            json.endObject();
        }
    }
    json.endObject();
    json.member("checkpoints", row.checkpoints);
    json.member("bytes", row.bytes);
    json.member("state", row.state);
    json.key("step");
    row.step ? json.integer(*row.step) : json.null();
    writeNumberOrNull(json, "duration_seconds", row.duration);
    writeNumberOrNull(json, "started", row.started);
    json.memberOrNull("newest", row.newestName);
    json.memberOrNull("best", row.bestName);
    json.endObject();
}

void writeGroupMetric(JsonWriter& json, const RunGrid& grid, const RunGroup& group,
                      std::size_t metric) {
    const Figures value = groupFigures(grid, group, GridColumn::metric(metric));
    if (value.n + value.nan == 0) {
        return;
    }
    const GridMetric& named = grid.metrics()[metric];
    const auto best = bestRowOf(grid, group.rows, metric);
    const Figures last = groupFigures(grid, group, GridColumn::metric(metric, MetricPart::Last));
    json.key(named.name);
    json.beginObject();
    json.member("last", last.of(Aggregate::Mean));
    json.key("best");
    if (best) {
        const auto figures = grid.metric(*best, metric);
        json.number(*figures->best);
        writeStep(json, "best_step", figures->bestStep);
        json.member("best_run", grid.rows()[*best].id);
    } else {
        json.null();
        writeStep(json, "best_step", std::nullopt);
        json.memberOrNull("best_run", std::string_view());
    }
    json.member("of", named.better != names::Direction::Unknown ? "best" : "last");
    json.member("n", value.n);
    json.member("nan", value.nan);
    for (std::size_t i = 0; i < kAggregates; ++i) {
        const auto each = static_cast<Aggregate>(i);
        json.member(aggregateName(each), value.of(each));
    }
    json.member("last_std", last.of(Aggregate::Std));
    json.endObject();
}

void writeGroup(JsonWriter& json, const RunGrid& grid, const RunView& view, const RunGroup& group) {
    json.beginObject();
    const std::string label = groupLabel(grid, view.groups, group);
    json.member("id", label.empty() ? "all" : label);
    writeGroupKey(json, "group", grid, view.groups, group);
    json.member("n", group.rows.size());
    json.key("runs");
    json.beginArray();
    std::uint64_t bytes = 0;
    std::size_t checkpoints = 0;
    for (const std::uint32_t row : group.rows) {
        json.string(grid.rows()[row].id);
        bytes += grid.rows()[row].bytes;
        checkpoints += grid.rows()[row].checkpoints;
    }
    json.endArray();
    json.key("settings"); // that all runs of the group have in common
    json.beginObject();
    for (const std::size_t i : indicesOf(view, GridColumn::Kind::Setting, grid.settings().size())) {
        const SettingValue* value = grid.setting(group.rows.front(), i);
        const bool same = std::ranges::all_of(
            group.rows, [&](std::uint32_t row) { return grid.setting(row, i) == value; });
        if (value != nullptr && same) {
            writeSetting(json, grid.settings()[i].key, value->value);
        }
    }
    json.endObject();
    json.key("metrics");
    json.beginObject();
    for (const std::size_t i : indicesOf(view, GridColumn::Kind::Metric, grid.metrics().size())) {
        writeGroupMetric(json, grid, group, i);
    }
    json.endObject();
    json.member("checkpoints", checkpoints);
    json.member("bytes", bytes);
    json.member("state", commonState(grid, group));
    json.endObject();
}

} // namespace

std::string commonState(const RunGrid& grid, const RunGroup& group) {
    const std::string& first = grid.rows()[group.rows.front()].state;
    const bool same = std::ranges::all_of(
        group.rows, [&](std::uint32_t row) { return grid.rows()[row].state == first; });
    return same ? first : "mixed";
}

void writeGroupKey(JsonWriter& json, std::string_view name, const RunGrid& grid,
                   const RunGroups& groups, const RunGroup& group) {
    json.key(name);
    json.beginObject();
    for (std::size_t i = 0; i < groups.settings.size(); ++i) {
        const GridSetting& setting = grid.settings()[groups.settings[i]];
        writeSetting(json, setting.key,
                     group.key[i] != GridSetting::kNoValue ? setting.values[group.key[i]].value
                                                           : Value());
    }
    json.endObject();
}

void writeTable(const RunGrid& grid, const RunView& view,
                const std::optional<MetricExplanation>& explanation,
                std::span<const Notice> notices, std::string_view path, Session& session) {
    JsonDocument document(session.out);
    document->member("path", path);
    document->key("columns");
    document->beginArray();
    for (const GridColumn column : view.columns) {
        document->string(grid.nameOf(column));
    }
    document->endArray();
    document->key("rows");
    document->beginArray();
    if (view.grouped) {
        for (const RunGroup& group : view.groups.groups) {
            writeGroup(*document, grid, view, group);
        }
    } else {
        for (const std::uint32_t row : view.rows) {
            writeRow(*document, grid, row, view);
        }
    }
    document->endArray();
    if (explanation) {
        writeExplanation(*document, grid, *explanation);
    }
    writeNotices(*document, "notices", notices);
    document.finish();
}

} // namespace cairn::cli
