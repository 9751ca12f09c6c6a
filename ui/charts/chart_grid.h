// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_board.h"
#include "ui/charts/chart_content.h"
#include "ui/charts/chart_export.h"

#include <QJsonObject>
#include <QPoint>
#include <QScrollArea>

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <vector>

class QMimeData;

namespace cairn::ui {

class Card;
class CurveChart;
class LoneValues;

/// Many charts in as many columns as fit, larger where there is space. Only visible charts are
/// created and drawn: a thousand metrics cost as much as ten. Contents are requested when a chart
/// becomes visible, and the charts are created one in a turn. Metrics with a single value share one
/// card below the charts. A double click enlarges a chart to the whole page. GUI thread only.
class ChartGrid : public QScrollArea {
    Q_OBJECT

public:
    /// Called on the GUI thread, at most once for each chart that becomes visible.
    using Provider = std::function<ChartContent(const QString& name)>;

    /// The board outlives the grid.
    explicit ChartGrid(ChartBoard& board, QWidget* parent = nullptr);

    /// Recreates all charts; the scroll position stays. `lone`: metrics with one value a curve.
    void setCharts(std::vector<QString> names, Provider provider, std::vector<QString> lone = {});
    /// The names are the same, but their contents changed: requests them again.
    void refill();
    /// The curves are the same, but other checkpoints are on the axis, or another one is selected.
    /// Costs nothing that depends on the number of points.
    using TickProvider = std::function<std::vector<ChartTick>(const QString& name)>;
    void replaceTicks(const TickProvider& ticks);
    /// See CurveChart::setFaint(); of all charts.
    void setFaint(std::set<int> series);
    /// See CurveChart::setColours(); of all charts.
    void setColours(CurveColours colours);
    /// The charts have lists beside them and need more space: they are of many curves.
    void setWithLists(bool lists);
    /// One chart fills the page; empty: all charts are shown.
    void enlarge(const QString& name);
    const QString& enlarged() const { return m_enlarged; }
    /// Charts that the user does not want to see.
    void setHidden(std::set<QString> names);
    const std::set<QString>& hidden() const { return m_hidden; }
    /// The hidden ones, for another start of the program.
    void keepHidden(QJsonObject& state) const;
    void restoreHidden(const QJsonObject& state);
    /// Words that must all be in a name, ignoring case; empty: all charts.
    void setFilter(const QString& words);
    void setTablesShown(bool shown);
    /// A widget of the page above the first or under the last chart, as wide as the grid; owned
    /// from now on.
    void setHeader(QWidget* header);
    void setFooter(QWidget* footer);

    const std::vector<QString>& shownNames() const { return m_shown; }
    /// The charts and the metrics with a single value: what an export contains.
    std::vector<QString> exportedNames() const;
    bool isEmpty() const { return m_shown.empty() && m_shownLone.empty(); }
    std::size_t total() const { return m_names.size() + m_loneNames.size(); }
    LoneValues* loneValues() const { return m_lone; }
    /// The chart of a name, if it is in sight; else null.
    CurveChart* chart(const QString& name) const;
    std::size_t alive() const { return m_charts.size(); }
    ChartContent contentOf(const QString& name) const; ///< as it is shown
    /// Asks for the content of one chart again.
    void refill(const QString& name);

Q_SIGNALS:
    void checkpointChosen(const std::filesystem::path& checkpoint);
    void exportRequested(const QString& name, cairn::ui::ExportFormat format);
    void curveClicked(int series); ///< of many
    void hiddenChanged();          ///< by the user
    void enlargedChanged(bool enlarged);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void applyFilter();
    void popUpMenu(const QString& name, const QPoint& global);
    void copyImage(const QString& name) const;
    QMimeData* draggedOut(const QString& name) const; ///< a picture
    void arrangeEnlarged();
    void refillCharts();
    void fillLone();
    int columns() const;
    int rowHeight() const;
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
    Card* m_loneCard;
    LoneValues* m_lone;
    int m_top = 0;   ///< px above the charts
    int m_below = 0; ///< px that is needed below them
    std::vector<QString> m_names;
    std::vector<QString> m_shown; ///< those that the filter leaves
    std::vector<QString> m_loneNames;
    std::vector<QString> m_shownLone;
    std::set<QString> m_hidden;
    QString m_enlarged; ///< empty: none
    int m_scrolled = 0; ///< before one was enlarged
    QString m_filter;
    Provider m_provider;
    std::map<QString, CurveChart*> m_charts; ///< visible; owned by the body
    bool m_continues = false;                ///< charts in sight are still to be created
    bool m_tables = false;
    bool m_lists = false;
    std::set<int> m_faint;
    CurveColours m_colours;
};

} // namespace cairn::ui
