// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_table_view.h"

#include "core/base/glob.h"

#include <algorithm>
#include <utility>

namespace cairn::cli {
namespace {

/// "lr", "eval_*": settings, metrics and facts, in the order of the names.
Result<std::vector<GridColumn>> columnsNamed(const RunGrid& grid, std::string_view names) {
    std::vector<GridColumn> columns;
    const auto add = [&](GridColumn column) {
        if (std::ranges::find(columns, column) == columns.end()) {
            columns.push_back(column);
        }
    };
    while (!names.empty()) {
        const std::size_t comma = std::min(names.find(','), names.size());
        std::string name(names.substr(0, comma));
        names.remove_prefix(std::min(comma + 1, names.size()));
        name.erase(0, name.find_first_not_of(' '));
        name.erase(name.find_last_not_of(' ') + 1);
        if (name.find_first_of("*?") == std::string::npos) {
            CAIRN_TRY(const GridColumn column, grid.find(name));
            add(column);
            continue;
        }
        CAIRN_TRY(const Glob glob, Glob::parse(name));
        const std::size_t before = columns.size();
        for (std::size_t i = 0; i < grid.settings().size(); ++i) {
            if (glob.matches(grid.settings()[i].key)) {
                add(GridColumn::setting(i));
            }
        }
        for (std::size_t i = 0; i < grid.metrics().size(); ++i) {
            if (glob.matches(grid.metrics()[i].name)) {
                add(GridColumn::metric(i));
            }
        }
        if (columns.size() == before) {
            return fail(ErrorCode::InvalidArgument, "No column matches")
                .inField("--columns")
                .butFound(verbatim(name));
        }
    }
    return columns;
}

/// "lr", "-lr", "lr desc".
Result<std::pair<GridColumn, bool>> sortNamed(const RunGrid& grid, std::string_view text) {
    bool descending = false;
    for (const std::string_view end : {" desc", " descending"}) {
        if (text.ends_with(end)) {
            text.remove_suffix(end.size());
            descending = true;
        }
    }
    if (text.starts_with('-')) { // find() ignores separators: "-eval_loss" is a name, too
        if (const auto column = grid.find(text.substr(1))) {
            return std::pair(*column, true);
        }
    }
    CAIRN_TRY(const GridColumn column, grid.find(text));
    return std::pair(column, descending);
}

} // namespace

Result<RunView> viewOf(const RunGrid& grid, const Arguments& arguments) {
    RunView view;
    CAIRN_TRY(view.rows, filterRuns(grid, arguments.text("filter").value_or("")));
    view.columns = grid.defaultColumns();
    if (const auto names = arguments.text("columns")) {
        CAIRN_TRY(view.columns, columnsNamed(grid, *names));
        view.chosen = true;
    }
    const auto keys = arguments.text("group-by");
    view.grouped = keys.has_value();
    if (keys) {
        CAIRN_TRY(std::vector<std::size_t> settings, parseGroupKeys(grid, *keys));
        view.groups = groupRuns(grid, view.rows, std::move(settings));
    }
    if (const auto sort = arguments.text("sort")) {
        CAIRN_TRY(const auto by, sortNamed(grid, *sort));
        sortRuns(grid, view.rows, by.first, by.second);
        sortGroups(grid, view.groups, by.first, by.second);
    }
    return view;
}

} // namespace cairn::cli
