// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_writer.h"
#include "app/cli/session.h"
#include "app/cli/verb.h"
#include "core/runs/table/run_explain.h"
#include "core/runs/table/run_grid.h"
#include "core/runs/table/run_grid_text.h"
#include "core/runs/table/run_groups.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The parts of `runs --table`: what was requested, and its form as JSON and as text.
namespace cairn::cli {

/// The rows and columns that were requested.
struct RunView {
    std::vector<std::uint32_t> rows;
    std::vector<GridColumn> columns;
    bool chosen = false; ///< the columns were given by name
    bool grouped = false;
    RunGroups groups; ///< of `rows`
};

/// From the options. Fails with InvalidArgument for unknown columns and invalid filters.
Result<RunView> viewOf(const RunGrid& grid, const Arguments& arguments);

void writeTable(const RunGrid& grid, const RunView& view,
                const std::optional<MetricExplanation>& explanation,
                std::span<const Notice> notices, std::string_view path, Session& session);
void printRuns(const RunGrid& grid, const RunView& view, Session& session);
void printGroups(const RunGrid& grid, const RunView& view, Session& session);
/// The table for other programs: with the names of the runs, without rounding.
TextGrid exactView(const RunGrid& grid, const RunView& view);
void printCsv(const RunGrid& grid, const RunView& view, Session& session);

/// The state of all runs of a group; "mixed" if they differ.
std::string commonState(const RunGrid& grid, const RunGroup& group);

} // namespace cairn::cli
