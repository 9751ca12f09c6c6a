// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/run_summary.h"

#include "core/runs/run_counts.h"
#include "ui/models/row_view.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/pages/summary/big_figure.h"
#include "ui/pages/summary/checkpoint_table.h"
#include "ui/pages/summary/loss_card.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/focus_mark.h"

#include <QHeaderView>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kMostRows = 16; ///< shown at once; more scroll

const ScannedCheckpoint* findIf(const ScannedRun& run, bool ScannedCheckpoint::*flag) {
    const auto at = std::ranges::find(run.checkpoints, true, flag);
    return at != run.checkpoints.end() ? &*at : nullptr;
}

QString placeOf(const ScannedCheckpoint& checkpoint) {
    const QString position = words::position(checkpoint.step, checkpoint.epoch);
    return position.isEmpty() ? text::fromCore(checkpoint.name) : position;
}

/// States of checkpoints that need attention: "1 incomplete, 1 being written".
QString stateCounts(const ScannedRun& run) {
    const auto count = [&](CheckpointState state) {
        return static_cast<int>(
            std::ranges::count(run.checkpoints, state, &ScannedCheckpoint::state));
    };
    QStringList parts;
    if (const int n = count(CheckpointState::Damaged)) {
        parts << RunSummary::tr("%Ln damaged", nullptr, n);
    }
    if (const int n = count(CheckpointState::Incomplete)) {
        parts << RunSummary::tr("%Ln incomplete", nullptr, n);
    }
    if (const int n = count(CheckpointState::BeingWritten)) {
        parts << RunSummary::tr("%Ln being written", nullptr, n);
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace

RunSummary::RunSummary(QWidget* parent)
    : QWidget(parent), m_head(nullptr), m_loss(new LossCard),
      m_tableCard(new Card(tr("Checkpoints"))), m_table(new RowView),
      m_rows(new CheckpointTable(this)), m_sorted(new SortedRows(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    new FocusMark(scroll, tr("Summary of the run"));
    auto* body = new QWidget;
    scroll->setWidget(body);
    layout->addWidget(scroll);
    auto* cards = new QVBoxLayout(body);
    cards->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid, 2 * theme::kGrid,
                              2 * theme::kGrid);
    cards->setSpacing(2 * theme::kGrid - 2);
    auto* head = new Card;
    m_head = head->content();
    cards->addWidget(head);
    cards->addWidget(m_loss);
    cards->addWidget(m_tableCard);
    cards->addStretch(1);
    m_loss->hide();

    m_sorted->setSourceModel(m_rows);
    m_table->setModel(m_sorted);
    m_table->setRootIsDecorated(false);
    m_table->setAccessibleName(tr("Checkpoints of the run"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder);
    m_table->header()->setSortIndicatorClearable(true);
    m_table->setNameColumn(CheckpointTable::Name);
    m_tableCard->content()->addWidget(m_table);
    connect(m_table, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        Q_EMIT checkpointChosen(m_rows->pathAt(m_sorted->mapToSource(index).row()));
    });
    connect(m_loss, &LossCard::checkpointChosen, this, &RunSummary::checkpointChosen);
    connect(m_loss, &LossCard::moreRequested, this, &RunSummary::historyRequested);
}

void RunSummary::show(const RunPlace& place) {
    const QModelIndex current = m_sorted->mapToSource(m_table->currentIndex());
    const std::filesystem::path selected = current.isValid() && place.path == m_place.path
                                               ? m_rows->pathAt(current.row())
                                               : std::filesystem::path();
    m_place = place;
    fillHead(place.run);
    m_rows->show(place.run);
    m_tableCard->setVisible(m_rows->rowCount() > 0);
    for (int column = 0; column < CheckpointTable::kColumns; ++column) {
        m_table->setColumnHidden(column, m_rows->isEmptyColumn(column));
        if (column != CheckpointTable::Name) {
            m_table->resizeColumnToContents(column);
        }
    }
    if (const int row = m_rows->rowOf(selected); row >= 0) {
        m_table->setCurrentIndex(m_sorted->mapFromSource(m_rows->index(row, 0)));
    }
    fitTable();
}

void RunSummary::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitTable();
}

void RunSummary::fitTable() {
    const int rows = std::clamp(m_rows->rowCount(), 1, kMostRows);
    const int row = std::max(m_table->sizeHintForRow(0), 3 * theme::kGrid);
    const bool scrolls = m_table->header()->length() > m_table->viewport()->width();
    const int bar = scrolls ? m_table->horizontalScrollBar()->sizeHint().height() : 0;
    m_table->setVerticalScrollBarPolicy(m_rows->rowCount() > kMostRows ? Qt::ScrollBarAsNeeded
                                                                       : Qt::ScrollBarAlwaysOff);
    m_table->setFixedHeight(m_table->header()->sizeHint().height() + rows * row + bar + 2);
}

void RunSummary::showHistory(const HistoryPtr& history) {
    m_loss->show(history, m_place, {});
}

void RunSummary::fillHead(const ScannedRun& run) {
    while (QLayoutItem* item = m_head->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    auto* name = new TextLabel(m_place.name);
    name->setFont(theme::headline(name->font()));
    name->setElideMiddle(true);
    m_head->addWidget(name);
    auto* figures = new QWidget;
    auto* row = new FlowLayout(3 * theme::kGrid, figures);
    row->addWidget(bigFigure(tr("Checkpoints"), text::count(savesOf(run))));
    if (const ScannedCheckpoint* latest = findIf(run, &ScannedCheckpoint::latest)) {
        row->addWidget(bigFigure(tr("Latest"), placeOf(*latest)));
    }
    if (const ScannedCheckpoint* best = findIf(run, &ScannedCheckpoint::best)) {
        const QString metric = text::fromCore(run.bestMetric);
        const QString caption = metric.isEmpty() ? tr("Best") : tr("Best %1").arg(metric);
        QWidget* shown =
            bigFigure(caption, run.bestValue ? text::number(*run.bestValue) : placeOf(*best),
                      theme::Tone::Good);
        text::setToolTip(shown, placeOf(*best) + QLatin1Char('\n') +
                                    words::explanation(explainBest(run, *best)));
        row->addWidget(shown);
    }
    row->addWidget(bigFigure(tr("Size"), text::bytes(run.bytes())));
    m_head->addWidget(figures);
    if (const QString trouble = stateCounts(run); !trouble.isEmpty()) {
        m_head->addWidget(new TextLabel(trouble, theme::Tone::Attention));
    }
}

} // namespace cairn::ui
