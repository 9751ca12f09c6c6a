// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/compare_side.h"

#include "ui/models/quiet_header.h"
#include "ui/models/row_delegate.h"
#include "ui/models/row_view.h"
#include "ui/pages/compare/divergence_text.h"
#include "ui/pages/compare/figure_grid.h"
#include "ui/pages/compare/pair_table.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/focus_mark.h"
#include "ui/widgets/shown_choice.h"

#include <QEvent>
#include <QHeaderView>
#include <QMenu>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr std::size_t kMaxMetrics = 40; ///< in the menu
constexpr int kMaxPairRows = 10;
constexpr int kMetricWidth = 110;

} // namespace

CompareSide::CompareSide(QWidget* parent)
    : QWidget(parent), m_head(captionLabel(tr("Summary"))), m_metric(new Button(QString())),
      m_figures(new FigureGrid), m_divergenceHead(captionLabel(tr("First divergence"))),
      m_divergence(new TextLabel), m_pairsHead(captionLabel(tr("Checkpoints"))),
      m_table(new PairTable(this)), m_pairs(new RowView),
      m_diff(new Button(tr("Diff Checkpoints"))) {
    build();
    m_diff->setToolTip(tr("Compare the two checkpoints of the selected row"));
    connect(m_pairs->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        updateDiff();
        Q_EMIT pairChosen();
    });
    connect(m_pairs, &QAbstractItemView::activated, this, &CompareSide::diff);
    connect(m_pairs, &QWidget::customContextMenuRequested, this, &CompareSide::popUpPairMenu);
    connect(m_diff, &QPushButton::clicked, this, &CompareSide::diff);
    clear();
}

bool CompareSide::isSorting() const {
    return m_table->isSorting();
}

void CompareSide::build() {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    new FocusMark(scroll);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* body = new QWidget;
    body->setAutoFillBackground(true);
    body->setBackgroundRole(QPalette::Base);
    scroll->setWidget(body);
    outer->addWidget(scroll);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid - 2, 2 * theme::kGrid,
                               2 * theme::kGrid);
    column->setSpacing(theme::kGrid);
    auto* head = new QHBoxLayout;
    head->addWidget(m_head, 1);
    m_metric->setMenu(new QMenu(this));
    markChoice(m_metric);
    m_metric->setAccessibleName(tr("Metric of the summary"));
    head->addWidget(m_metric);
    column->addLayout(head);
    column->addWidget(m_figures);
    column->addSpacing(theme::kGrid);
    column->addWidget(m_divergenceHead);
    m_divergence->setWordWrap(true);
    column->addWidget(m_divergence);
    column->addSpacing(theme::kGrid);
    column->addWidget(m_pairsHead);
    m_pairs->setModel(m_table);
    m_pairs->setRootIsDecorated(false);
    m_pairs->setSelectionMode(QAbstractItemView::SingleSelection);
    m_pairs->setTabKeyNavigation(false);
    m_pairs->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QHeaderView* sections = m_pairs->header();
    sections->setSectionsMovable(false);
    sections->setSectionResizeMode(QHeaderView::Stretch);
    sections->setStretchLastSection(false);
    sections->setSectionResizeMode(PairTable::Position, QHeaderView::Fixed);
    sections->setSectionResizeMode(PairTable::Left, QHeaderView::Fixed);
    sections->setSectionResizeMode(PairTable::Distance, QHeaderView::Fixed);
    m_pairs->setSortable(true);
    connect(m_pairs, &RowView::sortRequested, this, [this](int by, Qt::SortOrder order) {
        m_table->setSort({by, order == Qt::DescendingOrder});
        fitPairColumns(); // the arrow needs room
    });
    m_pairs->viewport()->installEventFilter(this);
    m_pairs->setAccessibleName(tr("Checkpoints of both runs"));
    column->addWidget(m_pairs);
    column->addWidget(m_diff, 0, Qt::AlignLeft);
    column->addStretch(1);
}

