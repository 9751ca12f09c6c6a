// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/charts/chart_board.h"
#include "ui/charts/chart_content.h"
#include "ui/models/row_sort.h"
#include "ui/widgets/card.h"

#include <optional>
#include <set>

class QHBoxLayout;
class QTableView;

namespace cairn::ui {

class ChartReadout;
class CurveTable;
class PlotCanvas;

/// One metric as a card: its name, the values of every run at the crosshair (otherwise the last
/// ones) and their differences, the curves, and an optional table of the points. Uses only the
/// board and plain values; can be part of any page. GUI thread only.
class CurveChart : public Card {
    Q_OBJECT

public:
    /// The board outlives the chart.
    explicit CurveChart(ChartBoard& board, QWidget* parent = nullptr);
    ~CurveChart() override;

    void setContent(ChartContent content);
    /// Draws the curves of these runs faintly, by their series; also those of later contents.
    void setFaint(const std::set<int>& series);
    /// Replaces only the checkpoints on the axis.
    void setTicks(std::vector<ChartTick> ticks);
    const ChartContent& chartContent() const { return m_content; }
    /// Another title than the metric's name, as the caption of the card.
    void setHead(const QString& head);
    void setTableShown(bool shown);
    bool isTableShown() const;
    PlotCanvas* canvas() const { return m_canvas; }
    QTableView* table() const { return m_tableView; }
    /// The text at the right of the name: "A 1.822   B 1.79   −1.8 %".
    QString readout() const;

Q_SIGNALS:
    void checkpointChosen(const std::filesystem::path& checkpoint);
    void menuRequested(const QPoint& global);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    std::optional<double> idlePosition() const;
    std::set<std::size_t> listedCurves(std::optional<double> x) const;
    void refreshReadout();
    void fillTable();
    void sortTable();
    QString accessibleText() const;

    ChartBoard& m_board;
    ChartContent m_content;
    std::set<int> m_faint;
    TextLabel* m_name;
    TextLabel* m_note;
    ChartReadout* m_readout;
    PlotCanvas* m_canvas;
    CurveTable* m_table = nullptr;
    RowSort m_sort; ///< of the table
    AsyncRunner m_sorter;
    QTableView* m_tableView = nullptr;
    QHBoxLayout* m_row;
};

/// The difference of `right` from `left` as text: "−1.8 %", or the absolute difference if a
/// percentage is meaningless; empty if one of them is not finite.
QString differenceText(double left, double right);

} // namespace cairn::ui
