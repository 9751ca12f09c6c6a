// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/table/run_grid.h"
#include "ui/charts/chart_content.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>

/// The colours of runs where they stand for a setting or a metric. Pure; reads no file.
namespace cairn::ui {

/// What the user chose for the colours, beside the key of a column.
inline constexpr const char* kAutomaticColours = "";
inline constexpr const char* kOwnColours = "\nruns"; ///< each run has its own

/// The column that the colours stand for; empty: each run has its own colour. Automatically: of
/// many curves the first numeric setting that differs, else the main metric.
std::string colourKey(const RunGrid& grid, const std::string& choice, bool isMany);

struct RunColours {
    CurveScalePtr scale;                    ///< null: each run has its own colour
    std::map<std::uint32_t, double> shares; ///< of rows of the grid that have a value
};
/// `rows` of the grid by a column, as along its axis: logarithmic where its values span decades.
RunColours colourRuns(const RunGrid& grid, std::span<const std::uint32_t> rows,
                      const std::string& key);

} // namespace cairn::ui
