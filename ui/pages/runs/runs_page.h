// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/navigator/run_marks.h"
#include "ui/pages/kept_state.h"
#include "ui/pages/page.h"
#include "ui/pages/runs/chosen_runs.h"
#include "ui/pages/runs/marked_curves.h"
#include "ui/pages/runs/runs_bar.h"
#include "ui/pages/runs/runs_reader.h"
#include "ui/pages/runs/runs_table.h"

#include <QTimer>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

class QSplitter;
class QStackedWidget;

namespace cairn::ui {

class NoticePane;
class RunsSide;

/// The runs of an experiment as a table: settings that differ, results, states; filtered by the
/// filter language, grouped, sorted. Below it the curves of the marked runs or groups, and what
/// explains their results. Joins its parts, which have the tasks: RunsReader, RunsTable, RunsBar,
/// MarkedCurves, ChosenRuns. Does not depend on the navigator.
class RunsPage : public Page, public KeepsState {
    Q_OBJECT

public:
    explicit RunsPage(QWidget* parent = nullptr);

    const PageInfo& info() const override;
    void showCheckpoint(const CheckpointPtr&) override {}
    void clear() override {}
    void setFilter(const QString& text) override;
    bool canFilter() const override { return true; }
    QString filterHint() const override;
    QLineEdit* filterField() override;
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
    std::vector<std::filesystem::path> selectedRuns() const { return m_table.selectedRuns(); }
    /// See RunCharts::setKnown().
    void setKnownHistories(RunCharts::Known known) {
        m_curves->source().setKnown(std::move(known));
    }

    /// Nothing is being read, arranged or drawn.
    bool isSettled() const;
    /// "60 runs, 12 groups, 3 marked".
    QString countsLine() const;
    QString problem() const { return m_bar->problem(); } ///< of the filter; empty: none
    const RunsDataPtr& data() const { return m_data; }
    const RunsQuery& query() const { return m_query; }

    void setGroupBy(const std::vector<std::string>& keys);
    void setColumns(const std::vector<std::string>& checked);
    /// A column's key, or a choice of run_colours.h.
    void setColourBy(const std::string& key);
    /// By a column of the table.
    void sortBy(int column, Qt::SortOrder order);

    RowView* view() const { return m_table.view(); }
    RunTableModel* model() const { return m_table.model(); }
    ChartGrid* charts() const { return m_curves->grid(); }
    RunsFooter* footer() const { return m_curves->footer(); }
    RunsSide* side() const { return m_side; }
    NoticePane* notice() const { return m_notice; }
    Button* groupButton() const { return m_bar->groupButton(); }
    Button* columnsButton() const { return m_bar->columnsButton(); }
    RunsBar* bar() const { return m_bar; }
    ChoiceList* groupList() const { return m_bar->groupList(); }
    ChoiceList* columnList() const { return m_bar->columnList(); }

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
    void filterEdited(const QString& text); ///< in the page's own field
    void statusMessage(const QString& line);
    /// countsLine() changed.
    void changed();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void connectParts();
    void connectTable();
    void read();
    void finishFilter();
    bool finishesFilter();
    void take(const RunsDataPtr& data, const RunsArrangement& arrangement,
              const std::string& filter);
    void publish(RunsDataPtr data, RunsArrangement arrangement);
    void explain();
    void markBest();
    void fitHeights();
    void showMarks();
    void showSelected();
    void announceSelected();
    void toggleMarks();
    void openBest(const QString& key);
    void setNote(const std::filesystem::path& run, const QString& note);
    void updateNotice();
    void updateHint();
    void updateCounts();

    std::shared_ptr<const Experiment> m_listed;
    bool m_known = false; ///< it was examined
    bool m_stale = false; ///< it is still to be read
    RunsDataPtr m_data;   ///< of m_arrangement
    RunsQuery m_query;
    RunsReader m_reader{m_query};
    RunsArrangement m_arrangement;
    RunMarks m_marks;
    std::vector<std::filesystem::path> m_seen; ///< experiments whose best runs were marked once
    bool m_marksStale = false;                 ///< they are not shown yet
    std::vector<std::uint32_t> m_explained;    ///< rows of the explanation
    std::optional<MetricExplanation> m_explanation;
    bool m_divided = false; ///< the user moved the divider
    bool m_toTop = false;   ///< the next rows are in another order
    QTimer m_noted;         ///< the table gets a note some time after the last key
    AsyncRunner m_explainer;

    RunsTable m_table{nullptr};
    RunsBar* m_bar;
    NoticePane* m_nothing; ///< in place of the rows
    QStackedWidget* m_rows;
    MarkedCurves* m_curves;
    ChosenRuns m_chosen;
    QSplitter* m_splitter;
    NoticePane* m_notice; ///< in place of everything
    QStackedWidget* m_stack;
    RunsSide* m_side;
};

} // namespace cairn::ui
