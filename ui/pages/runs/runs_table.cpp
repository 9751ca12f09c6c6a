// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/runs_table.h"

#include "ui/models/row_view.h"
#include "ui/pages/runs/run_row_delegate.h"
#include "ui/pages/runs/run_table_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/accessible.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSet>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kMaxColumnWidth = 260; ///< px; longer texts are elided
constexpr int kRounding = 3;         ///< px that an advance may be too short
constexpr int kArrowRoom = 14;       ///< px for the arrow of the sorted column

} // namespace

RunsTable::RunsTable(QObject* parent)
    : QObject(parent), m_model(new RunTableModel(this)), m_view(new RowView) {
    m_view->setModel(m_model);
    m_view->setItemDelegate(new RunRowDelegate(m_view));
    m_view->setRootIsDecorated(false);
    m_view->setAccessibleName(tr("Runs"));
    m_view->setTabKeyNavigation(false);
    m_view->installEventFilter(this);
    buildHeader();
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (!m_quiet) {
            Q_EMIT selectionEdited();
        }
    });
    connect(m_view, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        if (index.isValid()) {
            Q_EMIT bestRequested(m_model->row(index).key);
        }
    });
    connect(m_view, &QWidget::customContextMenuRequested, this, &RunsTable::popUpRowMenu);
    connect(m_model, &RunTableModel::markEdited, this, &RunsTable::markEdited);
    m_view->viewport()->installEventFilter(this);
}

