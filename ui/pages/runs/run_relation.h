// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/table/run_grid.h"
#include "ui/charts/relation.h"
#include "ui/navigator/run_marks.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Runs by any two or more of their settings, metrics and facts. Pure; reads no file.
namespace cairn::ui {

/// What the user chose to see against what, by the keys of run_columns.h; empty: by default.
struct RelationChoice {
    std::string x;
    std::string y;
    std::vector<std::string> axes;       ///< of the parallel coordinates
    std::map<std::string, Scale> scales; ///< of columns whose axis is not to have the default one
    friend bool operator==(const RelationChoice&, const RelationChoice&) = default;
};

/// The columns that can be an axis: numbers, and texts with few different values. Settings that
/// differ first, as in allColumnKeys().
std::vector<std::string> relationKeys(const RunGrid& grid);

/// Without keys that the grid does not have; what is then missing is chosen: a numeric setting
/// that differs against the main metric, and for the parallel coordinates both and more settings.
/// Without `x` and `y` if there is nothing to relate: fewer than three runs with a metric, or no
/// setting that differs.
RelationChoice settled(const RunGrid& grid, const RelationChoice& choice);

/// `rows` of the grid, in this order, along a column.
RelationAxis relationAxis(const RunGrid& grid, std::span<const std::uint32_t> rows,
                          const std::string& key, std::optional<Scale> scale = {});

/// `rows` of the grid, in this order, by these columns. `colourBy`: the column that the colours
/// stand for; empty: for marks.
RelationPtr relate(const RunGrid& grid, std::span<const std::uint32_t> rows,
                   std::span<const std::string> keys, const RunMarks& marks,
                   const std::map<std::string, Scale>& scales = {},
                   const std::string& colourBy = {});

/// Runs as both plots show them.
struct RunRelations {
    RelationChoice choice; ///< settled
    RelationPtr scatter;   ///< null, as the other one: there is nothing to relate
    RelationPtr parallel;
};

/// `rows` of the grid by what settled() makes of the choice. For workers: it goes through all runs.
RunRelations relateBoth(const RunGrid& grid, std::span<const std::uint32_t> rows,
                        const RelationChoice& choice, const RunMarks& marks,
                        const std::string& colourBy = {});

} // namespace cairn::ui
