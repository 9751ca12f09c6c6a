// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/space/space_table.h"

#include "ui/models/row_view.h"
#include "ui/pages/space/cell_table.h"
#include "ui/pages/space/plan_words.h"
#include "ui/pages/space/treemap_view.h"
#include "ui/text/plain_text.h"
#include "ui/text/program_numbers.h"
#include "ui/theme/theme.h"
#include "ui/widgets/segments.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kVisibleRows = 10;
constexpr int kLeastRows = 2;
constexpr int kPlanRows = 6;   ///< that are seen in a low window, as far as the map leaves room
constexpr int kSpare = 4;      ///< px, for which a table would not need a scroll bar
constexpr int kLeastLines = 6; ///< of text, which are the header and two rows
constexpr int kPlan = 0;
enum PlanColumn { kName, kFrees, kWhy, kLoses };

QString percent(double share) {
    constexpr double kLeast = 0.1;
    const bool isLess = share > 0 && share * 100 < kLeast / 2; // would be shown as zero
    return (isLess ? QStringLiteral("< ") : QString()) +
           text::inLocale(QString::number(isLess ? kLeast : share * 100, 'f', 1));
}

/// The path below the experiment, or a tensor's name.
QString wholeName(const SpaceMap& map, std::uint32_t source) {
    if (map.checkpoint) {
        return text::fromCore(map.checkpoint->tensors()[source].name);
    }
    const auto below = map.tree->pathOf(source).lexically_relative(map.tree->path);
    return text::fromPath(below.empty() || below == "." ? map.tree->path.filename() : below);
}

} // namespace

SpaceTable::SpaceTable(const TreemapView& view)
    : m_view(view), m_which(new Segments({tr("Plan"), tr("Largest")})),
      m_head(captionLabel(tr("Ten largest"))), m_rows(new CellTable(this)), m_table(new RowView) {
    build();
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &SpaceTable::chooseRow);
    connect(m_which, &Segments::chosenByUser, this, &SpaceTable::kindChosen);
}

void SpaceTable::build() {
    m_which->setAccessibleName(tr("Table"));
    m_table->setModel(m_rows);
    m_table->setRootIsDecorated(false);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->header()->setStretchLastSection(true);
    m_table->viewport()->installEventFilter(this);
    m_table->setMinimumHeight(kLeastLines * m_table->fontMetrics().height());
    const auto fitHeight = [this] { // the map takes what is left
        const int rows = std::clamp(m_rows->rowCount(), kLeastRows, kVisibleRows);
        const int table = m_table->header()->sizeHint().height() + rows * rowHeight() + kSpare;
        setMaximumHeight(sizeHint().height() - m_table->sizeHint().height() + table);
    };
    connect(m_rows, &QAbstractItemModel::modelReset, this, fitHeight);
    auto* head = new QHBoxLayout;
    head->addWidget(m_which);
    head->addWidget(m_head);
    head->addStretch(1);
    content()->setSpacing(theme::kGrid / 2);
    content()->addLayout(head);
    content()->addWidget(m_table, 1);
    fitHeight();
}

int SpaceTable::planHeight() const {
    if (m_kind != Kind::Plan) {
        return 0;
    }
    const int around = sizeHint().height() - m_table->sizeHint().height();
    return around + m_table->header()->sizeHint().height() +
           std::min(kPlanRows, m_rows->rowCount()) * rowHeight() + kSpare;
}

int SpaceTable::rowHeight() const {
    return std::max(m_table->sizeHintForRow(0), m_table->fontMetrics().height() + theme::kGrid);
}

void SpaceTable::showRows(bool plans, const RetentionController::OutcomePtr& outcome) {
    m_which->setVisible(plans);
    m_head->setVisible(!plans);
    if (plans && m_which->chosen() == kPlan) {
        showPlan(outcome);
    } else {
        showLargest();
    }
}

void SpaceTable::showPlan(const RetentionController::OutcomePtr& outcome) {
    m_ranking.cancel();
    m_filling = true;
    if (m_kind != Kind::Plan) {
        m_kind = Kind::Plan;
        m_rows->setColumns(planColumns());
        m_table->header()->setSortIndicator(-1, Qt::AscendingOrder);
        m_table->setSortingEnabled(true);
        m_table->setAccessibleName(tr("Plan"));
    }
    m_rows->setRows(outcome ? planRows(*outcome, m_planPaths) : std::vector<CellTable::Row>());
    fitPlanColumns();
    m_filling = false;
    Q_EMIT rowsReplaced();
    selectRow();
}

/// What would be lost is shown if there is any. All columns are seen without scrolling: names have
/// at most a third if the sentences need the rest, and these half of what is left each if both are
/// long.
void SpaceTable::fitPlanColumns() {
    QHeaderView* header = m_table->header();
    bool loses = false;
    for (int row = 0; row < m_rows->rowCount(); ++row) {
        loses = loses || !m_rows->index(row, kLoses).data().toString().isEmpty();
    }
    header->setStretchLastSection(false);
    header->setSectionResizeMode(QHeaderView::Interactive);
    m_table->setColumnHidden(kLoses, !loses);
    m_planWidths.clear();
    for (const int column : {kName, kFrees, kWhy, kLoses}) {
        m_table->resizeColumnToContents(column);
        m_planWidths.push_back(header->sectionSize(column)); // a hidden one has none
    }
    m_table->setNameColumn(-1);
    placePlanColumns();
}