void RunsTable::buildHeader() {
    QHeaderView* header = m_view->header();
    header->setSectionsMovable(false);
    header->setSectionsClickable(true); // a tree view that does not sort by itself resets it
    header->setSortIndicatorShown(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    // The popup of columns knows those that are not in the table, too.
    disconnect(header, &QWidget::customContextMenuRequested, m_view, nullptr);
    connect(header, &QWidget::customContextMenuRequested, this, &RunsTable::columnsRequested);
    connect(header, &QHeaderView::sortIndicatorChanged, this, &RunsTable::sortRequested);
    describeSorting(m_view, header);
    connect(header, &QHeaderView::sectionResized, this, [this](int column, int, int width) {
        const std::vector<RunRows::Column>& columns = m_model->rows()->columns;
        const auto at = static_cast<std::size_t>(column);
        if (!m_fitting && at < columns.size()) {
            m_widths[columns[at].key] = width;
            Q_EMIT widthsEdited();
        }
    });
}

int RunsTable::wantedHeight() const {
    const int rowHeight = std::max(m_view->sizeHintForRow(0), 24);
    return m_view->header()->sizeHint().height() + std::max(m_model->rowCount(), 1) * rowHeight +
           4 * theme::kGrid + m_view->horizontalScrollBar()->sizeHint().height();
}

void RunsTable::show(RunRowsPtr rows) {
    QStringList keys;
    for (const RunRows::Row* row : selectedRows()) {
        keys << row->key;
    }
    const QString current =
        m_view->currentIndex().isValid() ? m_model->row(m_view->currentIndex()).key : QString();
    {
        const QScopedValueRollback quiet(m_quiet, true);
        m_model->show(std::move(rows));
        if (const QModelIndex index = m_model->find(current); index.isValid()) {
            m_view->selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
        }
    }
    select(keys);
    showOrder();
    fitColumns();
}

void RunsTable::showOrder() {
    const RunRows& rows = *m_model->rows();
    const std::vector<RunRows::Column>& columns = rows.columns;
    const auto at = std::ranges::find(columns, rows.sortKey, &RunRows::Column::key);
    const bool shown = !rows.sortKey.empty() && at != columns.end();
    const QSignalBlocker quiet(m_view->header());
    m_view->header()->setSortIndicator(shown ? static_cast<int>(at - columns.begin()) : -1,
                                       rows.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    m_view->header()->viewport()->update();
}

void RunsTable::fitColumns() {
    const QScopedValueRollback fitting(m_fitting, true);
    const QFontMetrics metrics = m_view->fontMetrics();
    const std::vector<RunRows::Column>& columns = m_model->rows()->columns;
    std::vector<int> widths;
    int whole = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const int head = metrics.horizontalAdvance(columns[i].title) + kArrowRoom;
        const int text = columns[i].curve ? RunRowDelegate::kOutlineWidth
                                          : metrics.horizontalAdvance(columns[i].widest) +
                                                kRounding + (i == 0 ? RunRowDelegate::kBoxRoom : 0);
        const auto chosen = m_widths.find(columns[i].key);
        widths.push_back(
            chosen != m_widths.end()
                ? chosen->second
                : std::min(std::max(head, text) + 2 * RowDelegate::kPadding, kMaxColumnWidth));
        whole += widths.back();
    }
    const int wide = m_view->viewport()->width();
    std::vector<bool> shown(columns.size(), true);
    for (std::size_t i = columns.size(); i-- > 0 && whole > wide;) {
        if (columns[i].optional) {
            shown[i] = false;
            whole -= widths[i];
        }
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
        m_view->header()->setSectionHidden(static_cast<int>(i), !shown[i]);
        if (shown[i]) {
            m_view->header()->resizeSection(static_cast<int>(i), widths[i]);
        }
    }
    if (wide > whole && !columns.empty()) { // to the names
        m_view->header()->resizeSection(0, m_view->header()->sectionSize(0) + wide - whole);
    }
    const auto leftOut = static_cast<int>(std::ranges::count(shown, false));
    if (std::exchange(m_leftOut, leftOut) != leftOut) {
        Q_EMIT columnsFitted();
    }
}

void RunsTable::select(const QStringList& keys) {
    const QScopedValueRollback quiet(m_quiet, true);
    const QSet<QString> wanted(keys.begin(), keys.end());
    const std::vector<RunRows::Row>& rows = m_model->rows()->rows;
    QItemSelection selection;
    int first = -1;
    const int count = m_model->rowCount();
    for (int row = 0; row <= count && !wanted.isEmpty(); ++row) { // ranges of rows
        const bool selected =
            row < count && wanted.contains(rows[static_cast<std::size_t>(row)].key);
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

bool RunsTable::selectRun(const std::filesystem::path& run) {
    const QScopedValueRollback quiet(m_quiet, true);
    const QModelIndex index = run.empty() ? QModelIndex() : m_model->findRun(run);
    if (index.isValid() && m_view->selectionModel()->isSelected(index)) {
        return false;
    }
    if (index.isValid()) {
        m_view->setCurrentIndex(index);
    } else {
        m_view->selectionModel()->clear();
    }
    return true;
}

void RunsTable::scrollToSelected() {
    if (const auto rows = m_view->selectionModel()->selectedRows(); !rows.isEmpty()) {
        m_view->scrollTo(rows.front());
    }
}

std::vector<const RunRows::Row*> RunsTable::selectedRows() const {
    std::vector<const RunRows::Row*> rows;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows()) {
        rows.push_back(&m_model->row(index));
    }
    return rows;
}

std::vector<std::filesystem::path> RunsTable::selectedRuns() const {
    std::vector<std::filesystem::path> paths;
    for (const RunRows::Row* row : selectedRows()) {
        paths.insert(paths.end(), row->paths.begin(), row->paths.end());
    }
    return paths;
}

void RunsTable::popUpRowMenu(const QPoint& at) {
    const QModelIndex index = m_view->indexAt(at);
    if (!index.isValid()) {
        return;
    }
    auto* menu = new QMenu(m_view);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(tr("Mark or Unmark")), &QAction::triggered, this,
            &RunsTable::togglingRequested);
    connect(menu->addAction(tr("Open Best Checkpoint")), &QAction::triggered, this,
            [this, key = m_model->row(index).key] { Q_EMIT bestRequested(key); });
    menu->addSeparator();
    connect(menu->addAction(tr("Copy")), &QAction::triggered, this, &RunsTable::copyRequested);
    menu->popup(m_view->viewport()->mapToGlobal(at));
}

bool RunsTable::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view->viewport() && event->type() == QEvent::Resize) {
        fitColumns();
    }
    if (watched == m_view && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_X && key->modifiers() == Qt::NoModifier) {
            Q_EMIT togglingRequested();
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

} // namespace cairn::ui
