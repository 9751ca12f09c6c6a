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
constexpr int kSpare = 4;      ///< px, for which a table would not need a scroll bar
constexpr int kLeastLines = 6; ///< of text, which are the header and two rows
enum Which { kMap, kPlan, kLargest };
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
    : m_view(view), m_rowsChosen(kPlan),
      m_which(new Segments({tr("Map"), tr("Plan"), tr("Largest")})),
      m_head(captionLabel(tr("Ten largest"))), m_rows(new CellTable(this)), m_table(new RowView) {
    build();
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &SpaceTable::chooseRow);
    connect(m_which, &Segments::chosenByUser, this, &SpaceTable::choose);
}

void SpaceTable::build() {
    m_which->setAccessibleName(tr("Table"));
    m_which->choose(m_rowsChosen);
    m_which->setOffered(kMap, false);
    m_table->setModel(m_rows);
    m_table->setRootIsDecorated(false);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->header()->setStretchLastSection(true);
    m_table->viewport()->installEventFilter(this);
    m_table->setMinimumHeight(kLeastLines * m_table->fontMetrics().height());
    connect(m_rows, &QAbstractItemModel::modelReset, this, &SpaceTable::fitHeight);
    auto* head = new QHBoxLayout;
    head->addWidget(m_which);
    head->addWidget(m_head);
    head->addStretch(1);
    content()->setSpacing(theme::kGrid / 2);
    content()->addLayout(head);
    content()->addWidget(m_table, 1);
    fitHeight();
}

/// The map takes what is left.
void SpaceTable::fitHeight() {
    setSizePolicy(QSizePolicy::Preferred,
                  m_mapChosen ? QSizePolicy::Fixed : QSizePolicy::Preferred);
    if (m_inTurn) {
        setMaximumHeight(QWIDGETSIZE_MAX);
        return;
    }
    const int rows = std::clamp(m_rows->rowCount(), kLeastRows, kVisibleRows);
    const int table = m_table->header()->sizeHint().height() + rows * rowHeight() + kSpare;
    setMaximumHeight(sizeHint().height() - m_table->sizeHint().height() + table);
}

void SpaceTable::setInTurn(bool inTurn) {
    if (inTurn == m_inTurn) {
        return;
    }
    m_inTurn = inTurn;
    m_which->setOffered(kMap, inTurn);
    choose(inTurn ? static_cast<int>(kMap) : m_rowsChosen);
}

void SpaceTable::choose(int which) {
    m_which->choose(which);
    m_mapChosen = which == kMap;
    m_rowsChosen = m_mapChosen || !m_plans ? m_rowsChosen : which;
    m_table->setVisible(!m_mapChosen);
    QMargins margins = layout()->contentsMargins();
    margins.setTop(m_mapChosen ? 1 : margins.left()); // the map needs the room
    margins.setBottom(margins.top());
    layout()->setContentsMargins(margins);
    fitHeight();
    Q_EMIT kindChosen();
}

int SpaceTable::rowHeight() const {
    return std::max(m_table->sizeHintForRow(0), m_table->fontMetrics().height() + theme::kGrid);
}

void SpaceTable::showRows(bool plans, const RetentionController::OutcomePtr& outcome) {
    m_plans = plans;
    m_which->setVisible(plans || m_inTurn);
    m_which->setOffered(kPlan, plans);
    m_head->setVisible(!plans && !m_inTurn);
    const bool isPlan = plans && m_rowsChosen == kPlan;
    if (!m_mapChosen) {
        m_which->choose(isPlan ? kPlan : kLargest);
    }
    isPlan ? showPlan(outcome) : showLargest();
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

bool SpaceTable::isRanked() const {
    const SpaceMapPtr ranked = m_kind == Kind::Largest ? m_ranked.first.lock() : nullptr;
    return ranked && ranked == m_view.map();
}

void SpaceTable::showLargest() {
    const SpaceMapPtr map = m_view.map();
    const std::uint32_t root = m_view.root();
    if (isRanked() && m_ranked.second == root) {
        m_ranking.cancel();
        selectRow();
        return;
    }
    m_ranking.start(
        [map, root](const CancelToken&) -> Result<std::vector<std::uint32_t>> {
            return map->largestBelow(root);
        },
        [this, wanted = std::weak_ptr(map), root](const Result<std::vector<std::uint32_t>>& found) {
            const SpaceMapPtr ranked = wanted.lock();
            if (!ranked || ranked != m_view.map() || root != m_view.root()) {
                return; // the map may be gone
            }
            if (!found) {
                m_rows->setRows({});
                return;
            }
            m_ranked = {wanted, root};
            fillLargest(*found);
        });
}

/// `nodes`: of the tree, or tensors; of what fills the map.
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
    const auto total = static_cast<double>(map->nodes[m_view.root()].bytes);
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
    } else if (isRanked()) { // else the rows are those of another map
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
        } else if (isRanked()) {
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