void SpaceTable::placePlanColumns() {
    const int width = m_table->viewport()->width();
    const int frees = m_planWidths[kFrees];
    const int sentences = m_planWidths[kWhy] + m_planWidths[kLoses];
    const int name = std::min(m_planWidths[kName], std::max(width / 3, width - frees - sentences));
    const int room = std::max(0, width - name - frees);
    const int loses = std::min(m_planWidths[kLoses], std::max(room / 2, room - m_planWidths[kWhy]));
    QHeaderView* header = m_table->header();
    header->resizeSection(kName, name);
    header->resizeSection(kFrees, frees);
    header->resizeSection(kWhy, room - loses);
    if (loses > 0) {
        header->resizeSection(kLoses, loses);
    }
}

bool SpaceTable::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && m_kind == Kind::Plan && !m_planWidths.empty()) {
        placePlanColumns();
    }
    return Card::eventFilter(watched, event);
}

void SpaceTable::showLargest() {
    const SpaceMapPtr map = m_view.map();
    if (map->checkpoint) {
        m_ranked = {};
        fillLargest(map->largest);
        return;
    }
    const std::pair<SpaceMapPtr, std::uint32_t> wanted{map, m_view.root()};
    if (m_kind == Kind::Largest && m_ranked == wanted) {
        selectRow();
        return;
    }
    const std::uint32_t source = map->nodes[m_view.root()].source;
    m_ranking.start(
        [map, source](const CancelToken&) -> Result<std::vector<std::uint32_t>> {
            return largestOf(*map->tree, source, SpaceMap::kLargest);
        },
        [this, wanted](Result<std::vector<std::uint32_t>> nodes) {
            if (nodes && wanted.first == m_view.map()) {
                m_ranked = wanted;
                fillLargest(*nodes);
            }
        });
}

/// `nodes`: of the tree, or tensors.
void SpaceTable::fillLargest(const std::vector<std::uint32_t>& nodes) {
    const SpaceMapPtr map = m_view.map();
    m_filling = true;
    m_kind = Kind::Largest;
    m_rows->setColumns({{map->checkpoint ? tr("Tensor") : tr("Checkpoint or File")},
                        {tr("Size"), true},
                        {tr("Share"), true}});
    m_table->header()->setSortIndicator(-1, Qt::AscendingOrder);
    m_table->setSortingEnabled(true);
    m_table->setAccessibleName(tr("Ten largest"));
    std::vector<CellTable::Row> rows;
    const auto total = static_cast<double>(map->nodes[map->checkpoint ? 0 : m_view.root()].bytes);
    for (const std::uint32_t source : nodes) {
        const std::uint64_t bytes = map->checkpoint ? map->checkpoint->tensors()[source].bytes()
                                                    : map->tree->nodes[source].bytes;
        const double share = total > 0 ? static_cast<double>(bytes) / total : 0;
        const auto shareText = [&] { return tr("%1 %").arg(percent(share)); };
        rows.push_back({source,
                        {{wholeName(*map, source)},
                         sizeCell(bytes),
                         {shareText(), share, {}, false, false, text::forPrograms(shareText)}}});
    }
    m_rows->setRows(std::move(rows));
    Q_EMIT rowsReplaced();
    m_planWidths.clear();
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setSectionResizeMode(QHeaderView::Interactive);
    for (int column = 1; column < m_rows->columnCount(); ++column) {
        m_table->resizeColumnToContents(column);
    }
    m_table->setNameColumn(0);
    m_filling = false;
    selectRow();
}

void SpaceTable::chooseRow(const QModelIndex& index) {
    const SpaceMapPtr map = m_view.map();
    if (m_filling || !index.isValid() || !map) {
        return;
    }
    const std::uint64_t key = m_rows->keyAt(index);
    std::uint32_t node = SpaceMap::kNone;
    if (m_kind == Kind::Plan) {
        const auto at = map->saves.find(m_planPaths[key]);
        node = at != map->saves.end() ? at->second : SpaceMap::kNone;
    } else {
        node = map->nodeOf[key];
    }
    if (node != SpaceMap::kNone) {
        Q_EMIT nodeChosen(node);
    }
}

/// The row of the tile that is selected.
void SpaceTable::selectRow() {
    const SpaceMapPtr map = m_view.map();
    const auto selected = m_view.selected();
    m_filling = true;
    QModelIndex row;
    if (map && selected && map->nodes[*selected].source != SpaceMap::kNone) {
        if (m_kind == Kind::Plan) {
            const auto path = map->isCheckpoint(*selected)
                                  ? map->tree->pathOf(map->nodes[*selected].source)
                                  : std::filesystem::path();
            const auto at = std::ranges::find(m_planPaths, path);
            if (at != m_planPaths.end()) {
                row = m_rows->find(static_cast<std::uint64_t>(at - m_planPaths.begin()));
            }
        } else {
            row = m_rows->find(map->nodes[*selected].source);
        }
    }
    if (row.isValid()) {
        m_table->setCurrentIndex(row);
        m_table->scrollTo(row);
    } else {
        m_table->clearSelection();
        m_table->selectionModel()->clearCurrentIndex();
    }
    m_filling = false;
}

} // namespace cairn::ui