/// Position and distance are as wide as their texts. A and B are, too, if there is room for both;
/// else the longer one is shortened, but to no less than half of the room.
void CompareSide::fitPairColumns() {
    QHeaderView* header = m_pairs->header();
    const auto needed = [&](int column) {
        const QString head =
            m_table->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const bool isSorted =
            header->isSortIndicatorShown() && header->sortIndicatorSection() == column;
        int widest =
            fontMetrics().horizontalAdvance(head) + (isSorted ? QuietHeader::kArrowRoom : 0);
        for (int row = 0; row < m_table->rowCount(); ++row) {
            const QString text = m_table->index(row, column).data().toString();
            widest = std::max(widest, fontMetrics().horizontalAdvance(text));
        }
        return widest + 1 + 2 * RowDelegate::kPadding; // a fraction of a pixel shortens a text
    };
    const int position = needed(PairTable::Position);
    const int distance = needed(PairTable::Distance);
    const int room = m_pairs->viewport()->width() - position - distance;
    const int left =
        std::min(needed(PairTable::Left), std::max(room / 2, room - needed(PairTable::Right)));
    header->resizeSection(PairTable::Position, position);
    header->resizeSection(PairTable::Left, left);
    header->resizeSection(PairTable::Distance, distance);
}

bool CompareSide::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && watched == m_pairs->viewport()) {
        fitPairColumns();
    }
    return QWidget::eventFilter(watched, event);
}

void CompareSide::clear() {
    m_comparison.reset();
    m_weightWords.clear();
    for (QWidget* each :
         std::initializer_list<QWidget*>{m_head, m_figures, m_metric, m_divergenceHead,
                                         m_divergence, m_pairsHead, m_pairs, m_diff}) {
        each->hide();
    }
}

void CompareSide::show(std::shared_ptr<const RunComparison> comparison, const RunPlace& left,
                       const RunPlace& right, const AxisChoice& axis, double tolerance) {
    const std::optional<std::size_t> before = pair();
    const bool sameRuns = m_comparison != nullptr;
    clear();
    m_comparison = std::move(comparison);
    m_axis = axis;
    m_tolerance = tolerance;
    const auto& metrics = m_comparison->metrics;
    m_metric->menu()->clear();
    std::size_t chosen = 0; // the deciding one
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        chosen = metrics[i].name == m_metricName ? i : chosen;
    }
    for (std::size_t i = 0; i < std::min(metrics.size(), kMaxMetrics); ++i) {
        const QString name = text::withoutMnemonic(text::fromCore(metrics[i].name));
        connect(m_metric->menu()->addAction(name), &QAction::triggered, this, [this, i] {
            m_metricName = m_comparison->metrics[i].name;
            showMetric(i);
            Q_EMIT metricChosen();
        });
    }
    if (!metrics.empty()) {
        showMetric(chosen);
    }
    m_table->show(m_comparison->checkpoints, left.run, right.run);
    fitPairColumns();
    const bool any = m_table->rowCount() > 0;
    m_pairsHead->setVisible(any);
    m_pairs->setVisible(any);
    m_diff->setVisible(any);
    const int rows = std::min(m_table->rowCount(), kMaxPairRows);
    const int high = std::max(m_pairs->sizeHintForRow(0), fontMetrics().height() + theme::kGrid);
    m_pairs->setFixedHeight(m_pairs->header()->sizeHint().height() + rows * high + 2);
    const int kept = sameRuns && before ? m_table->rowOf(*before) : -1;
    const int row = kept >= 0 ? kept : m_table->firstComplete();
    if (row >= 0) {
        m_pairs->setCurrentIndex(m_table->index(row, 0));
    }
    updateDiff();
}

void CompareSide::showWeights(const WeightDistance& distance) {
    if (m_comparison == nullptr) {
        return;
    }
    m_table->showWeights(distance);
    fitPairColumns();
    m_weightWords = describeWeightDivergence(*m_comparison, distance, m_tolerance);
    updateDivergence();
}

