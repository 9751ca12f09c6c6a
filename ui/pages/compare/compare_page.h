// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/compare/compare.h"
#include "ui/bridge/async_runner.h"
#include "ui/charts/chart_board.h"
#include "ui/charts/chart_export.h"
#include "ui/pages/compare/weight_distance.h"
#include "ui/pages/history/history_charts.h"
#include "ui/pages/history/history_follower.h"
#include "ui/pages/kept_state.h"
#include "ui/pages/page.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

class QStackedWidget;

namespace cairn::ui {

class Button;
class ChartControls;
class ChartGrid;
class CompareFooter;
class CompareHeader;
class CompareSide;
class NoticePane;
class RunPicker;

/// Two runs on one page: the metrics of both in common charts, the different settings, the matching
/// checkpoints and the distances of their weights. Reads and follows both histories itself; does
/// not depend on the navigator.
class ComparePage : public Page, public KeepsState {
    Q_OBJECT

public:
    explicit ComparePage(QWidget* parent = nullptr);
    ~ComparePage() override;

    const PageInfo& info() const override;
    void showCheckpoint(const CheckpointPtr& checkpoint) override;
    void clear() override;
    void setFilter(const QString& text) override;
    bool canFilter() const override { return true; }
    QWidget* filterTarget() override;
    QString filterHint() const override;
    QJsonObject keptState() const override;
    void restoreState(const QJsonObject& state) override;
    QWidget* sidePanel() override;

    /// Called for the selectable runs when a run picker opens.
    void setRunSource(const std::function<std::vector<RunPlace>()>& source);
    /// A and B; empty: that side is still to be chosen. The same runs with more facts about their
    /// checkpoints are updated without reading the histories again.
    void compare(const std::optional<RunPlace>& left, const std::optional<RunPlace>& right);
    /// Marks the checkpoint that the window shows on the curves.
    void setSelected(const std::filesystem::path& checkpoint);

    bool isComparing() const { return m_left && m_right; }
    const std::optional<RunPlace>& runOf(int side) const { return side == 0 ? m_left : m_right; }
    HistoryPtr historyOf(int side) const {
        return (side == 0 ? m_leftHistory : m_rightHistory).history();
    }
    bool showsResult() const;
    /// Nothing is being read, compared or drawn, weights apart.
    bool isSettled() const;
    /// "38 shared metrics · 212 settings · 11 checkpoint pairs"; empty: nothing is compared.
    QString summaryLine() const;
    QString runsLine() const; ///< "llama-ft-a against llama-ft-b"

    const std::shared_ptr<const RunComparison>& comparison() const { return m_comparison; }
    WeightDistance& weights() { return m_weights; }
    ChartBoard& board() { return m_board; }
    ChartControls* controls() const { return m_controls; }
    ChartGrid* grid() const { return m_grid; }
    CompareHeader* header() const { return m_header; }
    CompareFooter* footer() const { return m_footer; }
    CompareSide* side() const { return m_side; }
    NoticePane* notice() const { return m_notice; }
    RunPicker* picker(int side) const { return side == 0 ? m_leftPicker : m_rightPicker; }

Q_SIGNALS:
    /// Requests the comparison of two checkpoints.
    void diffRequested(const std::filesystem::path& left, const std::filesystem::path& right);
    void checkpointChosen(const std::filesystem::path& checkpoint);
    /// The user chose another run for a side here.
    void runsChosen(const std::optional<cairn::ui::RunPlace>& left,
                    const std::optional<cairn::ui::RunPlace>& right);
    void clearFilterRequested();
    void statusMessage(const QString& line);
    /// summaryLine() changed.
    void changed();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void connectParts();
    void historiesChanged();
    void recompare();
    void recompareSettings();
    void publish(std::shared_ptr<const RunComparison> comparison);
    void setSentence();
    void fillCharts();
    void refreshWeights();
    void updateNotice();
    void refreshFollow();
    void noticeAction();
    void exportCharts(const std::vector<QString>& names, ExportFormat format,
                      const QString& suggested);
    CompareOptions options() const;
    ChartContent contentOf(const QString& name) const;

    std::optional<RunPlace> m_left;
    std::optional<RunPlace> m_right;
    std::filesystem::path m_selected;
    HistoryFollower m_leftHistory;
    HistoryFollower m_rightHistory;
    std::shared_ptr<const RunComparison> m_comparison;
    std::shared_ptr<const RunComparison> m_unpublished; ///< made while the page was hidden
    std::vector<ChartedRun> m_runs;                     ///< two, or none
    std::map<QString, std::size_t> m_names;             ///< of a chart, to the metric
    bool m_weightsCharted = false;
    AsyncRunner m_comparer;
    AsyncRunner m_settingsComparer;
    AsyncRunner m_saver{AsyncRunner::Pool::Long};
    WeightDistance m_weights;
    ChartBoard m_board;

    RunPicker* m_leftPicker;
    RunPicker* m_rightPicker;
    Button* m_swap;
    ChartControls* m_controls;
    Button* m_follow;
    ChartGrid* m_grid;
    CompareHeader* m_header;
    CompareFooter* m_footer;
    NoticePane* m_notice;
    QStackedWidget* m_stack;
    CompareSide* m_side;
};

} // namespace cairn::ui
