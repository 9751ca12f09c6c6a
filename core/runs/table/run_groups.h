// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/table/run_figures.h"
#include "core/runs/table/run_grid.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Runs with equal settings as one row. Pure; any thread.
namespace cairn {

struct RunGroup {
    std::vector<std::uint32_t> key;  ///< of each setting, index into its values, or kNoValue
    std::vector<std::uint32_t> rows; ///< of the grid, in the order given
};
struct RunGroups {
    std::vector<std::size_t> settings; ///< indices into RunGrid::settings()
    std::vector<RunGroup> groups;      ///< ascending by key; runs without the setting last
};

/// Runs without a setting form a group of their own. Without settings all rows are one group.
RunGroups groupRuns(const RunGrid& grid, std::span<const std::uint32_t> rows,
                    std::vector<std::size_t> settings);

/// The settings that differ, without those that name the run and those given by name.
Result<std::vector<std::size_t>> settingsAllBut(const RunGrid& grid,
                                                std::span<const std::string> names);

/// Keys as a user types them: "lr, optimizer.name", or "all but seed, fold"; empty: none. Fails as
/// RunGrid::find(), and if a name is not a setting.
Result<std::vector<std::size_t>> parseGroupKeys(const RunGrid& grid, std::string_view text);

/// "lr 0.001 · wd 0.1": the settings in which the groups differ, by their last part if it is
/// unique; a missing one is "lr –". Empty for a group without settings.
std::string groupLabel(const RunGrid& grid, const RunGroups& groups, const RunGroup& group);

/// The same in little space, "0.001 · lion · wd 0": of the first numeric setting and of settings
/// with texts the values alone, other names by their initials unless two would be alike.
std::string shortGroupLabel(const RunGrid& grid, const RunGroups& groups, const RunGroup& group);

/// Aggregates of a column's numbers over the group's runs. Figures::n counts runs with a number;
/// runs without a value are counted in neither n nor nan.
Figures groupFigures(const RunGrid& grid, const RunGroup& group, GridColumn column,
                     AggregateSet wanted = AggregateSet::all());

/// The row with the best value of a metric (index into RunGrid::rows()); empty if the better
/// direction is unknown.
std::optional<std::uint32_t> bestRowOf(const RunGrid& grid, std::span<const std::uint32_t> rows,
                                       std::size_t metric);

/// Sorts groups by the mean of a column, or for a setting of the key by its value; stable, missing
/// values last. RunFact::Bytes and Checkpoints by their sum.
void sortGroups(const RunGrid& grid, RunGroups& groups, GridColumn column, bool descending = false);

} // namespace cairn
