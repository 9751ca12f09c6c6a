// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_table_view.h"
#include "app/cli/text_table.h"
#include "app/cli/value_text.h"
#include "core/base/counted.h"
#include "core/base/visible_text.h"
#include "core/runs/table/run_grid_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

namespace cairn::cli {
namespace {

std::string durationText(double seconds) {
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    const std::int64_t minutes = whole / 60;
    if (minutes == 0) {
        return std::to_string(whole) + " s";
    }
    return minutes < 60
               ? std::to_string(minutes) + " min"
               : std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

std::string timeText(double seconds) {
    const auto time = static_cast<std::time_t>(seconds);
    std::tm parts{};
    std::array<char, 32> text{};
    if (::localtime_r(&time, &parts) == nullptr ||
        std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts) == 0) {
        return {};
    }
    return text.data();
}

std::string cellText(GridColumn column, const FilterCell& cell) {
    if (!cell.text.empty() || !cell.number) {
        return std::string(cell.text);
    }
    if (cell.rest != 0 && column != GridColumn::of(RunFact::Bytes)) {
        return exactText({*cell.number, cell.rest});
    }
    if (column.kind == GridColumn::Kind::Metric) {
        const bool isStep =
            column.part == MetricPart::BestStep || column.part == MetricPart::LastStep;
        return isStep                     ? numberText(*cell.number)
               : std::isnan(*cell.number) ? "nan"
                                          : figureText(*cell.number);
    }
    switch (static_cast<RunFact>(column.index)) {
    case RunFact::Bytes:
        return formatBytes(static_cast<std::uint64_t>(*cell.number));
    case RunFact::Duration:
        return durationText(*cell.number);
    case RunFact::Started:
        return timeText(*cell.number);
    default: // of a group, a mean
        return std::floor(*cell.number) == *cell.number ? numberText(*cell.number)
                                                        : figureText(*cell.number);
    }
}

/// Columns with their titles, which TextTable refers to.
struct Titles {
    std::vector<std::string> texts;
    std::vector<Column> columns;
    void finish(const std::vector<bool>& right) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            columns.push_back({texts[i], right[i] ? Align::Right : Align::Left});
        }
    }
};

std::string titleOf(const RunGrid& grid, GridColumn column) {
    std::string title = grid.nameOf(column);
    if (column.kind == GridColumn::Kind::Fact) {
        std::ranges::transform(title, title.begin(), [](char c) {
            return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        });
    } else if (column.kind == GridColumn::Kind::Metric && column.part == MetricPart::Value &&
               grid.metrics()[column.index].better != names::Direction::Unknown) {
        title += " (best)";
    }
    return visibleText(title);
}

std::string spreadText(const Figures& figures) {
    if (figures.n == 0) {
        return figures.nan > 0 ? "nan" : "";
    }
    std::string text = figureText(figures.of(Aggregate::Mean));
    if (figures.n > 1) {
        text += " ± " + figureText(figures.of(Aggregate::Std));
    }
    return text;
}

std::string groupCellText(const RunGrid& grid, const RunGroup& group, GridColumn column) {
    const Figures figures = groupFigures(grid, group, column, {Aggregate::Mean, Aggregate::Std});
    if (column.kind == GridColumn::Kind::Metric) {
        return spreadText(figures);
    }
    const bool isSum =
        column == GridColumn::of(RunFact::Bytes) || column == GridColumn::of(RunFact::Checkpoints);
    if (isSum || column.kind == GridColumn::Kind::Fact) {
        const double mean = figures.of(Aggregate::Mean);
        return figures.n > 0 ? cellText(column, {isSum ? mean * figures.n : mean, {}})
               : column == GridColumn::of(RunFact::State) ? commonState(grid, group)
                                                          : std::string();
    }
    const SettingValue* value = grid.setting(group.rows.front(), column.index);
    const bool same = std::ranges::all_of(
        group.rows, [&](std::uint32_t row) { return grid.setting(row, column.index) == value; });
    return !same ? "…" : value != nullptr ? value->shown : "";
}

} // namespace

void printRuns(const RunGrid& grid, const RunView& view, Session& session) {
    Titles titles{{"RUN"}, {}};
    std::vector<bool> right{false};
    for (std::size_t i = 0; i < view.columns.size(); ++i) {
        titles.texts.push_back(titleOf(grid, view.columns[i]));
        right.push_back(grid.isNumeric(view.columns[i]));
    }
    titles.finish(right);
    TextTable table(titles.columns);
    for (const std::uint32_t row : view.rows) {
        std::vector<std::string> cells{grid.rows()[row].name};
        for (const GridColumn column : view.columns) {
            FilterCell cell = grid.cell(row, column);
            cell.text = grid.shown(row, column);
            cells.push_back(cellText(column, cell));
        }
        table.add(std::move(cells));
    }
    table.print(session);
    if (!session.quiet) {
        session.out.line("");
        session.out.line(counted(view.rows.size(), "run") + " of " +
                         std::to_string(grid.rows().size()));
    }
}

void printGroups(const RunGrid& grid, const RunView& view, Session& session) {
    Titles titles{{"GROUP", "N"}, {}};
    std::vector<bool> right{false, true};
    std::vector<GridColumn> columns;
    for (const GridColumn column : view.columns) {
        const bool isKey = column.kind == GridColumn::Kind::Setting &&
                           std::ranges::find(view.groups.settings, std::size_t{column.index}) !=
                               view.groups.settings.end();
        const bool isOfOne = column == GridColumn::of(RunFact::Newest) ||
                             column == GridColumn::of(RunFact::Best) ||
                             column == GridColumn::of(RunFact::Name);
        if (!isKey && !isOfOne && (view.chosen || column.kind != GridColumn::Kind::Setting)) {
            columns.push_back(column);
            titles.texts.push_back(titleOf(grid, column));
            right.push_back(column.kind != GridColumn::Kind::Setting);
        }
    }
    titles.finish(right);
    TextTable table(titles.columns);
    for (const RunGroup& group : view.groups.groups) {
        const std::string label = groupLabel(grid, view.groups, group);
        std::vector<std::string> cells{label.empty() ? "all"
                                                     : elideMiddle(label, TextTable::kMaxWidth),
                                       std::to_string(group.rows.size())};
        for (const GridColumn column : columns) {
            cells.push_back(groupCellText(grid, group, column));
        }
        table.add(std::move(cells));
    }
    table.print(session);
    if (!session.quiet) {
        session.out.line("");
        session.out.line(counted(view.groups.groups.size(), "group") + ", " +
                         counted(view.rows.size(), "run") + "; metrics as mean ± std");
    }
}

TextGrid exactView(const RunGrid& grid, const RunView& view) {
    if (view.grouped) {
        return exactText(grid, view.groups, view.columns);
    }
    std::vector<GridColumn> columns = view.columns;
    if (std::ranges::find(columns, GridColumn::of(RunFact::Name)) == columns.end()) {
        columns.insert(columns.begin(), GridColumn::of(RunFact::Name));
    }
    return exactText(grid, view.rows, columns);
}

void printCsv(const RunGrid& grid, const RunView& view, Session& session) {
    session.out.write(csvText(exactView(grid, view)));
}

} // namespace cairn::cli
