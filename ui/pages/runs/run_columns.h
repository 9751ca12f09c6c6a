// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/table/run_figures.h"
#include "core/runs/table/run_grid.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <vector>

/// The columns of the Runs page. A column has a key that is the same in every experiment: the name
/// by which RunGrid::find() finds it, or one of the page's own. Pure; any thread.
namespace cairn::ui {

inline constexpr const char* kNameKey = "name";
inline constexpr const char* kCountKey = "n";     ///< of groups: number of runs
inline constexpr const char* kCurveKey = "curve"; ///< the main curve in small
inline constexpr const char* kNoteKey = "\nnote"; ///< of single runs; no column of a grid has it

/// What the user chose: columns in addition to the default ones, and of these the hidden ones.
struct ColumnChoice {
    std::vector<std::string> shown;
    std::vector<std::string> hidden;
};

/// The keys of the columns to show, the name first.
std::vector<std::string> columnKeys(const RunGrid& grid, const ColumnChoice& choice, bool grouped);
/// Every column that can be shown, but the name; settings that differ first.
std::vector<std::string> allColumnKeys(const RunGrid& grid);
/// Takes over which of all columns are checked.
ColumnChoice choiceOf(const RunGrid& grid, const std::vector<std::string>& checked);

/// Empty for the page's own columns but the name.
std::optional<GridColumn> gridColumn(const RunGrid& grid, const std::string& key);
QString columnTitle(const RunGrid& grid, const std::string& key);     ///< "best eval_loss"
QString columnFullTitle(const RunGrid& grid, const std::string& key); ///< with full names

inline bool isFact(GridColumn column, RunFact fact) {
    return column == GridColumn::of(fact);
}
/// The text of a cell; empty: no value.
QString cellText(const RunGrid& grid, std::size_t row, GridColumn column);
/// A number of that column: with its unit.
QString numberText(double value, GridColumn column);
/// "1.662 ± 0.021" or, for a single value, "1.662". `figures`: with mean and standard deviation.
QString meanText(const Figures& figures, GridColumn column);

/// The settings by which runs can be grouped: those that differ and do not name the run.
std::vector<std::size_t> groupingSettings(const RunGrid& grid);
QStringList toStrings(const std::vector<std::string>& keys);
std::vector<std::string> fromStrings(const QStringList& strings);
/// The last part of a dotted key: "lr" of "optimizer.lr".
std::string lastPart(const std::string& key);

} // namespace cairn::ui
