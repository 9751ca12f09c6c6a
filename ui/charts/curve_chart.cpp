// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_chart.h"

#include "ui/charts/chart_readout.h"
#include "ui/charts/curve_ink.h"
#include "ui/charts/curve_list.h"
#include "ui/charts/curve_table.h"
#include "ui/charts/plot_canvas.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/info_mark.h"
#include "ui/widgets/quiet_views.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace cairn::ui {

CurveChart::CurveChart(ChartBoard& board, QWidget* parent)
    : Card({}, parent), m_board(board), m_name(new TextLabel({}, theme::Tone::Dim)),
      m_note(new TextLabel({}, theme::Tone::Attention)), m_readout(new ChartReadout),
      m_info(new InfoMark(tr("Sources of the curves"), [this] { return sources(); })),
      m_back(new Button(tr("Back"))), m_canvas(new PlotCanvas(board)), m_row(new QHBoxLayout),
      m_head(new QHBoxLayout), m_below(new QHBoxLayout) {
    layout()->setContentsMargins(2 * theme::kGrid - 2, theme::kGrid + 3, theme::kGrid,
                                 theme::kGrid);
    m_head->setContentsMargins(0, 0, theme::kGrid, 0);
    m_head->setSpacing(theme::kGrid);
    m_name->setFont(theme::small(m_name->font())); // in its own case: names differ by that, too
    m_name->setElideMiddle(true);
    m_note->setFont(theme::small(m_note->font()));
    m_note->hide();
    m_head->addWidget(m_name, 1);
    m_head->addWidget(m_note);
    m_head->addWidget(m_readout);
    m_head->addWidget(m_info);
    m_head->addWidget(m_back);
    m_back->hide();
    text::setToolTip(m_back, tr("Show all charts (Esc)"));
    Card::content()->setSpacing(theme::kGrid / 2);
    Card::content()->addLayout(m_head);
    Card::content()->addLayout(m_below);
    m_row->setSpacing(theme::kGrid);
    m_row->addWidget(m_canvas, 2);
    Card::content()->addLayout(m_row, 1);
    connect(m_canvas, &PlotCanvas::tickClicked, this, [this](int tick) {
        const std::filesystem::path path =
            m_content.ticks.at(static_cast<std::size_t>(tick)).checkpoint;
        Q_EMIT checkpointChosen(path);
    });
    connect(m_canvas, &PlotCanvas::enlargeRequested, this, &CurveChart::enlargeRequested);
    connect(m_canvas, &PlotCanvas::curveClicked, this, &CurveChart::curveClicked);
    connect(m_canvas, &PlotCanvas::sourcesRequested, m_info, &InfoMark::showText);
    connect(m_back, &QPushButton::clicked, this, [this] { Q_EMIT enlargeRequested(false); });
    connect(&board, &ChartBoard::crosshairChanged, this, &CurveChart::refreshReadout);
    connect(&board, &ChartBoard::viewChanged, this, &CurveChart::refreshReadout);
    connect(&board, &ChartBoard::highlightChanged, this, [this] {
        if (m_list != nullptr) {
            m_list->setHighlighted(m_board.highlighted());
        }
    });
    connect(&board, &ChartBoard::optionsChanged, this, [this] {
        refreshReadout();
        fillTable();
    });
}

CurveChart::~CurveChart() {
    m_canvas->setContent(nullptr);
}

void CurveChart::setContent(ChartContent content) {
    for (ChartCurve& curve : content.curves) {
        curve.faint = m_faint.contains(curve.series);
        m_board.include(curve.data->extent(Scale::Linear), curve.data->extent(Scale::Log));
    }
    content.colour(m_colours);
    if (content == m_content && !content.name.isEmpty()) {
        return;
    }
    m_canvas->setContent(nullptr);
    m_content = std::move(content);
    setHead(m_content.name);
    m_note->setText(m_content.note);
    m_note->setVisible(!m_content.note.isEmpty());
    text::setToolTip(m_note, m_content.noteFull);
    m_canvas->setContent(&m_content);
    m_canvas->setAccessibleName(tr("Chart of %1").arg(m_content.name));
    m_canvas->setAccessibleDescription(accessibleText());
    showList();
    refreshReadout();
    fillTable();
}

void CurveChart::setFaint(const std::set<int>& series) {
    m_faint = series;
    for (ChartCurve& curve : m_content.curves) {
        curve.faint = m_faint.contains(curve.series);
    }
    m_canvas->penChanged();
}

void CurveChart::setColours(const CurveColours& colours) {
    m_colours = colours;
    m_content.colour(colours);
    m_canvas->penChanged();
    refreshReadout();
}

void CurveChart::setEnlarged(bool enlarged) {
    m_canvas->setEnlarged(enlarged);
    m_back->setVisible(enlarged);
}

void CurveChart::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    placeReadout();
}

/// The values of a few curves are beside the name, those of more below it: the name comes first.
void CurveChart::placeReadout() {
    constexpr int kLetters = 12; // of a value
    const QFontMetrics digits(theme::mono(theme::small(font())));
    const auto curves = static_cast<int>(m_content.curves.size());
    const int needed = m_name->sizeHint().width() + m_note->sizeHint().width() +
                       curves * kLetters * digits.averageCharWidth();
    const bool isBelow = curves > 2 && !m_content.isMany() && needed > width();
    if (std::exchange(m_readBelow, isBelow) == isBelow) {
        return;
    }
    (isBelow ? m_head : m_below)->removeWidget(m_readout);
    if (isBelow) {
        m_below->addWidget(m_readout, 1);
    } else {
        m_head->insertWidget(2, m_readout);
    }
}

