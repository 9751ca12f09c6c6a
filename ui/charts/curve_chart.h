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

class Button;
class ChartReadout;
class CurveList;
class CurveTable;
class InfoMark;
class PlotCanvas;

/// One metric as a card: its name, the values of every run at the crosshair (otherwise the last
/// ones in view) and their differences, the curves, where they were read from behind an "i", and an
/// optional table of the points. Many curves have a list of the best ones beside them, with the
/// scale of their colours. Uses only the board and plain values; can be part of any page. GUI
/// thread only.
class CurveChart : public Card {
    Q_OBJECT

public:
    /// The board outlives the chart.
    explicit CurveChart(ChartBoard& board, QWidget* parent = nullptr);
    ~CurveChart() override;

    void setContent(ChartContent content);
    /// Draws the curves of these runs faintly, by their series; also those of later contents.
    void setFaint(const std::set<int>& series);
    /// Colours the curves by their places on a scale; also those of later contents.
    void setColours(const CurveColours& colours);
    /// Replaces only the checkpoints on the axis.
    void setTicks(std::vector<ChartTick> ticks);
    const ChartContent& chartContent() const { return m_content; }
    /// Another title than the metric's name, as the caption of the card.
    void setHead(const QString& head);
    void setTableShown(bool shown);
    bool isTableShown() const;
    PlotCanvas* canvas() const { return m_canvas; }
    QTableView* table() const { return m_tableView; }
    /// The values that are read out: "A 1.822   B 1.79   −1.8 %".
    QString readout() const;
    CurveList* list() const { return m_list; } ///< of many curves; null: there were none yet
    /// Where the curves were read from, and what is remarkable about that.
    QString sources() const;
    InfoMark* info() const { return m_info; }
    /// The only chart of its page for now: with a button to go back.
    void setEnlarged(bool enlarged);
    Button* backButton() const { return m_back; }

Q_SIGNALS:
    void checkpointChosen(const std::filesystem::path& checkpoint);
    void menuRequested(const QPoint& global);
    void enlargeRequested(bool enlarged);
    void curveClicked(int series); ///< one of many
    void dragged();                ///< by its head, out of the page

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Listed {
        std::size_t curve;
        std::size_t point;
    };
    std::optional<double> idlePosition() const;
    std::optional<std::size_t> readPoint(std::size_t curve, std::optional<double> x) const;
    std::vector<Listed> listedCurves(std::optional<double> x) const;
    void refreshReadout();
    void refreshParts(std::optional<double> x, const std::vector<Listed>& listed);
    void refreshList(std::optional<double> x, const std::vector<Listed>& listed);
    void showList();
    void placeReadout();
    void fillTable();
    void sortTable();
    QString accessibleText() const;

    ChartBoard& m_board;
    ChartContent m_content;
    std::set<int> m_faint;
    CurveColours m_colours;
    TextLabel* m_name;
    TextLabel* m_note;
    ChartReadout* m_readout;
    InfoMark* m_info;
    Button* m_back;
    CurveList* m_list = nullptr;
    PlotCanvas* m_canvas;
    CurveTable* m_table = nullptr;
    RowSort m_sort; ///< of the table
    AsyncRunner m_sorter;
    QTableView* m_tableView = nullptr;
    QHBoxLayout* m_row;
    QHBoxLayout* m_head;
    QHBoxLayout* m_below; ///< the values of several curves, where the name leaves no room
    bool m_readBelow = false;
    std::optional<QPoint> m_pressedAt; ///< outside the curves
};

/// The difference of `right` from `left` as text: "−1.8 %", or the absolute difference if a
/// percentage is meaningless; empty if one of them is not finite.
QString differenceText(double left, double right);

} // namespace cairn::ui
