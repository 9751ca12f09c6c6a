// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_grid.h"

#include "ui/charts/curve_chart.h"
#include "ui/charts/lone_values.h"
#include "ui/charts/plot_canvas.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/dragged_files.h"

#include <QApplication>
#include <QEvent>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <set>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kGap = 2 * theme::kGrid - 2;
constexpr int kMargin = 2 * theme::kGrid;
constexpr int kMinChartWidth = 340;
constexpr int kMinTableWidth = 620;
constexpr int kMinListWidth = 430;
constexpr int kMostColumns = 4;
constexpr int kRowHeight = 216;
constexpr int kListRowHeight = 264;
constexpr int kLoneHeight = 320;
constexpr int kMostHeight = 640;
constexpr double kWidthShare = 0.45; ///< of the width, as the height of a chart that has space
constexpr double kFillShare = 0.62;  ///< likewise, of charts that fill the page
constexpr int kAhead =
    kRowHeight; ///< px above and below the visible part in which charts are created

} // namespace

ChartGrid::ChartGrid(ChartBoard& board, QWidget* parent)
    : QScrollArea(parent), m_board(board), m_body(new QWidget),
      m_loneCard(new Card(tr("Single values"), m_body)), m_lone(new LoneValues(board)) {
    m_loneCard->content()->addWidget(m_lone);
    m_loneCard->hide();
    setFrameShape(QFrame::NoFrame);
    setWidget(m_body);
    setWidgetResizable(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    verticalScrollBar()->setSingleStep(kRowHeight / 4);
}

void ChartGrid::setCharts(std::vector<QString> names, Provider provider,
                          std::vector<QString> lone) {
    m_names = std::move(names);
    m_loneNames = std::move(lone);
    m_provider = std::move(provider);
    const std::set<QString> known(m_names.begin(), m_names.end());
    dropUnless([&](const QString& name, const CurveChart&) { return known.contains(name); });
    refillCharts(); // of single values, the shown ones are chosen first
    applyFilter();
}

void ChartGrid::dropUnless(const std::function<bool(const QString&, CurveChart&)>& keeps) {
    std::vector<CurveChart*> dropped;
    for (auto each = m_charts.begin(); each != m_charts.end();) {
        if (keeps(each->first, *each->second)) {
            ++each;
        } else {
            dropped.push_back(each->second);
            each = m_charts.erase(each);
        }
    }
    for (CurveChart* chart : dropped) {
        // Hiding the focused chart would pass the focus on, which scrolls and calls this again.
        if (QWidget* focus = QApplication::focusWidget(); chart->isAncestorOf(focus)) {
            focus->clearFocus();
        }
        chart->hide();
        m_board.turns().add(chart, [chart] { delete chart; }); // 2 ms for 60 curves
    }
}

void ChartGrid::refill() {
    refillCharts();
    fillLone();
}

void ChartGrid::refillCharts() {
    for (const auto& [name, chart] : m_charts) {
        chart->setContent(m_provider(name));
    }
}

void ChartGrid::refill(const QString& name) {
    if (CurveChart* shown = chart(name)) {
        shown->setContent(m_provider(name));
    } else if (std::ranges::find(m_shownLone, name) != m_shownLone.end()) {
        fillLone();
        arrange();
    }
}

void ChartGrid::fillLone() {
    std::vector<ChartContent> contents;
    for (const QString& name : m_shownLone) {
        contents.push_back(contentOf(name));
    }
    m_lone->show(std::move(contents));
}

ChartContent ChartGrid::contentOf(const QString& name) const {
    ChartContent content = m_provider(name);
    content.colour(m_colours);
    return content;
}

std::vector<QString> ChartGrid::exportedNames() const {
    std::vector<QString> names = m_shown;
    names.insert(names.end(), m_shownLone.begin(), m_shownLone.end());
    return names;
}

void ChartGrid::replaceTicks(const TickProvider& ticks) {
    for (const auto& [name, chart] : m_charts) {
        chart->setTicks(ticks(name));
    }
}

void ChartGrid::setFaint(std::set<int> series) {
    if (series != m_faint) {
        m_faint = std::move(series);
        for (const auto& [name, chart] : m_charts) {
            chart->setFaint(m_faint);
        }
    }
}

void ChartGrid::setColours(CurveColours colours) {
    if (!(colours == m_colours)) {
        m_colours = std::move(colours);
        for (const auto& [name, chart] : m_charts) {
            chart->setColours(m_colours);
        }
        fillLone();
    }
}

void ChartGrid::setWithLists(bool lists) {
    if (std::exchange(m_lists, lists) != lists) {
        arrange();
    }
}

void ChartGrid::setHidden(std::set<QString> names) {
    m_hidden = std::move(names);
    applyFilter();
}

void ChartGrid::enlarge(const QString& name) {
    if (name == m_enlarged) {
        return;
    }
    if (m_enlarged.isEmpty()) {
        m_scrolled = verticalScrollBar()->value();
    }
    CurveChart* before = chart(m_enlarged);
    m_enlarged = name;
    if (before != nullptr) {
        before->setEnlarged(false);
    }
    if (!name.isEmpty()) {
        verticalScrollBar()->setValue(0);
    }
    for (QWidget* around : {m_header, m_footer, static_cast<QWidget*>(m_loneCard)}) {
        if (around != nullptr) {
            around->setEnabled(name.isEmpty()); // out of sight, and not for the keys
        }
    }
    Q_EMIT enlargedChanged(!name.isEmpty());
    arrange();
    if (name.isEmpty()) {
        verticalScrollBar()->setValue(m_scrolled);
    } else if (CurveChart* now = chart(name)) {
        now->canvas()->setFocus(Qt::OtherFocusReason); // Escape leads back
    }
}

void ChartGrid::setFilter(const QString& words) {
    if (words != m_filter) {
        m_filter = words;
        applyFilter();
        if (!m_filter.isEmpty() && isVisible()) {
            announce(this, tr("%1 of %Ln charts", nullptr, static_cast<int>(total()))
                               .arg(text::count(exportedNames().size())));
        }
    }
}

void ChartGrid::applyFilter() {
    const QStringList words = m_filter.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const auto isShown = [&](const QString& name) {
        return !m_hidden.contains(name) &&
               std::all_of(words.begin(), words.end(), [&](const QString& word) {
                   return name.contains(word, Qt::CaseInsensitive);
               });
    };
    m_shown.clear();
    m_shownLone.clear();
    std::ranges::copy_if(m_names, std::back_inserter(m_shown), isShown);
    std::ranges::copy_if(m_loneNames, std::back_inserter(m_shownLone), isShown);
    fillLone();
    if (std::ranges::find(m_shown, m_enlarged) == m_shown.end()) {
        enlarge({});
    }
    arrange();
}

void ChartGrid::setTablesShown(bool shown) {
    m_tables = shown;
    for (const auto& [name, chart] : m_charts) {
        chart->setTableShown(shown);
    }
    arrange();
}

void ChartGrid::setHeader(QWidget* header) {
    m_header = header;
    adopt(header);
}

void ChartGrid::setFooter(QWidget* footer) {
    m_footer = footer;
    adopt(footer);
}

void ChartGrid::adopt(QWidget* widget) {
    widget->setParent(m_body);
    widget->installEventFilter(this);
    widget->show();
    arrange();
}

bool ChartGrid::eventFilter(QObject* watched, QEvent* event) {
    const bool own = watched == m_footer || watched == m_header;
    if (own && event->type() == QEvent::LayoutRequest) {
        arrange();
    }
    return QScrollArea::eventFilter(watched, event);
}

int ChartGrid::heightOf(QWidget* widget) const {
    const int inner = viewport()->width() - 2 * kMargin;
    return widget->hasHeightForWidth() ? widget->heightForWidth(inner)
                                       : widget->sizeHint().height();
}

CurveChart* ChartGrid::chart(const QString& name) const {
    const auto found = m_charts.find(name);
    return found != m_charts.end() ? found->second : nullptr;
}

int ChartGrid::columns() const {
    const int width = viewport()->width() - 2 * kMargin;
    const int least = std::max(m_tables  ? kMinTableWidth
                               : m_lists ? kMinListWidth
                                         : kMinChartWidth,
                               width / kMostColumns - kGap);
    const int all = std::max(1, static_cast<int>(m_shown.size()));
    int count = std::clamp((width + kGap) / (least + kGap), 1, all);
    // Fewer and larger ones, as long as all of them are in sight.
    for (int fewer = count - 1; fewer > 0; --fewer) {
        const int wide = (width - (fewer - 1) * kGap) / fewer;
        const int high = std::max(kRowHeight, static_cast<int>(wide * kWidthShare));
        const int rows = (all + fewer - 1) / fewer;
        if (rows * (high + kGap) > viewport()->height() - m_top - m_below) {
            break;
        }
        count = fewer;
    }
    return count;
}

/// Charts grow with their width, and until the page is filled.
int ChartGrid::rowHeight() const {
    const int count = columns();
    const int wide = (viewport()->width() - 2 * kMargin - (count - 1) * kGap) / count;
    const int least = m_lists ? kListRowHeight : m_shown.size() == 1 ? kLoneHeight : kRowHeight;
    const int inView = std::max(least, viewport()->height() - 2 * kMargin);
    const int high = std::min(
        std::clamp(static_cast<int>(wide * kWidthShare), least, kMostHeight * 2 / 3), inView);
    const int rows = (static_cast<int>(m_shown.size()) + count - 1) / count;
    const int room = (viewport()->height() - m_top - m_below) / std::max(1, rows) - kGap;
    return std::max(high, std::min({room, static_cast<int>(wide * kFillShare), kMostHeight}));
}

QRect ChartGrid::placeOf(std::size_t index) const {
    const int width = viewport()->width() - 2 * kMargin;
    const int count = columns();
    const int wide = (width - (count - 1) * kGap) / count;
    const int high = rowHeight();
    const int row = static_cast<int>(index) / count;
    const int column = static_cast<int>(index) % count;
    return {kMargin + column * (wide + kGap), m_top + row * (high + kGap), wide, high};
}

CurveChart* ChartGrid::make(const QString& name) {
    auto* made = new CurveChart(m_board, m_body);
    made->setTableShown(m_tables);
    made->setFaint(m_faint);
    made->setColours(m_colours);
    made->setContent(m_provider(name));
    connect(made, &CurveChart::checkpointChosen, this, &ChartGrid::checkpointChosen);
    connect(made, &CurveChart::menuRequested, this,
            [this, name](const QPoint& global) { popUpMenu(name, global); });
    connect(made, &CurveChart::dragged, this, [this, name] { startDrag(this, draggedOut(name)); });
    connect(made, &CurveChart::curveClicked, this, &ChartGrid::curveClicked);
    connect(made, &CurveChart::enlargeRequested, this,
            [this, name](bool enlarged) { enlarge(enlarged ? name : QString()); });
    m_charts.emplace(name, made);
    return made;
}

void ChartGrid::arrange() {
    if (!m_provider) {
        return;
    }
    if (!m_enlarged.isEmpty()) {
        arrangeEnlarged();
        return;
    }
    const int width = viewport()->width();
    const int inner = width - 2 * kMargin;
    m_top = kMargin;
    m_loneCard->setVisible(!m_shownLone.empty());
    const int lone = m_shownLone.empty() ? 0 : heightOf(m_loneCard) + kGap;
    const int footer = m_footer != nullptr ? heightOf(m_footer) + kGap : 0;
    m_below = lone + footer + kMargin - kGap;
    if (m_header != nullptr) {
        const int high = heightOf(m_header);
        m_header->setGeometry(kMargin, m_top, inner, high);
        m_top += high > 0 ? high + kGap : 0;
    }
    int bottom = m_shown.empty() ? m_top : placeOf(m_shown.size() - 1).bottom() + kGap;
    if (lone > 0) {
        m_loneCard->setGeometry(kMargin, bottom, inner, lone - kGap);
        bottom += lone;
    }
    if (m_footer != nullptr) {
        m_footer->setGeometry(kMargin, bottom, inner, footer - kGap);
        bottom += footer;
    }
    m_body->resize(width, bottom);
    const int top = verticalScrollBar()->value() - kAhead;
    const int end = verticalScrollBar()->value() + viewport()->height() + kAhead;
    std::set<QString> seen;
    bool made = false;
    CurveChart* before = nullptr;
    for (std::size_t i = 0; i < m_shown.size(); ++i) {
        const QRect place = placeOf(i);
        if (place.bottom() < top) {
            continue;
        }
        if (place.top() > end) {
            break;
        }
        seen.insert(m_shown[i]);
        CurveChart* here = chart(m_shown[i]);
        if (here == nullptr && made) {
            continueLater();
            continue;
        }
        if (here == nullptr) {
            here = make(m_shown[i]);
            made = true;
        }
        here->setGeometry(place);
        here->show();
        if (before != nullptr) {
            QWidget::setTabOrder(before->canvas(), here->canvas());
        }
        before = here;
    }
    dropUnless([&](const QString& name, CurveChart& chart) {
        const auto at = std::find(m_shown.begin(), m_shown.end(), name);
        const bool focused = at != m_shown.end() && chart.isAncestorOf(QApplication::focusWidget());
        if (focused) { // it keeps the focus while hidden
            chart.setGeometry(placeOf(static_cast<std::size_t>(at - m_shown.begin())));
        }
        return focused || seen.contains(name);
    });
}

/// One chart has all of the page; what is around it is below its end.
void ChartGrid::arrangeEnlarged() {
    const QSize page = viewport()->size();
    m_body->resize(page);
    for (QWidget* around : {m_header, m_footer, static_cast<QWidget*>(m_loneCard)}) {
        if (around != nullptr) {
            around->move(kMargin, page.height() + kMargin);
        }
    }
    CurveChart* only = chart(m_enlarged);
    if (only == nullptr) {
        only = make(m_enlarged);
    }
    only->setEnlarged(true);
    only->setGeometry(QRect(QPoint(), page).adjusted(kMargin, kMargin, -kMargin, -kMargin));
    only->show();
    dropUnless([this](const QString& name, const CurveChart&) { return name == m_enlarged; });
}

void ChartGrid::continueLater() {
    if (!std::exchange(m_continues, true)) {
        m_board.turns().add(this, [this] {
            m_continues = false;
            arrange();
        });
    }
}

void ChartGrid::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    arrange();
}

void ChartGrid::scrollContentsBy(int dx, int dy) {
    QScrollArea::scrollContentsBy(dx, dy);
    arrange();
}

} // namespace cairn::ui
