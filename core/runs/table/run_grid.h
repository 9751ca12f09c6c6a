// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/row_filter.h"
#include "core/model/names/metric_words.h"
#include "core/model/value.h"
#include "core/runs/experiment.h"
#include "core/runs/table/run_table.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// The table of runs in columns: one row a run; settings, metrics and facts as columns that can be
/// filtered, sorted and grouped (run_groups.h). Built from what the listing and the run table
/// contain, without file access; 1,500 runs with 1,500 metrics take a few milliseconds.
namespace cairn {

/// Facts of a run other than settings and metrics.
enum class RunFact : std::uint8_t {
    Name,
    State,       ///< of the newest checkpoint; "no-checkpoints" if there is none
    Step,        ///< the greatest step of curves and checkpoints
    Checkpoints, ///< without links
    Bytes,       ///< on disk; in filters also "size"
    Duration,    ///< seconds from the first to the last logged point, including pauses
    Started,     ///< time of the first logged point, seconds since 1970
    Newest,      ///< name of the newest checkpoint
    Best,        ///< name of the best checkpoint
};
inline constexpr std::size_t kRunFacts = 9;
std::string_view runFactName(RunFact fact); ///< "name", "state", "step", …

/// Which number of a metric.
enum class MetricPart : std::uint8_t {
    Value, ///< the best value if a better direction is known, else the last one
    Last,
    Best,     ///< NaN if no value is finite; none if the better direction is unknown
    BestStep, ///< x of the best value: its step, else its position
    LastStep,
};

struct GridColumn {
    enum class Kind : std::uint8_t { Fact, Setting, Metric };
    Kind kind = Kind::Fact;
    std::uint32_t index = 0; ///< RunFact, or index into RunGrid::settings() or metrics()
    MetricPart part = MetricPart::Value;
    friend bool operator==(const GridColumn&, const GridColumn&) = default;
    friend auto operator<=>(const GridColumn&, const GridColumn&) = default;
    static GridColumn of(RunFact fact) {
        return {Kind::Fact, static_cast<std::uint32_t>(fact), MetricPart::Value};
    }
    static GridColumn setting(std::size_t index) {
        return {Kind::Setting, static_cast<std::uint32_t>(index), MetricPart::Value};
    }
    static GridColumn metric(std::size_t index, MetricPart part = MetricPart::Value) {
        return {Kind::Metric, static_cast<std::uint32_t>(index), part};
    }
};

/// One of the different values of a setting.
struct SettingValue {
    Value value;
    std::string text;                  ///< settingText()
    std::optional<double> number = {}; ///< also of text that is a number: "1e-8" in YAML
    std::int16_t rest = 0;             ///< of Number
    /// For tables: six digits of a number, if no other value of the setting reads the same, else
    /// `text`.
    std::string shown = {};
};

struct GridSetting {
    std::string key;                  ///< "optimizer.lr"
    std::vector<SettingValue> values; ///< ascending: numbers, then other values in natural order
    std::vector<std::uint32_t> ofRow; ///< index into `values`; kNoValue: not set
    std::size_t runs = 0;             ///< that have it
    bool isNumeric = false;           ///< every value is a number
    /// Names the run rather than its training: output folders, names and ids of runs, times.
    /// Not among the settings by which "all but" groups.
    bool isIdentity = false;
    bool isDisputed = false; ///< in a run whose sources have different values (RowSetting)
    /// More than one value, or not set in all runs.
    [[nodiscard]] bool differs() const { return values.size() > 1 || runs < ofRow.size(); }
    static constexpr std::uint32_t kNoValue = 0xffffffff;
};

struct GridMetric {
    std::string name;
    /// On which all runs with this metric agree (a recorded goal, else the name); else Unknown.
    names::Direction better = names::Direction::Unknown;
    int rank = 0; ///< metricRank()
    std::size_t runs = 0;
};

/// A metric of a run.
struct MetricFigures {
    double last = 0; ///< may be NaN or infinite
    double lastStep = 0;
    std::optional<double> best; ///< empty: no finite value, or the better direction is unknown
    double bestStep = 0;
    std::uint32_t points = 0;
    std::int16_t lastRest = 0; ///< of Number
    std::int16_t lastStepRest = 0;
    std::int16_t bestRest = 0;
    std::int16_t bestStepRest = 0;
};

struct GridRow {
    std::string id;   ///< ScannedRun::id; preceded by the experiment's name if there are several
    std::string name; ///< ScannedRun::name, likewise
    std::filesystem::path path;
    std::uint32_t source = 0; ///< index into the sources of the grid
    std::uint32_t run = 0;    ///< index into Experiment::runs
    std::string state;
    std::optional<std::int64_t> step;
    std::size_t checkpoints = 0;
    std::uint64_t bytes = 0;
    std::optional<double> duration;
    std::optional<double> started;
    std::optional<std::uint32_t> newest; ///< index into ScannedRun::checkpoints
    std::optional<std::uint32_t> best;
    std::string newestName;
    std::string bestName;
    bool settingsCut = false; ///< RunRow::settingsCut
};

/// An experiment with its run table; the grid shares the table and copies what it needs of the
/// experiment.
struct GridSource {
    const Experiment* experiment = nullptr;
    std::shared_ptr<const RunTable> table; ///< parallel to the experiment's runs; null: no logs
};

/// Immutable; any thread.
class RunGrid {
public:
    RunGrid() = default; ///< no rows
    explicit RunGrid(std::span<const GridSource> sources);
    RunGrid(const Experiment& experiment, std::shared_ptr<const RunTable> table);

