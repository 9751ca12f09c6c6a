// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_board.h"
#include "ui/charts/chart_content.h"

#include <QPoint>
#include <QScrollArea>

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace cairn::ui {

class CurveChart;

/// Many charts in as many columns as fit. Only visible charts are created and drawn: a thousand
/// metrics cost as much as ten. Contents are requested when a chart becomes visible, and the charts
/// are created one in a turn. GUI thread only.
class ChartGrid : public QScrollArea {
    Q_OBJECT

public:
    /// Called on the GUI thread, at most once for each chart that becomes visible.
    using Provider = std::function<ChartContent(const QString& name)>;

    /// The board outlives the grid.
    explicit ChartGrid(ChartBoard& board, QWidget* parent = nullptr);

    /// Recreates all charts; the scroll position stays.
    void setCharts(std::vector<QString> names, Provider provider);
    /// The names are the same, but their contents changed: requests them again.
    void refill();
    /// The curves are the same, but other checkpoints are on the axis, or another one is selected.
    /// Costs nothing that depends on the number of points.
    using TickProvider = std::function<std::vector<ChartTick>(const QString& name)>;
    void replaceTicks(const TickProvider& ticks);
    /// See CurveChart::setFaint(); of all charts.
    void setFaint(std::set<int> series);
    /// Words that must all be in a name, ignoring case; empty: all charts.
    void setFilter(const QString& words);
    void setTablesShown(bool shown);
    /// A widget of the page above the first or under the last chart, as wide as the grid; owned
    /// from now on.
    void setHeader(QWidget* header);
    void setFooter(QWidget* footer);

    const std::vector<QString>& shownNames() const { return m_shown; }
    std::size_t total() const { return m_names.size(); }
    /// The chart of a name, if it is in sight; else null.
    CurveChart* chart(const QString& name) const;
    std::size_t alive() const { return m_charts.size(); }
    ChartContent contentOf(const QString& name) const { return m_provider(name); }

Q_SIGNALS:
    void checkpointChosen(const std::filesystem::path& checkpoint);
    void menuRequested(const QString& name, const QPoint& global);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void applyFilter();
    void arrange();
    void dropUnless(const std::function<bool(const QString&, CurveChart&)>& keeps);
    QRect placeOf(std::size_t index) const;
    int heightOf(QWidget* widget) const;
    void adopt(QWidget* widget);
    CurveChart* make(const QString& name);
    void continueLater();

    ChartBoard& m_board;
    QWidget* m_body;
    QWidget* m_header = nullptr;
    QWidget* m_footer = nullptr;
    int m_top = 0; ///< px above the charts
    std::vector<QString> m_names;
    std::vector<QString> m_shown; ///< those that the filter leaves
    QString m_filter;
    Provider m_provider;
    std::map<QString, CurveChart*> m_charts; ///< visible; owned by the body
    bool m_continues = false;                ///< charts in sight are still to be created
    bool m_tables = false;
    std::set<int> m_faint;
};

} // namespace cairn::ui
