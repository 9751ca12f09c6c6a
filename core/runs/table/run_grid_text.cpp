// SPDX-License-Identifier: Apache-2.0
#include "core/runs/table/run_grid_text.h"

#include "core/base/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace cairn {
namespace {

std::string exactCell(const FilterCell& cell) {
    return !cell.text.empty() ? std::string(cell.text)
           : cell.rest != 0   ? Number{*cell.number, cell.rest}.digits()
           : cell.number      ? exactNumber(*cell.number)
                              : std::string();
}

bool isKeyOf(const RunGroups& groups, GridColumn column) {
    return column.kind == GridColumn::Kind::Setting &&
           std::ranges::find(groups.settings, std::size_t{column.index}) != groups.settings.end();
}

bool isSummed(GridColumn column) {
    return column == GridColumn::of(RunFact::Bytes) ||
           column == GridColumn::of(RunFact::Checkpoints);
}

std::string commonText(const RunGrid& grid, const RunGroup& group, GridColumn column) {
    std::string common;
    for (std::size_t i = 0; i < group.rows.size(); ++i) {
        std::string text = exactCell(grid.cell(group.rows[i], column));
        if (i > 0 && text != common) {
            return {};
        }
        common = std::move(text);
    }
    return common;
}

std::string knownNumber(double number, std::uint32_t n) {
    return n == 0 || std::isnan(number) ? std::string() : exactNumber(number);
}

void addGroupCells(std::vector<std::string>& cells, const RunGrid& grid, const RunGroup& group,
                   GridColumn column) {
    if (!grid.isNumeric(column)) {
        cells.push_back(commonText(grid, group, column));
        return;
    }
    const Figures figures = groupFigures(grid, group, column, {Aggregate::Mean, Aggregate::Std});
    const double mean = figures.of(Aggregate::Mean);
    if (column.kind == GridColumn::Kind::Metric) {
        cells.push_back(std::to_string(figures.n));
        cells.push_back(knownNumber(mean, figures.n));
        cells.push_back(knownNumber(figures.of(Aggregate::Std), figures.n));
    } else if (isSummed(column)) {
        double sum = 0;
        for (const std::uint32_t row : group.rows) {
            sum += grid.number(row, column).value_or(0);
        }
        cells.push_back(exactNumber(sum));
    } else {
        cells.push_back(knownNumber(mean, figures.n));
    }
}

std::string quotedCell(const std::string& cell, char separator) {
    if (cell.find_first_of("\"\r\n") == std::string::npos &&
        cell.find(separator) == std::string::npos) {
        return cell;
    }
    std::string quoted = "\"";
    for (const char c : cell) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + '"';
}

std::string separated(const TextGrid& grid, char separator, std::string_view end) {
    std::string text;
    const auto line = [&](const std::vector<std::string>& cells) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            text += i > 0 ? std::string(1, separator) : std::string();
            text += quotedCell(cells[i], separator);
        }
        text += end;
    };
    line(grid.titles);
    std::ranges::for_each(grid.rows, line);
    return text;
}

} // namespace

std::string exactNumber(double number) {
    if (!std::isfinite(number)) {
        return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
    }
    std::array<char, 32> text{};
    constexpr double kLargest = 9e15;
    const bool isInteger = std::floor(number) == number && std::abs(number) < kLargest;
    const auto end = isInteger ? std::to_chars(text.data(), text.data() + text.size(),
                                               static_cast<std::int64_t>(number))
                               : std::to_chars(text.data(), text.data() + text.size(), number);
    return {text.data(), end.ptr};
}

TextGrid exactText(const RunGrid& grid, std::span<const std::uint32_t> rows,
                   std::span<const GridColumn> columns) {
    TextGrid text;
    for (const GridColumn column : columns) {
        text.titles.push_back(grid.nameOf(column));
        text.isNumber.push_back(grid.isNumeric(column));
    }
    for (const std::uint32_t row : rows) {
        auto& cells = text.rows.emplace_back();
        for (const GridColumn column : columns) {
            cells.push_back(exactCell(grid.cell(row, column)));
        }
    }
    return text;
}

TextGrid exactText(const RunGrid& grid, const RunGroups& groups,
                   std::span<const GridColumn> columns) {
    TextGrid text;
    const auto title = [&](std::string name, bool isNumber) {
        text.titles.push_back(std::move(name));
        text.isNumber.push_back(isNumber);
    };
    std::vector<GridColumn> shown;
    std::ranges::copy_if(columns, std::back_inserter(shown), [&](GridColumn column) {
        return !isKeyOf(groups, column) && column != GridColumn::of(RunFact::Name);
    });
    title("group", false);
    title("n", true);
    for (const std::size_t setting : groups.settings) {
        title(grid.nameOf(GridColumn::setting(setting)), grid.settings()[setting].isNumeric);
    }
    for (const GridColumn column : shown) {
        const std::string name = grid.nameOf(column);
        if (column.kind == GridColumn::Kind::Metric) {
            title(name + ".n", true);
            title(name + ".mean", true);
            title(name + ".std", true);
        } else {
            title(name, grid.isNumeric(column));
        }
    }
    for (const RunGroup& group : groups.groups) {
        auto& cells = text.rows.emplace_back();
        cells.push_back(groupLabel(grid, groups, group));
        cells.push_back(std::to_string(group.rows.size()));
        for (std::size_t i = 0; i < groups.settings.size(); ++i) {
            const GridSetting& setting = grid.settings()[groups.settings[i]];
            cells.push_back(group.key[i] != GridSetting::kNoValue
                                ? setting.values[group.key[i]].text
                                : std::string());
        }
        for (const GridColumn column : shown) {
            addGroupCells(cells, grid, group, column);
        }
    }
    return text;
}

std::string csvText(const TextGrid& grid) {
    return separated(grid, ',', "\r\n");
}

std::string tsvText(const TextGrid& grid) {
    return separated(grid, '\t', "\n");
}

std::string markdownText(const TextGrid& grid) {
    std::string text;
    const auto line = [&](const std::vector<std::string>& cells) {
        text += '|';
        for (const std::string& cell : cells) {
            text += ' ';
            for (const char c : cell) {
                text += c == '|' ? "\\|" : c == '\n' || c == '\r' ? " " : std::string(1, c);
            }
            text += " |";
        }
        text += '\n';
    };
    line(grid.titles);
    text += '|';
    for (const bool isNumber : grid.isNumber) {
        text += isNumber ? " ---: |" : " --- |";
    }
    text += '\n';
    std::ranges::for_each(grid.rows, line);
    return text;
}

} // namespace cairn
