// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the Space page.
#include "ui/models/row_view.h"
#include "ui/pages/notice_pane.h"
#include "ui/pages/space/cell_table.h"
#include "ui/pages/space/crumb_bar.h"
#include "ui/pages/space/plan_panel.h"
#include "ui/pages/space/rule_bar.h"
#include "ui/pages/space/space_legend.h"
#include "ui/pages/space/space_page.h"
#include "ui/pages/space/treemap_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/message_strip.h"
#include "ui/widgets/segments.h"

#include <QHeaderView>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kVisibleRows = 10;
constexpr int kLeastRows = 2;
constexpr int kPlanRows = 6;   ///< that are seen in a low window, as far as the map leaves room
constexpr int kSpare = 4;      ///< px, for which a table would not need a scroll bar
constexpr int kLeastLines = 6; ///< of text, which are the header and two rows

} // namespace

void SpacePage::build() {
    m_stack = new QStackedLayout(this);
    m_notice = new NoticePane;
    m_rules = new RuleBar;
    m_strip = new MessageStrip;
    m_panel = new PlanPanel(this);
    m_panel->hide();
    auto* body = new QWidget;
    auto* column = m_column = new QVBoxLayout(body);
    column->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid, 2 * theme::kGrid,
                               2 * theme::kGrid);
    column->setSpacing(theme::kGrid + 4);
    column->addWidget(m_rules);
    column->addWidget(m_strip);
    m_strip->hide();
    m_mapCard = buildMap();
    m_tableCard = buildTable();
    column->addWidget(m_mapCard, 1);
    column->addWidget(m_tableCard, 1); // up to ten rows
    m_stack->addWidget(body);
    m_stack->addWidget(m_notice);
}

QWidget* SpacePage::buildMap() {
    auto* card = new Card;
    m_crumbs = new CrumbBar;
    m_view = new TreemapView;
    m_legend = new SpaceLegend;
    m_pointed = new TextLabel({}, theme::Tone::Dim);
    m_pointed->setElideMiddle(true);
    card->content()->setSpacing(theme::kGrid / 2);
    auto* head = new QHBoxLayout;
    head->setSpacing(2 * theme::kGrid);
    head->addWidget(m_crumbs);
    m_pointed->setAlignment(Qt::AlignTrailing | Qt::AlignVCenter);
    m_pointed->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // the path comes first
    head->addWidget(m_pointed, 1);
    card->content()->addLayout(head);
    card->content()->addWidget(m_view, 1);
    card->content()->addWidget(m_legend);
    return card;
}

/// Map and table have half of the height each. In a low window a plan has more, so that its rows
/// are seen without scrolling: up to three fifths.
void SpacePage::shareHeight() {
    int rest = m_column->contentsMargins().top() + m_column->contentsMargins().bottom();
    for (const QWidget* each : {static_cast<QWidget*>(m_rules), static_cast<QWidget*>(m_strip)}) {
        rest += each->isHidden() ? 0 : each->sizeHint().height() + m_column->spacing();
    }
    const int height = std::max(2, this->height() - rest - m_column->spacing());
    const int around = m_tableCard->sizeHint().height() - m_table->sizeHint().height();
    const int rows = m_table->header()->sizeHint().height() +
                     std::min(kPlanRows, m_rows->rowCount()) * rowHeight() + kSpare;
    const int half = height / 2;
    const int table = m_shownTable == Table::Plan
                          ? std::clamp(around + rows, half, std::max(half, height * 3 / 5))
                          : half;
    m_column->setStretchFactor(m_mapCard, height - table);
    m_column->setStretchFactor(m_tableCard, table);
}

void SpacePage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    shareHeight();
}

int SpacePage::rowHeight() const {
    return std::max(m_table->sizeHintForRow(0), m_table->fontMetrics().height() + theme::kGrid);
}

QWidget* SpacePage::buildTable() {
    auto* card = new Card;
    m_which = new Segments({tr("Plan"), tr("Largest")});
    m_which->setAccessibleName(tr("Table"));
    m_head = captionLabel(tr("Ten largest"));
    m_rows = new CellTable(this);
    m_table = new RowView;
    m_table->setModel(m_rows);
    m_table->setRootIsDecorated(false);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->header()->setStretchLastSection(true);
    m_table->viewport()->installEventFilter(this);
    m_table->setMinimumHeight(kLeastLines * m_table->fontMetrics().height());
    const auto fitHeight = [this, card] { // the map takes what is left
        const int rows = std::clamp(m_rows->rowCount(), kLeastRows, kVisibleRows);
        const int table = m_table->header()->sizeHint().height() + rows * rowHeight() + kSpare;
        card->setMaximumHeight(card->sizeHint().height() - m_table->sizeHint().height() + table);
    };
    connect(m_rows, &QAbstractItemModel::modelReset, card, fitHeight);
    auto* head = new QHBoxLayout;
    head->addWidget(m_which);
    head->addWidget(m_head);
    head->addStretch(1);
    card->content()->setSpacing(theme::kGrid / 2);
    card->content()->addLayout(head);
    card->content()->addWidget(m_table, 1);
    fitHeight();
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) { chooseRow(current); });
    connect(m_which, &Segments::chosenByUser, this, &SpacePage::showTable);
    return card;
}

} // namespace cairn::ui
