// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/charts/chart_board.h"
#include "ui/charts/chart_export.h"
#include "ui/navigator/run_marks.h"
#include "ui/pages/runs/run_arrangement.h"
#include "ui/pages/runs/run_charts.h"

#include <QStringList>
#include <QWidget>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

class QMenu;

namespace cairn::ui {

class ChartControls;
class ChartGrid;
class RelationPlot;
class RunsFooter;

/// Below the table of the Runs page: the curves of the marked rows, their controls and their
/// export, and the footer.
class MarkedCurves : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t kMaxLines = 200;

    explicit MarkedCurves(QWidget* parent = nullptr);
    ~MarkedCurves() override;

    /// Draws those rows that have a marked run. `colourBy`: what the user chose (run_colours.h).
    void show(const RunsDataPtr& from, const RunsArrangement& arrangement, const RunMarks& marks,
              const std::string& colourBy);
    /// The column that the colours stand for; empty: each run has its own colour.
    const std::string& colourBy() const { return m_colourBy; }
    /// The lines of these slots are drawn faintly.
    void setFaint(std::set<int> slotNumbers);
    bool hasMarked() const { return !m_keys.isEmpty(); }
    bool hasCurves() const;              ///< of the marked rows
    bool isCut() const { return m_cut; } ///< more rows are marked than are drawn
    bool isSettled() const;

    /// Adds the formats of the plots in the footer.
    void addPlotExports(QMenu& menu);

    RunCharts& source() { return m_charts; }
    TurnQueue& turns() { return m_board.turns(); }
    ChartControls* controls() const { return m_controls; }
    ChartGrid* grid() const { return m_grid; }
    RunsFooter* footer() const { return m_footer; }

Q_SIGNALS:
    void chartsChanged();
    void runClicked(const std::filesystem::path& run); ///< a curve of many
    void stateChanged();                               ///< of the controls
    void exported(const QString& outcome);             ///< one sentence

private:
    void connectControls();
    void connectPlots();
    void updateCharts();
    void colour(const RunsArrangement& arrangement, const std::string& choice);
    void exportCharts(const std::vector<QString>& names, ExportFormat format);
    void exportPlot(const RelationPlot& plot, ExportFormat format);

    RunsDataPtr m_data;
    QStringList m_keys; ///< of the lines
    std::string m_colourBy;
    std::map<int, std::vector<std::size_t>> m_lineRuns; ///< of each slot, indices of runs
    bool m_cut = false;
    RunCharts m_charts;
    ChartBoard m_board;
    AsyncRunner m_saver;
    ChartControls* m_controls;
    ChartGrid* m_grid;
    RunsFooter* m_footer;
};

} // namespace cairn::ui
