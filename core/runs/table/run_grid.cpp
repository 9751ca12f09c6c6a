// SPDX-License-Identifier: Apache-2.0
#include "core/runs/table/run_grid.h"

#include "core/base/number.h"
#include "core/io/folder.h"
#include "core/runs/table/run_grid_builder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace cairn {
namespace {

constexpr auto kFactNames = std::to_array<std::string_view>(
    {"name", "state", "step", "checkpoints", "bytes", "duration", "started", "newest", "best"});
static_assert(kFactNames.size() == kRunFacts);

const CurveOutline kNoOutline;

FilterCell cellOf(const Number& number) {
    return {number.nearest, {}, number.rest};
}

FilterCell factOf(const GridRow& row, RunFact fact) {
    switch (fact) {
    case RunFact::Name:
        return {{}, row.name};
    case RunFact::State:
        return {{}, row.state};
    case RunFact::Step:
        return row.step ? cellOf(Number(*row.step)) : FilterCell();
    case RunFact::Checkpoints:
        return {static_cast<double>(row.checkpoints), {}};
    case RunFact::Bytes:
        return cellOf(Number(std::uint64_t{row.bytes}));
    case RunFact::Duration:
        return {row.duration, {}};
    case RunFact::Started:
        return {row.started, {}};
    case RunFact::Newest:
        return {{}, row.newestName};
    case RunFact::Best:
        break;
    }
    return {{}, row.bestName};
}

/// A run without a finite value has a NaN as its best one: it diverged, which is not the same as a
/// run without the metric.
FilterCell partOf(const MetricFigures& figures, bool hasDirection, MetricPart part) {
    constexpr double kDiverged = std::numeric_limits<double>::quiet_NaN();
    const FilterCell last{figures.last, {}, figures.lastRest};
    const FilterCell best{figures.best.value_or(kDiverged), {}, figures.bestRest};
    switch (part) {
    case MetricPart::Value:
        return hasDirection ? best : last;
    case MetricPart::Last:
        return last;
    case MetricPart::Best:
        return hasDirection ? best : FilterCell();
    case MetricPart::BestStep:
        return figures.best ? FilterCell{figures.bestStep, {}, figures.bestStepRest} : FilterCell();
    case MetricPart::LastStep:
        break;
    }
    return {figures.lastStep, {}, figures.lastStepRest};
}

} // namespace

std::string_view runFactName(RunFact fact) {
    return kFactNames[static_cast<std::size_t>(fact)];
}

RunGrid::RunGrid(std::span<const GridSource> sources) {
    RunGridBuilder(*this).build(sources);
    for (const GridRow& row : m_rows) {
        m_lowerNames.push_back(lowerCase(row.name));
    }
}

RunGrid::RunGrid(const Experiment& experiment, std::shared_ptr<const RunTable> table)
    : RunGrid(std::to_array<GridSource>({{&experiment, std::move(table)}})) {}

const SettingValue* RunGrid::setting(std::size_t row, std::size_t setting) const {
    const GridSetting& column = m_settings.at(setting);
    const std::uint32_t value = column.ofRow.at(row);
    return value != GridSetting::kNoValue ? &column.values[value] : nullptr;
}

const MetricCell* RunGrid::cellAt(std::size_t row, std::size_t metric) const {
    const std::vector<std::uint32_t>& cells = m_cellOf[m_listOf.at(row)];
    const std::uint32_t first = metric < cells.size() ? cells[metric] : kNoCell;
    if (first != kNoCell) { // of series with the same name, the one with the most points
        const RunRow& known = *m_tableRows[row];
        const std::vector<std::string>& names = *known.names;
        const MetricCell* most = &known.cells[first];
        for (std::size_t i = first + 1; i < names.size() && names[i] == names[first]; ++i) {
            most = known.cells[i].points > most->points ? &known.cells[i] : most;
        }
        if (most->points > 0) {
            return most;
        }
    }
    const auto extra = std::ranges::find(m_extras[row], metric, &ExtraCell::metric);
    return extra != m_extras[row].end() ? &extra->cell : nullptr;
}

std::optional<MetricFigures> RunGrid::metric(std::size_t row, std::size_t metric) const {
    const MetricCell* cell = cellAt(row, metric);
    if (cell == nullptr) {
        return std::nullopt;
    }
    MetricFigures figures{cell->last,      cell->lastX,    {},
                          cell->bestX,     cell->points,   cell->lastRest,
                          cell->lastXRest, cell->bestRest, cell->bestXRest};
    if (m_metrics.at(metric).better != names::Direction::Unknown && !std::isnan(cell->best)) {
        figures.best = cell->best;
    }
    return figures;
}

const CurveOutline& RunGrid::outline(std::size_t row) const {
    const RunRow* known = m_tableRows.at(row);
    return known != nullptr ? known->outline : kNoOutline;
}

FilterCell RunGrid::cell(std::size_t row, GridColumn column) const {
    switch (column.kind) {
    case GridColumn::Kind::Fact:
        return factOf(m_rows.at(row), static_cast<RunFact>(column.index));
    case GridColumn::Kind::Setting: {
        const SettingValue* value = setting(row, column.index);
        return value != nullptr ? FilterCell{value->number, value->text, value->rest}
                                : FilterCell();
    }
    case GridColumn::Kind::Metric:
        break;
    }
    const auto figures = metric(row, column.index);
    if (!figures) {
        return {};
    }
    const bool hasDirection = m_metrics[column.index].better != names::Direction::Unknown;
    return partOf(*figures, hasDirection, column.part);
}

