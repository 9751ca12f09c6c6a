// SPDX-License-Identifier: GPL-3.0-or-later
// The table of the Runs page: selection, marks, order, columns.
#include "ui/models/row_view.h"
#include "ui/pages/runs/run_row_delegate.h"
#include "ui/pages/runs/run_table_model.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/runs_side.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/accessible.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScopedValueRollback>
#include <QSet>
#include <QSignalBlocker>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kMaxColumnWidth = 260; ///< px; longer texts are elided
constexpr int kRounding = 3;         ///< px that an advance may be too short
constexpr int kArrowRoom = 14;       ///< px for the arrow of the sorted column

} // namespace

void RunsPage::connectTable() {
    m_view->setModel(m_model);
    m_view->setItemDelegate(new RunRowDelegate(m_view));
    m_view->setRootIsDecorated(false);
    m_view->setAccessibleName(tr("Runs"));
    m_view->setTabKeyNavigation(false);
    m_view->installEventFilter(this);
    QHeaderView* header = m_view->header();
    header->setSectionsMovable(false);
    header->setSectionsClickable(true); // a tree view that does not sort by itself resets it
    header->setSortIndicatorShown(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    // The popup of columns knows those that are not in the table, too.
    disconnect(header, &QWidget::customContextMenuRequested, m_view, nullptr);
    connect(header, &QWidget::customContextMenuRequested, this, &RunsPage::popUpColumns);
    connect(header, &QHeaderView::sortIndicatorChanged, this, &RunsPage::sortBy);
    describeSorting(m_view, header);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (!m_quiet) {
            showChosen();
            relateSelection();
            announceChosen();
        }
    });
    connect(m_view, &QAbstractItemView::activated, this, &RunsPage::openBest);
    connect(m_view, &QWidget::customContextMenuRequested, this, &RunsPage::popUpRowMenu);
    connect(m_model, &RunTableModel::markEdited, this,
            [this](const std::vector<std::filesystem::path>& runs, bool marked) {
                Q_EMIT marksEdited({runs}, marked);
            });
    connect(header, &QHeaderView::sectionResized, this, [this](int column, int, int width) {
        const auto at = static_cast<std::size_t>(column);
        if (!m_fitting && at < m_arrangement.rows->columns.size()) {
            m_widths[m_arrangement.rows->columns[at].key] = width;
            stateChanged();
        }
    });
    m_view->viewport()->installEventFilter(this);
}

void RunsPage::sortBy(int column, Qt::SortOrder order) {
    const auto at = static_cast<std::size_t>(column);
    if (column < 0 || at >= m_arrangement.rows->columns.size()) {
        return;
    }
    std::string key = m_arrangement.rows->columns[at].key;
    if (key == kCurveKey) { // by the metric that it shows
        const auto lead = m_data->grid.leadMetric();
        key = lead ? m_data->grid.nameOf(GridColumn::metric(*lead)) : key;
    }
    m_query.sortKey = key;
    m_query.descending = order == Qt::DescendingOrder;
    m_query.sorted = true;
    stateChanged();
    arrange();
}

void RunsPage::showIndicator() {
    const std::vector<RunRows::Column>& columns = m_arrangement.rows->columns;
    const auto at = std::ranges::find(columns, m_query.sortKey, &RunRows::Column::key);
    const bool shown = m_query.sorted && at != columns.end();
    const QSignalBlocker quiet(m_view->header());
    m_view->header()->setSortIndicator(shown ? static_cast<int>(at - columns.begin()) : -1,
                                       m_query.descending ? Qt::DescendingOrder
                                                          : Qt::AscendingOrder);
    m_view->header()->viewport()->update();
}

void RunsPage::fitColumns() {
    const QScopedValueRollback fitting(m_fitting, true);
    const QFontMetrics metrics = m_view->fontMetrics();
    const std::vector<RunRows::Column>& columns = m_arrangement.rows->columns;
    int whole = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const int head = metrics.horizontalAdvance(columns[i].title) + kArrowRoom;
        const int text = columns[i].curve ? RunRowDelegate::kOutlineWidth
                                          : metrics.horizontalAdvance(columns[i].widest) +
                                                kRounding + (i == 0 ? RunRowDelegate::kBoxRoom : 0);
        const auto chosen = m_widths.find(columns[i].key);
        const int width =
            chosen != m_widths.end()
                ? chosen->second
                : std::min(std::max(head, text) + 2 * RowDelegate::kPadding, kMaxColumnWidth);
        m_view->header()->resizeSection(static_cast<int>(i), width);
        whole += width;
    }
    const int room = m_view->viewport()->width() - whole;
    if (room > 0 && !columns.empty()) { // to the names
        m_view->header()->resizeSection(0, m_view->header()->sectionSize(0) + room);
    }
}

