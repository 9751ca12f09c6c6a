// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_grid.h"

#include "ui/charts/curve_chart.h"
#include "ui/charts/plot_canvas.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/accessible.h"

#include <QApplication>
#include <QEvent>
#include <QScrollBar>

#include <algorithm>
#include <set>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kGap = 2 * theme::kGrid - 2;
constexpr int kMargin = 2 * theme::kGrid;
constexpr int kMinChartWidth = 340;
constexpr int kMinTableWidth = 620;
constexpr int kRowHeight = 216;
constexpr int kLoneHeight = 320;
constexpr int kAhead =
    kRowHeight; ///< px above and below the visible part in which charts are created

} // namespace

ChartGrid::ChartGrid(ChartBoard& board, QWidget* parent)
    : QScrollArea(parent), m_board(board), m_body(new QWidget) {
    setFrameShape(QFrame::NoFrame);
    setWidget(m_body);
    setWidgetResizable(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    verticalScrollBar()->setSingleStep(kRowHeight / 4);
}

void ChartGrid::setCharts(std::vector<QString> names, Provider provider) {
    m_names = std::move(names);
    m_provider = std::move(provider);
    const std::set<QString> known(m_names.begin(), m_names.end());
    dropUnless([&](const QString& name, const CurveChart&) { return known.contains(name); });
    refill();
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
    for (const auto& [name, chart] : m_charts) {
        chart->setContent(m_provider(name));
    }
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

void ChartGrid::setFilter(const QString& words) {
    if (words != m_filter) {
        m_filter = words;
        applyFilter();
        if (!m_filter.isEmpty() && isVisible()) {
            announce(this, tr("%1 of %Ln charts", nullptr, static_cast<int>(m_names.size()))
                               .arg(text::count(m_shown.size())));
        }
    }
}

void ChartGrid::applyFilter() {
    const QStringList words = m_filter.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    m_shown.clear();
    std::copy_if(m_names.begin(), m_names.end(), std::back_inserter(m_shown),
                 [&](const QString& name) {
                     return std::all_of(words.begin(), words.end(), [&](const QString& word) {
                         return name.contains(word, Qt::CaseInsensitive);
                     });
                 });
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

QRect ChartGrid::placeOf(std::size_t index) const {
    const int width = viewport()->width() - 2 * kMargin;
    const int least = m_tables ? kMinTableWidth : kMinChartWidth;
    const int fits = std::max(1, (width + kGap) / (least + kGap));
    const int columns = std::clamp(fits, 1, std::max(1, static_cast<int>(m_shown.size())));
    const int wide = (width - (columns - 1) * kGap) / columns;
    const int high = m_shown.size() == 1 ? kLoneHeight : kRowHeight;
    const int row = static_cast<int>(index) / columns;
    const int column = static_cast<int>(index) % columns;
    return {kMargin + column * (wide + kGap), m_top + row * (high + kGap), wide, high};
}

CurveChart* ChartGrid::make(const QString& name) {
    auto* made = new CurveChart(m_board, m_body);
    made->setTableShown(m_tables);
    made->setFaint(m_faint);
    made->setContent(m_provider(name));
    connect(made, &CurveChart::checkpointChosen, this, &ChartGrid::checkpointChosen);
    connect(made, &CurveChart::menuRequested, this,
            [this, name](const QPoint& global) { Q_EMIT menuRequested(name, global); });
    m_charts.emplace(name, made);
    return made;
}

void ChartGrid::arrange() {
    if (!m_provider) {
        return;
    }
    const int width = viewport()->width();
    const int inner = width - 2 * kMargin;
    m_top = kMargin;
    if (m_header != nullptr) {
        const int high = heightOf(m_header);
        m_header->setGeometry(kMargin, m_top, inner, high);
        m_top += high > 0 ? high + kGap : 0;
    }
    int bottom = m_shown.empty() ? m_top : placeOf(m_shown.size() - 1).bottom() + kGap;
    if (m_footer != nullptr) {
        const int high = heightOf(m_footer);
        m_footer->setGeometry(kMargin, bottom, inner, high);
        bottom += high + kGap;
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