std::optional<std::size_t> CompareSide::pair() const {
    return m_comparison != nullptr ? m_table->pair(m_pairs->currentIndex().row()) : std::nullopt;
}

QString CompareSide::pairWords() const {
    return m_table->words(m_pairs->currentIndex().row());
}

void CompareSide::choosePairOf(const std::filesystem::path& checkpoint) {
    if (const int row = m_table->rowOf(checkpoint); row >= 0) {
        m_pairs->setCurrentIndex(m_table->index(row, 0));
    }
}

void CompareSide::updateDiff() {
    const auto [left, right] = m_table->paths(m_pairs->currentIndex().row());
    m_diff->setEnabled(!left.empty() && !right.empty());
}

void CompareSide::diff() {
    const auto [left, right] = m_table->paths(m_pairs->currentIndex().row());
    if (!left.empty() && !right.empty()) {
        Q_EMIT diffRequested(left, right);
    }
}

void CompareSide::popUpPairMenu(const QPoint& at) {
    const auto [left, right] = m_table->paths(m_pairs->indexAt(at).row());
    if (left.empty() && right.empty()) {
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* both = menu->addAction(tr("Diff Checkpoints"));
    both->setEnabled(!left.empty() && !right.empty());
    connect(both, &QAction::triggered, this, &CompareSide::diff);
    menu->addSeparator();
    for (const auto& [path, words] : {std::pair(left, tr("Go to Checkpoint of A")),
                                      std::pair(right, tr("Go to Checkpoint of B"))}) {
        QAction* go = menu->addAction(words);
        go->setEnabled(!path.empty());
        connect(go, &QAction::triggered, this,
                [this, target = path] { Q_EMIT checkpointChosen(target); });
    }
    menu->popup(m_pairs->viewport()->mapToGlobal(at));
}

void CompareSide::showMetric(std::size_t index) {
    m_metricIndex = index;
    const MetricComparison& metric = m_comparison->metrics[index];
    const QString name = text::fromCore(shownName(metric));
    m_metric->setText(
        text::withoutMnemonic(text::elided(name, m_metric->fontMetrics(), kMetricWidth)));
    text::setToolTip(m_metric, name);
    m_metric->updateGeometry();
    m_metric->show();
    m_head->show();
    m_figures->show(metric, m_axis);
    m_figures->QWidget::show();
    updateDivergence();
}

void CompareSide::updateDivergence() {
    QStringList paragraphs{m_weightWords};
    const auto& metrics = m_comparison->metrics;
    if (m_metricIndex < metrics.size()) {
        const MetricComparison& chosen = metrics[m_metricIndex];
        paragraphs << describeCurveDivergence(chosen, m_axis, m_tolerance);
        const auto other = std::ranges::find_if(
            metrics, [](const MetricComparison& metric) { return metric.common > 0; });
        if (chosen.common == 0 && other != metrics.end()) { // measured at other steps
            paragraphs << describeCurveDivergence(*other, m_axis, m_tolerance);
        }
    }
    paragraphs.removeAll(QString());
    paragraphs.replaceInStrings(QStringLiteral(" %"), QStringLiteral("\u00a0%"));
    m_divergence->setText(paragraphs.join(QStringLiteral("\n\n")));
    m_divergence->setVisible(!paragraphs.isEmpty());
    m_divergenceHead->setVisible(!paragraphs.isEmpty());
    Q_EMIT divergenceChanged();
}

void CompareSide::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    Q_EMIT divergenceChanged();
}

void CompareSide::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    Q_EMIT divergenceChanged();
}

std::string CompareSide::metric() const {
    const bool any = m_comparison != nullptr && m_metricIndex < m_comparison->metrics.size();
    return any ? m_comparison->metrics[m_metricIndex].name : std::string();
}

QString CompareSide::divergence() const {
    return m_divergence->text();
}

} // namespace cairn::ui
