// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/row_view.h"

#include "ui/models/quiet_header.h"
#include "ui/models/row_copier.h"
#include "ui/models/row_delegate.h"
#include "ui/widgets/accessible.h"

#include <QGuiApplication>
#include <QMenu>
#include <QScopedValueRollback>

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kNameCharacters = 26; ///< minimum width of a column of names

constexpr qsizetype kMaxRanges = 16; ///< that are repainted one by one

} // namespace

RowView::RowView(QWidget* parent) : QuietTreeView(parent), m_copier(new RowCopier(*this)) {
    setItemDelegate(new RowDelegate(this));
    setUniformRowHeights(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setIndentation(16);
    setHeader(new QuietHeader(this));
    header()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header(), &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        QMenu menu;
        fillColumnMenu(menu);
        menu.exec(header()->mapToGlobal(at));
    });
    connect(header(), &QHeaderView::sectionResized, this, [this](int column) {
        if (column == m_textColumn && QGuiApplication::mouseButtons() != Qt::NoButton) {
            m_textColumn = -1; // the user chose a width
        }
        if (column != m_nameColumn) {
            fitNames();
        }
    });
}

void RowView::setNameColumn(int column) {
    m_nameColumn = column;
    fitNames();
}

void RowView::resizeEvent(QResizeEvent* event) {
    QuietTreeView::resizeEvent(event);
    fitTexts();
    fitNames();
    m_copier->place();
}

void RowView::fitNames() {
    if (m_nameColumn < 0 || m_nameColumn >= header()->count()) {
        return;
    }
    int others = 0;
    for (int i = 0; i < header()->count(); ++i) {
        others += i == m_nameColumn ? 0 : header()->sectionSize(i); // hidden ones have none
    }
    const int least = fontMetrics().averageCharWidth() * kNameCharacters;
    const bool room = viewport()->width() - others >= least;
    header()->setSectionResizeMode(m_nameColumn,
                                   room ? QHeaderView::Stretch : QHeaderView::Interactive);
    if (!room) {
        header()->resizeSection(m_nameColumn, least);
    }
}

void RowView::setTextColumn(int column) {
    m_textColumn = column;
    m_leastText = header()->sectionSize(column);
}

void RowView::fitTexts() {
    if (m_textColumn < 0 || m_nameColumn < 0 || isColumnHidden(m_textColumn) ||
        model() == nullptr || header()->sectionResizeMode(m_nameColumn) != QHeaderView::Stretch ||
        m_fits) {
        return;
    }
    const QScopedValueRollback works(m_fits, true);
    const int precision = header()->resizeContentsPrecision();
    header()->setResizeContentsPrecision(0); // visible rows
    const int names = std::max(sizeHintForColumn(m_nameColumn),
                               fontMetrics().averageCharWidth() * kNameCharacters);
    const int own = header()->sectionSize(m_textColumn); // does not jump with every filter
    const int wanted =                                   // a fraction of a pixel shortens a text
        std::max(sizeHintForColumn(m_textColumn) + 1, own);
    header()->setResizeContentsPrecision(precision);
    int room = viewport()->width() - names;
    for (int i = 0; i < header()->count(); ++i) {
        room -= i == m_nameColumn || i == m_textColumn ? 0 : header()->sectionSize(i);
    }
    header()->resizeSection(m_textColumn,
                            std::clamp(wanted, m_leastText, std::max(m_leastText, room)));
}

void RowView::fillColumnMenu(QMenu& menu) {
    for (int column = 1; model() != nullptr && column < model()->columnCount(); ++column) {
        QAction* action = menu.addAction(model()->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        connect(action, &QAction::toggled, this,
                [this, column](bool on) { setColumnHidden(column, !on); });
    }
}

void RowView::setSortable(bool sortable) {
    header()->setSectionsClickable(sortable);
    header()->setSortIndicatorClearable(true);
    header()->setSortIndicatorShown(sortable);
    header()->setSortIndicator(-1, Qt::AscendingOrder);
    if (sortable && !m_describesSorting) {
        m_describesSorting = true;
        describeSorting(this, header());
    }
    if (sortable) {
        connect(header(), &QHeaderView::sortIndicatorChanged, this, &RowView::sortRequested,
                Qt::UniqueConnection);
    }
}

void RowView::setCopySource(std::function<ModelMaker()> source) {
    m_copier->setSource(std::move(source));
}

bool RowView::copyRows() {
    return m_copier->copy(false);
}

bool RowView::copyNames() {
    return m_copier->copy(true);
}

/// A list is selected as one range; the view would visit every row.
void RowView::selectAll() {
    const int rows = model() != nullptr ? model()->rowCount() : 0;
    if (rootIsDecorated() || selectionMode() != ExtendedSelection || rows == 0) {
        QuietTreeView::selectAll();
        return;
    }
    selectionModel()->select(
        QItemSelection(model()->index(0, 0), model()->index(rows - 1, model()->columnCount() - 1)),
        QItemSelectionModel::ClearAndSelect);
}

/// The view searches each range that is not visible from the first row on. Many ranges (of a
/// selected tree) are repainted together instead.
QRegion RowView::visualRegionForSelection(const QItemSelection& selection) const {
    return selection.size() > kMaxRanges ? QRegion(viewport()->rect())
                                         : QuietTreeView::visualRegionForSelection(selection);
}

} // namespace cairn::ui
