// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/charts/chart_board.h"
#include "ui/charts/chart_export.h"
#include "ui/navigator/run_marks.h"
#include "ui/pages/kept_state.h"
#include "ui/pages/page.h"
#include "ui/pages/runs/run_arrangement.h"
#include "ui/pages/runs/run_charts.h"

#include <QTimer>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

class QMenu;
class QSplitter;
class QStackedWidget;

namespace cairn::ui {

class Button;
class ChartControls;
class ChartGrid;
class ChoiceList;
class NoticePane;
class RelationPlot;
class RowView;
class RunTableModel;
class RunsFooter;
class RunsSide;
class TextLabel;

/// The runs of an experiment as a table: settings that differ, results, states; filtered by the
/// filter language, grouped, sorted. Below it the curves of the marked runs or groups, and what
/// explains their results. Reads the run table through the user's cache; does not depend on the
/// navigator.
class RunsPage : public Page, public KeepsState {
    Q_OBJECT

public:
    explicit RunsPage(QWidget* parent = nullptr);
    ~RunsPage() override;

    const PageInfo& info() const override;
    void showCheckpoint(const CheckpointPtr&) override {}
    void clear() override {}
    void setFilter(const QString& text) override;
    bool canFilter() const override { return true; }
    QString filterHint() const override;
    QJsonObject keptState() const override;
    void restoreState(const QJsonObject& state) override;
    QWidget* filterTarget() override;
    QWidget* sidePanel() override;
    bool copySelection(CopyAs what) override;

    /// The experiment whose runs are listed; null: none is open. Its histories are read when the
    /// page is visible, unless it is still being examined (`known` is false): then only names and
    /// sizes are shown. Selection, marks, filter and order stay where they can.
    void showExperiment(std::shared_ptr<const Experiment> experiment, bool known = true);
    std::filesystem::path experiment() const {
        return m_listed != nullptr ? m_listed->path : std::filesystem::path();
    }
    /// Reads the histories again.
    void reload();
    void setMarks(const RunMarks& marks);
    /// Selects the row of a run, or none for an empty path; emits nothing.
    void setCurrentRun(const std::filesystem::path& run);
    /// Of the selected rows.
    std::vector<std::filesystem::path> selectedRuns() const;
    /// See RunCharts::setKnown().
    void setKnownHistories(RunCharts::Known known) { m_charts.setKnown(std::move(known)); }

    /// Nothing is being read, arranged or drawn.
    bool isSettled() const;
    /// "60 runs, 12 groups, 3 marked".
    QString countsLine() const;
    QString problem() const; ///< of the filter; empty: none
    const RunsDataPtr& data() const { return m_data; }
    const RunsQuery& query() const { return m_query; }

    void setGroupBy(const std::vector<std::string>& keys);
    void setColumns(const std::vector<std::string>& checked);
    /// By a column of the table.
    void sortBy(int column, Qt::SortOrder order);

    RowView* view() const { return m_view; }
    RunTableModel* model() const { return m_model; }
    ChartGrid* charts() const { return m_grid; }
    RunsFooter* footer() const { return m_footer; }
    RunsSide* side() const { return m_side; }
    NoticePane* notice() const { return m_notice; }
    Button* groupButton() const { return m_groupButton; }
    Button* columnsButton() const { return m_columnsButton; }
    ChoiceList* groupList() const { return m_groupList; }
    ChoiceList* columnList() const { return m_columnList; }

Q_SIGNALS:
    /// The user chose the row of one run.
    void runChosen(const std::filesystem::path& run);
    void checkpointChosen(const std::filesystem::path& checkpoint);
    /// The user marked or unmarked rows: a run each, or the runs of a group.
    void marksEdited(const std::vector<std::vector<std::filesystem::path>>& rows, bool marked);
    void diffRequested(const std::filesystem::path& left, const std::filesystem::path& right);
    void compareRequested(const std::filesystem::path& left, const std::filesystem::path& right);
    void averageRequested(const std::vector<std::filesystem::path>& checkpoints);
    void clearFilterRequested();
    void statusMessage(const QString& line);
    /// countsLine() changed.
    void changed();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void buildBelow();
    void connectParts();
    void connectTable();
    void read();
    void arrange();
    void publish(RunsDataPtr data, RunsArrangement arrangement);
    void showFilterProblem(const std::optional<Error>& problem);
    void explain();
    void updateRelation();
    void chooseBrushed();
    void relateSelection();
    void setNote(const std::filesystem::path& run, const QString& note);
    void fitColumns();
    void fitHeights();
    void showIndicator();
    void selectKeys(const QStringList& keys);
    void popUpRowMenu(const QPoint& at);
    void showMarks();
    void showChosen();
    void announceChosen();
    void toggleMarks();
    void openBest(const QModelIndex& index);
    void updateLines();
    void updateCharts();
    void updateNotice();
    void updateHint();
    void updateCounts();
    void updateButtons();
    void popUpColumns();
    void popUpGroups();
    void exportTable(RunsFormat format);
    void addPlotExports(QMenu& menu);
    void exportPlot(const RelationPlot& plot, ExportFormat format);
    void exportCharts(const std::vector<QString>& names, ExportFormat format);

    std::shared_ptr<const Experiment> m_listed;
    bool m_known = false;         ///< it was examined
    bool m_stale = false;         ///< it is still to be read
    RunsDataPtr m_latest;         ///< what was read last
    RunsDataPtr m_data;           ///< of m_arrangement
    std::optional<Error> m_error; ///< of reading
    RunsQuery m_query;
    RunsArrangement m_arrangement;
    RunMarks m_marks;
    bool m_marksStale = false;              ///< they are not shown yet
    std::vector<std::uint32_t> m_explained; ///< rows of the explanation
    std::optional<MetricExplanation> m_explanation;
    bool m_quiet = false;                ///< the selection changes are the page's own
    bool m_divided = false;              ///< the user moved the divider
    bool m_fitting = false;              ///< the widths of the columns are being set by the page
    std::map<std::string, int> m_widths; ///< of columns, by the user
    QStringList m_lineKeys;              ///< of the lines of the charts
    QTimer m_noted;                      ///< the table gets a note some time after the last key
    bool m_brushes = false;              ///< the selection was made in a plot
    bool m_cut = false;                  ///< more runs are marked than are drawn
    RunCharts m_charts;
    ChartBoard m_board;
    AsyncRunner m_reader;
    AsyncRunner m_arranger;
    AsyncRunner m_explainer;
    AsyncRunner m_saver;

    Button* m_groupButton;
    Button* m_columnsButton;
    Button* m_exportButton;
    TextLabel* m_counts;
    TextLabel* m_problem;
    ChoiceList* m_groupList;
    ChoiceList* m_columnList;
    RunTableModel* m_model;
    RowView* m_view;
    NoticePane* m_nothing; ///< in place of the rows
    QStackedWidget* m_rows;
    ChartControls* m_controls;
    ChartGrid* m_grid;
    RunsFooter* m_footer;
    QSplitter* m_splitter;
    NoticePane* m_notice; ///< in place of everything
    QStackedWidget* m_stack;
    RunsSide* m_side;
};

} // namespace cairn::ui