std::string_view RunGrid::shown(std::size_t row, GridColumn column) const {
    if (column.kind == GridColumn::Kind::Setting) {
        const SettingValue* value = setting(row, column.index);
        return value != nullptr ? std::string_view(value->shown) : std::string_view();
    }
    return cell(row, column).text;
}

bool RunGrid::isNumeric(GridColumn column) const {
    if (column.kind != GridColumn::Kind::Fact) {
        return column.kind == GridColumn::Kind::Metric || m_settings.at(column.index).isNumeric;
    }
    const auto fact = static_cast<RunFact>(column.index);
    return fact != RunFact::Name && fact != RunFact::State && fact != RunFact::Newest &&
           fact != RunFact::Best;
}

std::optional<double> RunGrid::number(std::size_t row, GridColumn column) const {
    return cell(row, column).number;
}

std::vector<GridColumn> RunGrid::defaultColumns(std::size_t maxMetrics,
                                                std::size_t maxSettings) const {
    std::vector<GridColumn> columns;
    for (std::size_t i = 0; i < std::min(m_differing, maxSettings); ++i) {
        if (!m_settings[i].isIdentity) {
            columns.push_back(GridColumn::setting(i));
        }
    }
    std::vector<std::size_t> metrics;
    if (m_lead) {
        metrics.push_back(*m_lead);
    }
    constexpr int kBookkeeping = 90;
    for (std::size_t i = 0; i < m_metrics.size() && metrics.size() < maxMetrics; ++i) {
        if (i != m_lead && m_metrics[i].rank < kBookkeeping) {
            metrics.push_back(i);
        }
    }
    for (const std::size_t each : metrics) {
        columns.push_back(GridColumn::metric(each));
        if (each == m_lead && m_metrics[each].better != names::Direction::Unknown) {
            columns.push_back(GridColumn::metric(each, MetricPart::Last));
        }
    }
    for (const RunFact fact :
         {RunFact::State, RunFact::Step, RunFact::Duration, RunFact::Bytes, RunFact::Newest}) {
        columns.push_back(GridColumn::of(fact));
    }
    std::erase_if(columns, [&](GridColumn column) {
        return std::ranges::none_of(allRuns(*this), [&](std::uint32_t row) {
            const FilterCell value = cell(row, column);
            return value.number || !value.text.empty();
        });
    });
    return columns;
}

Result<std::vector<std::uint32_t>> filterRuns(const RunGrid& grid, std::string_view filter) {
    std::vector<GridColumn> columns;
    const auto find = [&](std::string_view name) -> Result<FilterColumn> {
        CAIRN_TRY(const GridColumn column, grid.find(name));
        columns.push_back(column);
        return FilterColumn{columns.size() - 1, nullptr};
    };
    CAIRN_TRY(const RowFilter parsed, RowFilter::parse(filter, find));
    std::vector<std::uint32_t> rows;
    for (const std::uint32_t row : allRuns(grid)) {
        const auto cellOf = [&](std::size_t column) { return grid.cell(row, columns[column]); };
        if (parsed.matches(grid.m_lowerNames[row], cellOf)) {
            rows.push_back(row);
        }
    }
    return rows;
}

std::vector<std::uint32_t> allRuns(const RunGrid& grid) {
    std::vector<std::uint32_t> rows(grid.rows().size());
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
}

namespace {

enum class KeyKind : std::uint8_t { Number, Text, NotANumber, Missing };

struct SortKey {
    KeyKind kind = KeyKind::Missing;
    cairn::Number number;
    std::string_view text;
};

SortKey keyOf(const FilterCell& cell) {
    if (cell.number) {
        return {std::isnan(*cell.number) ? KeyKind::NotANumber : KeyKind::Number,
                {*cell.number, cell.rest},
                {}};
    }
    return {cell.text.empty() ? KeyKind::Missing : KeyKind::Text, {}, cell.text};
}

bool keyLess(const SortKey& a, const SortKey& b) {
    if (a.kind != b.kind) {
        return a.kind < b.kind;
    }
    return a.kind == KeyKind::Number ? a.number < b.number
                                     : a.kind == KeyKind::Text && naturalLess(a.text, b.text);
}

} // namespace

void sortRuns(const RunGrid& grid, std::vector<std::uint32_t>& rows, GridColumn column,
              bool descending) {
    std::vector<SortKey> keys(grid.rows().size());
    for (const std::uint32_t row : rows) {
        keys[row] = keyOf(grid.cell(row, column));
    }
    std::ranges::stable_sort(rows, [&](std::uint32_t a, std::uint32_t b) {
        const bool turned =
            descending && keys[a].kind < KeyKind::NotANumber && keys[b].kind < KeyKind::NotANumber;
        return turned ? keyLess(keys[b], keys[a]) : keyLess(keys[a], keys[b]);
    });
}

} // namespace cairn