/// Many curves are read out beside the plot, not in the line of the name.
void CurveChart::showList() {
    const bool isMany = m_content.isMany();
    if (isMany && m_list == nullptr) {
        m_list = new CurveList;
        m_row->insertWidget(1, m_list);
        connect(m_list, &CurveList::hovered, &m_board, &ChartBoard::highlight);
        connect(m_list, &CurveList::clicked, this, &CurveChart::curveClicked);
    }
    if (m_list != nullptr) {
        m_list->setVisible(isMany);
    }
    m_readout->setVisible(!isMany);
    m_info->setVisible(!m_content.curves.empty());
    placeReadout();
}

void CurveChart::setTicks(std::vector<ChartTick> ticks) {
    m_content.ticks = std::move(ticks);
    m_canvas->ticksChanged();
    refreshReadout();
}

void CurveChart::setHead(const QString& head) {
    m_name->setText(head);
    setAccessibleName(head);
}

QString CurveChart::accessibleText() const {
    QStringList sentences;
    for (const ChartCurve& curve : m_content.curves) {
        const auto y = curve.data->y();
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        std::size_t off = 0;
        for (const double value : y) {
            off += std::isfinite(value) ? 0 : 1;
            low = std::isfinite(value) ? std::min(low, value) : low;
            high = std::isfinite(value) ? std::max(high, value) : high;
        }
        QString sentence = curve.run + QStringLiteral(": ") +
                           tr("%Ln points", nullptr, static_cast<int>(y.size()));
        if (off < y.size()) {
            sentence += tr(", minimum %1, maximum %2, last %3")
                            .arg(text::number(low), text::number(high), text::number(y.back()));
        }
        if (off > 0) {
            sentence += tr(", %Ln non-finite", nullptr, static_cast<int>(off));
        }
        sentences << sentence;
    }
    sentences << tr(
        "Left and Right move from point to point, Up and Down from curve to curve, T "
        "moves to the next checkpoint, Enter selects it, Plus and Minus zoom, Ctrl with "
        "the arrow keys pans, 0 fits all, E enlarges, I shows the sources");
    return sentences.join(QStringLiteral(". "));
}

void CurveChart::setTableShown(bool shown) {
    if (shown && m_tableView == nullptr) {
        m_table = new CurveTable(this);
        m_tableView = new QuietTableView;
        m_tableView->setModel(m_table);
        m_tableView->setFrameShape(QFrame::NoFrame);
        m_tableView->setShowGrid(false);
        m_tableView->verticalHeader()->hide();
        m_tableView->verticalHeader()->setDefaultSectionSize(m_tableView->fontMetrics().height() +
                                                             6);
        m_tableView->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
        m_tableView->horizontalHeader()->setHighlightSections(false);
        m_tableView->horizontalHeader()->setSortIndicatorShown(true);
        m_tableView->horizontalHeader()->setSortIndicatorClearable(true);
        m_tableView->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
        connect(m_tableView->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this,
                [this](int column, Qt::SortOrder order) {
                    m_sort = {column, order == Qt::DescendingOrder};
                    sortTable();
                });
        describeSorting(m_tableView, m_tableView->horizontalHeader());
        m_tableView->setSelectionBehavior(QAbstractItemView::SelectRows);
        m_tableView->setTabKeyNavigation(false);
        m_tableView->setMinimumWidth(180);
        m_row->addWidget(m_tableView, 1);
        connect(m_tableView->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
                [this](const QModelIndex& current) {
                    if (current.isValid() && m_tableView->hasFocus()) {
                        m_board.setCrosshair(m_table->placeOf(current.row()));
                    }
                });
    }
    if (m_tableView != nullptr) {
        m_tableView->setVisible(shown);
        fillTable();
    }
}

bool CurveChart::isTableShown() const {
    return m_tableView != nullptr && !m_tableView->isHidden();
}

void CurveChart::fillTable() {
    if (!isTableShown()) {
        return;
    }
    m_table->setContent(m_content, m_board.options().unit, m_board.options().axisWord);
    m_tableView->setAccessibleName(tr("Points of %1").arg(m_content.name));
    sortTable();
}

void CurveChart::sortTable() {
    m_sorter.cancel();
    if (m_sort.column < 0) {
        m_table->setOrder({});
        return;
    }
    m_sorter.start(
        [content = m_content, sort = m_sort](const CancelToken& cancel) {
            CurveTable table;
            table.setContent(content, AxisUnit::Plain, {});
            return sortedRows(table, sort, cancel);
        },
        [this](Result<std::vector<std::uint32_t>> order) {
            if (order) {
                m_table->setOrder(std::move(*order));
            }
        });
}

void CurveChart::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !m_back->isHidden()) {
        Q_EMIT enlargeRequested(false);
    } else {
        Card::keyPressEvent(event);
    }
}

void CurveChart::mousePressEvent(QMouseEvent* event) {
    m_pressedAt = event->button() == Qt::LeftButton ? std::optional(event->position().toPoint())
                                                    : std::nullopt;
    event->accept();
}

void CurveChart::mouseMoveEvent(QMouseEvent* event) {
    if (m_pressedAt && event->buttons().testFlag(Qt::LeftButton) &&
        (event->position().toPoint() - *m_pressedAt).manhattanLength() >=
            QApplication::startDragDistance()) {
        m_pressedAt.reset();
        Q_EMIT dragged();
    }
}

void CurveChart::contextMenuEvent(QContextMenuEvent* event) {
    Q_EMIT menuRequested(event->globalPos());
    event->accept();
}

} // namespace cairn::ui
