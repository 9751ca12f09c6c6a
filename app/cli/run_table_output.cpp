// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_table_output.h"

#include "app/cli/explain_output.h"
#include "app/cli/report_output.h"
#include "app/cli/run_table_view.h"
#include "app/cli/text_table.h"
#include "core/base/counted.h"
#include "core/report/make_report.h"

#include <algorithm>
#include <array>

namespace cairn::cli {

namespace {

/// Thousands of metrics of thousands of runs are hundreds of megabytes of JSON.
bool isTooLarge(const RunGrid& grid, const RunView& view) {
    constexpr std::size_t kMostCells = 200'000;
    const std::size_t rows = view.grouped ? view.groups.groups.size() : view.rows.size();
    return rows * (grid.metrics().size() + grid.settings().size()) > kMostCells;
}

} // namespace

bool wantsTable(const Arguments& arguments) {
    constexpr auto kOptions = std::to_array<std::string_view>(
        {"table", "columns", "filter", "group-by", "sort", "csv", "explain", "html", "markdown"});
    return std::ranges::any_of(kOptions,
                               [&](std::string_view option) { return arguments.has(option); });
}

std::vector<Notice> gridNotices(const RunGrid& grid) {
    std::vector<Notice> notices;
    for (const GridSetting& setting : grid.settings()) {
        if (setting.isDisputed) {
            notices.push_back({Severity::Info,
                               fail(ErrorCode::HistoryConflict,
                                    "The sources of a run contain different values of one setting")
                                   .inField(setting.key)
                                   .withHint("The table shows all of them: \"0.1 | 0.05\"")});
        }
    }
    for (const GridRow& row : grid.rows()) {
        if (row.settingsCut) {
            notices.push_back(
                {Severity::Warning,
                 fail(ErrorCode::LimitExceeded, "The run has too many settings; some are not shown")
                     .inFile(row.path.string())
                     .expecting(sentence("at most %1", kMaxRowSettings))});
        }
    }
    return notices;
}

Result<int> printTable(std::span<const GridSource> sources, std::span<const Notice> given,
                       std::string_view path, const Arguments& arguments, Session& session) {
    const RunGrid grid(sources);
    CAIRN_TRY(RunView view, viewOf(grid, arguments));
    std::optional<MetricExplanation> explanation;
    if (const auto name = arguments.text("explain")) {
        CAIRN_TRY(const GridColumn column, grid.find(*name));
        if (!grid.isNumeric(column)) {
            return fail(ErrorCode::InvalidArgument, "Only columns of numbers can be explained")
                .inField("--explain")
                .butFound(verbatim(*name));
        }
        CAIRN_TRY(explanation, explainColumn(grid, view.rows, column, {}, session.cancel));
    }
    std::vector<Notice> notices = gridNotices(grid);
    notices.insert(notices.begin(), given.begin(), given.end());
    if (session.json && !view.chosen && isTooLarge(grid, view)) {
        view.chosen = true;
        notices.push_back(
            {Severity::Info,
             fail(ErrorCode::LimitExceeded,
                  "The table is too large to be written completely by default")
                 .butFound(sentence("%1 of %2", counting(grid.metrics().size(), "metric"),
                                    counting(grid.rows().size(), "run")))
                 .withHint("Only the columns shown are included; select others with "
                           "--columns, all with --columns '*'")});
    }
    CAIRN_CHECK(writeReports(
        arguments,
        [&] { return runsReport(std::string(path), grid, view.rows, exactView(grid, view)); },
        session));
    if (printsMarkdown(arguments)) {
        return kExitOk;
    }
    if (session.json) {
        writeTable(grid, view, explanation, notices, path, session);
        return kExitOk;
    }
    if (arguments.has("csv")) {
        printCsv(grid, view, session);
        return kExitOk;
    }
    view.grouped ? printGroups(grid, view, session) : printRuns(grid, view, session);
    if (explanation) {
        session.out.line("");
        printExplanation(grid, *explanation, session);
    }
    printNotices(session, notices);
    return kExitOk;
}

} // namespace cairn::cli
