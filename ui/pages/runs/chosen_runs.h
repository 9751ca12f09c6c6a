// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/navigator/run_marks.h"
#include "ui/pages/runs/run_arrangement.h"

#include <QObject>

#include <cstdint>
#include <vector>

namespace cairn::ui {

class MarkedCurves;
class RunsTable;

/// The link between the table, the curves, the scatter plot and the parallel coordinates: runs that
/// are chosen in one of them are chosen in all.
class ChosenRuns : public QObject {
    Q_OBJECT

public:
    /// Both outlive this.
    ChosenRuns(RunsTable& table, MarkedCurves& curves);

    /// Relates these rows in the plots.
    void show(const RunsDataPtr& data, const RunsArrangement& arrangement, const RunMarks& marks);
    /// Chooses the selected rows of the table in the plots.
    void takeSelection();

Q_SIGNALS:
    /// The rows of the table were selected in a plot.
    void selected();

private:
    void takeBrushed();

    RunsTable& m_table;
    MarkedCurves& m_curves;
    RunsDataPtr m_data;
    RunRowsPtr m_rows;
    std::vector<std::uint32_t> m_matching; ///< rows of the grid
    RunMarks m_marks;
    bool m_brushes = false; ///< the selection was made in a plot
};

} // namespace cairn::ui