void RunsPage::selectKeys(const QStringList& keys) {
    const QSet<QString> wanted(keys.begin(), keys.end());
    QItemSelection selection;
    int first = -1;
    const int count = m_model->rowCount();
    for (int row = 0; row <= count && !wanted.isEmpty(); ++row) { // ranges of rows
        const bool selected =
            row < count &&
            wanted.contains(m_arrangement.rows->rows[static_cast<std::size_t>(row)].key);
        if (selected && first < 0) {
            first = row;
        } else if (!selected && first >= 0) {
            selection.select(m_model->index(first, 0), m_model->index(row - 1, 0));
            first = -1;
        }
    }
    m_view->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect |
                                                    QItemSelectionModel::Rows);
}

void RunsPage::showChosen() {
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    std::vector<std::size_t> runs;
    for (const QModelIndex& index : rows) {
        const RunRows::Row& row = m_model->row(index);
        runs.insert(runs.end(), row.runs.begin(), row.runs.end());
    }
    if (rows.isEmpty()) { // the experiment
        for (const std::uint32_t row : m_arrangement.matching) {
            runs.push_back(m_data->grid.rows()[row].run);
        }
        m_side->show(m_data,
                     m_data != nullptr ? text::fromCore(m_data->experiment.name) : QString(), runs,
                     false);
        m_side->setNote(m_query.notes->of(m_side->notedRun()));
        return;
    }
    const RunRows::Row& first = m_model->row(rows.front());
    m_side->show(m_data,
                 rows.size() == 1 ? first.name
                                  : tr("%Ln selected runs", nullptr, static_cast<int>(runs.size())),
                 runs, true);
    m_side->setNote(m_query.notes->of(m_side->notedRun()));
}

void RunsPage::announceChosen() {
    const std::vector<std::filesystem::path> runs = selectedRuns();
    if (runs.size() == 1) {
        Q_EMIT runChosen(std::filesystem::path(runs.front()));
    }
}

std::vector<std::filesystem::path> RunsPage::selectedRuns() const {
    std::vector<std::filesystem::path> paths;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows()) {
        const RunRows::Row& row = m_model->row(index);
        paths.insert(paths.end(), row.paths.begin(), row.paths.end());
    }
    return paths;
}

void RunsPage::toggleMarks() {
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    const std::vector<std::filesystem::path> paths = selectedRuns();
    const bool all = std::ranges::all_of(
        paths, [this](const std::filesystem::path& path) { return m_marks.contains(path); });
    std::vector<std::vector<std::filesystem::path>> each; // with a colour of its own
    for (const QModelIndex& index : rows) {
        each.push_back(m_model->row(index).paths);
    }
    Q_EMIT marksEdited(each, !all);
}

void RunsPage::openBest(const QModelIndex& index) {
    if (m_data == nullptr || !index.isValid()) {
        return;
    }
    const GridRow* best = nullptr;
    const RunRows::Row& row = m_model->row(index);
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < m_data->grid.rows().size(); ++i) {
        if (std::ranges::find(row.runs, m_data->grid.rows()[i].run) != row.runs.end()) {
            rows.push_back(i);
        }
    }
    const auto lead = m_data->grid.leadMetric();
    const auto bestRow = lead ? bestRowOf(m_data->grid, rows, *lead) : std::nullopt;
    best = rows.empty() ? nullptr : &m_data->grid.rows()[bestRow.value_or(rows.front())];
    const auto checkpoint = best == nullptr ? std::nullopt : best->best ? best->best : best->newest;
    if (checkpoint) {
        Q_EMIT checkpointChosen(m_data->experiment.runs[best->run].checkpoints[*checkpoint].path);
    } else {
        Q_EMIT statusMessage(tr("%1 has no checkpoint").arg(row.name));
    }
}

void RunsPage::popUpRowMenu(const QPoint& at) {
    const QModelIndex index = m_view->indexAt(at);
    if (!index.isValid()) {
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(tr("Mark or Unmark")), &QAction::triggered, this,
            &RunsPage::toggleMarks);
    connect(menu->addAction(tr("Open Best Checkpoint")), &QAction::triggered, this,
            [this, key = m_model->row(index).key] { openBest(m_model->find(key)); });
    menu->addSeparator();
    connect(menu->addAction(tr("Copy")), &QAction::triggered, m_view, &RowView::copyRows);
    menu->popup(m_view->viewport()->mapToGlobal(at));
}

bool RunsPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view->viewport() && event->type() == QEvent::Resize) {
        fitColumns();
    }
    if (watched == m_view && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_X && key->modifiers() == Qt::NoModifier) {
            toggleMarks();
            return true;
        }
    }
    return Page::eventFilter(watched, event);
}

} // namespace cairn::ui