    [[nodiscard]] const std::vector<GridRow>& rows() const { return m_rows; }
    /// Settings that differ first: those with several values, then those that not all runs have,
    /// then those that name the run; last, those that are the same in all runs. Among each by
    /// settingRank() (learning rate, batch size, …), then in natural order of keys.
    [[nodiscard]] const std::vector<GridSetting>& settings() const { return m_settings; }
    /// By rank (losses first), then natural order. Curves, and numbers in checkpoints' values.
    [[nodiscard]] const std::vector<GridMetric>& metrics() const { return m_metrics; }
    [[nodiscard]] std::size_t differing() const { return m_differing; } ///< the first settings

    /// Null if the run does not have the setting.
    [[nodiscard]] const SettingValue* setting(std::size_t row, std::size_t setting) const;
    [[nodiscard]] std::optional<MetricFigures> metric(std::size_t row, std::size_t metric) const;
    /// The curve of the metric that ranks the run; empty: no curve.
    [[nodiscard]] const CurveOutline& outline(std::size_t row) const;

    /// A column by the name that a user types: a fact; a setting by its dotted key; a metric, with
    /// ".last", ".best", ".best_step" or ".last_step" for one of its numbers; the last part of a
    /// setting's or metric's name if it is unique. "config.NAME" and "metrics.NAME" are settings
    /// and metrics only. Fails with InvalidArgument, naming similar columns as a hint.
    [[nodiscard]] Result<GridColumn> find(std::string_view name) const;
    /// The name by which find() finds the column.
    [[nodiscard]] std::string nameOf(GridColumn column) const;

    /// Number and text of a cell; neither if the run has no value there. The text lives as long as
    /// the grid. A NaN is a value of a metric.
    [[nodiscard]] FilterCell cell(std::size_t row, GridColumn column) const;
    /// The same text for a table; empty: the column shows `number`.
    [[nodiscard]] std::string_view shown(std::size_t row, GridColumn column) const;
    /// Whether the column contains numbers only: a metric, a setting with numbers only, a size.
    [[nodiscard]] bool isNumeric(GridColumn column) const;
    /// Number of a cell; empty if it has none.
    [[nodiscard]] std::optional<double> number(std::size_t row, GridColumn column) const;

    /// What to show without a choice by the user: the settings that differ, at most `maxMetrics`
    /// metrics (those that rank the runs' checkpoints first), state, step, duration, size, newest
    /// checkpoint; without columns that are empty in all rows.
    [[nodiscard]] std::vector<GridColumn> defaultColumns(std::size_t maxMetrics = 4,
                                                         std::size_t maxSettings = 12) const;
    /// The metric that ranks checkpoints in most runs, else the first that has a better direction;
    /// empty: none.
    [[nodiscard]] std::optional<std::size_t> leadMetric() const { return m_lead; }

private:
    friend class RunGridBuilder;
    struct ExtraCell {
        std::uint32_t metric = 0;
        MetricCell cell;
    };
    [[nodiscard]] const MetricCell* cellAt(std::size_t row, std::size_t metric) const;
    [[nodiscard]] std::optional<GridColumn> exactColumn(std::string_view name) const;
    [[nodiscard]] std::optional<GridColumn> exactMetric(std::string_view name) const;
    [[nodiscard]] std::optional<GridColumn> settingEnding(std::string_view name,
                                                          std::vector<std::string>& several) const;
    [[nodiscard]] std::optional<GridColumn> metricLike(std::string_view name,
                                                       std::vector<std::string>& several) const;

    std::vector<GridRow> m_rows;
    std::vector<GridSetting> m_settings;
    std::vector<GridMetric> m_metrics;
    std::size_t m_differing = 0;
    std::optional<std::size_t> m_lead;
    std::vector<std::string> m_lowerNames;                 ///< of rows, for filters
    std::vector<std::shared_ptr<const RunTable>> m_tables; ///< keep m_cells alive
    std::vector<const RunRow*> m_tableRows;                ///< of each row; null: none
    /// For each list of names that rows share: the cell of each metric, or kNoCell.
    std::vector<std::vector<std::uint32_t>> m_cellOf;
    std::vector<std::uint32_t> m_listOf;          ///< of each row, index into m_cellOf
    std::vector<std::vector<ExtraCell>> m_extras; ///< of each row: numbers of its checkpoints
    std::unordered_map<std::string, std::uint32_t> m_settingAt;
    std::unordered_map<std::string, std::uint32_t> m_metricAt;
    static constexpr std::uint32_t kNoCell = 0xffffffff;

    friend Result<std::vector<std::uint32_t>> filterRuns(const RunGrid& grid,
                                                         std::string_view filter);
};

/// Indices of the rows that match (RowFilter), in the order of the grid. Fails as
/// RowFilter::parse() and RunGrid::find().
Result<std::vector<std::uint32_t>> filterRuns(const RunGrid& grid, std::string_view filter);

/// All rows, in the order of the grid.
std::vector<std::uint32_t> allRuns(const RunGrid& grid);

/// Sorts rows by a column: numbers, then texts in natural order; stable. NaN and missing values are
/// last in both directions.
void sortRuns(const RunGrid& grid, std::vector<std::uint32_t>& rows, GridColumn column,
              bool descending = false);

} // namespace cairn
