// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel_token.h"
#include "core/runs/table/run_explain.h"
#include "core/runs/table/run_grid_text.h"
#include "core/runs/table/run_groups.h"
#include "ui/pages/runs/run_columns.h"
#include "ui/pages/runs/run_notes.h"
#include "ui/pages/runs/run_rows.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// From the grid of an experiment to what the Runs page shows. For workers; pure.
namespace cairn::ui {

/// An experiment whose histories were read. Immutable.
struct RunsData {
    Experiment experiment; ///< with scores, in training order
    RunGrid grid;
    std::vector<Notice> notices;
};
using RunsDataPtr = std::shared_ptr<const RunsData>;

/// What the user asked for.
struct RunsQuery {
    std::string filter;
    std::string validFilter;          ///< used in place of one that cannot be understood
    bool isUnfinished = false;        ///< the filter: its last word is being typed
    std::vector<std::string> groupBy; ///< keys of settings; unknown ones are ignored
    ColumnChoice columns;
    std::string colourBy;                                   ///< see run_colours.h
    RunNotesPtr notes = std::make_shared<const RunNotes>(); ///< a column, if a run has one
    std::string sortKey = kNameKey;
    bool descending = false;
    bool sorted = false; ///< by the user; else best first, if a metric shows which is
};

struct RunsArrangement {
    RunRowsPtr rows = std::make_shared<const RunRows>();
    std::vector<std::uint32_t> matching; ///< rows of the grid that the filter leaves
    RunGroups groups;                    ///< empty without grouping
    std::optional<Error> problem;        ///< of the filter
    bool isOfFilterBefore = false;       ///< no run matches an unfinished filter
};

/// Fails only with Cancelled.
Result<RunsArrangement> arrangeRuns(const RunsData& data, const RunsQuery& query,
                                    const CancelToken& cancel);

/// CSV, TSV or Markdown of the rows as they are shown.
enum class RunsFormat { Csv, Tsv, Markdown };
TextGrid reportGrid(const RunRows& rows); ///< with numbers as programs write them
QByteArray exportRuns(const RunRows& rows, RunsFormat format);

} // namespace cairn::ui
