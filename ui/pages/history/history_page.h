// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/charts/chart_board.h"
#include "ui/charts/chart_export.h"
#include "ui/pages/history/history_charts.h"
#include "ui/pages/history/history_follower.h"
#include "ui/pages/history/weight_curves.h"
#include "ui/pages/kept_state.h"
#include "ui/pages/page.h"

#include <filesystem>
#include <vector>

class QStackedWidget;

namespace cairn::ui {

class Button;
class Card;
class ChartControls;
class CurveValues;
class ChartGrid;
class MessageStrip;
class NoticePane;

/// The curves of the shown checkpoint's run: loss first, a mark for every checkpoint, and the
/// sources with their problems. Follows the run while it is being written and the page is visible.
class HistoryPage : public Page, public KeepsState {
    Q_OBJECT

public:
    /// The follower outlives the page.
    explicit HistoryPage(HistoryFollower& follower, QWidget* parent = nullptr);
    ~HistoryPage() override;

    const PageInfo& info() const override;
    void showCheckpoint(const CheckpointPtr& checkpoint) override;
    void clear() override;
    void setFilter(const QString& text) override;
    bool canFilter() const override { return true; }
    QWidget* sidePanel() override;
    QWidget* filterTarget() override;
    QString filterHint() const override;
    QJsonObject keptState() const override;
    void restoreState(const QJsonObject& state) override;

    /// Draws how a tensor, a group of them (`group`) or all weights (no name) changed during the
    /// run.
    void showWeights(const QString& name, bool group) { m_weights.add(name, group); }
    WeightCurves& weights() { return m_weights; }
    /// The run whose checkpoints are marked, and which of them is shown.
    void showRun(const RunPlace& place, const std::filesystem::path& selected);
    ChartGrid* grid() const { return m_grid; }
    ChartControls* controls() const { return m_controls; }
    ChartBoard& board() { return m_board; }
    MessageStrip* warnings() const { return m_warnings; }
    NoticePane* notice() const { return m_notice; }
    bool showsCharts() const;

Q_SIGNALS:
    void checkpointChosen(const std::filesystem::path& checkpoint);
    void clearFilterRequested();
    /// For the status line: the exported file.
    void statusMessage(const QString& line);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void refresh();
    void remake();
    void showSources(const RunHistory& history);
    void showWarnings(const RunHistory& history);
    void updateNotice();
    void refreshFollow();
    ChartContent contentOf(const QString& name) const;

    HistoryFollower& m_follower;
    WeightCurves m_weights;
    ChartBoard m_board;
    ChartControls* m_controls;
    Button* m_follow;
    MessageStrip* m_warnings;
    ChartGrid* m_grid;
    Card* m_sources;
    CurveValues* m_values; ///< the right column
    NoticePane* m_notice;
    QStackedWidget* m_stack;
    RunPlace m_place;
    std::filesystem::path m_selected;
    HistoryPtr m_history;
    std::vector<ChartedRun> m_runs;
    std::map<QString, std::string> m_names; ///< as shown to as written
    AsyncRunner m_saver{AsyncRunner::Pool::Long};
};

} // namespace cairn::ui
