// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_writer.h"
#include "app/cli/session.h"
#include "app/cli/verb.h"
#include "core/runs/table/run_grid.h"
#include "core/runs/table/run_groups.h"

#include <span>
#include <string_view>

/// `runs --table`: one row a run or group of runs.
namespace cairn::cli {

/// True if an option of the table was given; the others imply --table.
bool wantsTable(const Arguments& arguments);

/// Prints the table as text, JSON or CSV. `path`: the first argument. Fails with InvalidArgument
/// for unknown columns and invalid filters.
Result<int> printTable(std::span<const GridSource> sources, std::span<const Notice> notices,
                       std::string_view path, const Arguments& arguments, Session& session);

/// {key: value} of the settings that define a group; null: the runs do not have the setting.
void writeGroupKey(JsonWriter& json, std::string_view name, const RunGrid& grid,
                   const RunGroups& groups, const RunGroup& group);

/// Settings of which at least one run has several values: one notice for each.
std::vector<Notice> gridNotices(const RunGrid& grid);

} // namespace cairn::cli
