// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/row_view.h"

#include "ui/models/quiet_header.h"
#include "ui/models/row_delegate.h"
#include "ui/models/row_roles.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMimeData>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kNameCharacters = 26; ///< minimum width of a column of names

/// Full names rather than labels: pasted text has no context.
QString copiedText(const QModelIndex& index) {
    const QVariant full = index.column() == 0 ? index.data(RowRoles::FullName) : QVariant();
    QString text = full.isValid() ? full.toString() : index.data().toString();
    return text.replace(QLatin1Char('\t'), QLatin1Char(' '))
        .replace(QLatin1Char('\n'), QLatin1Char(' '));
}

} // namespace

RowView::RowView(QWidget* parent) : QuietTreeView(parent) {
    setItemDelegate(new RowDelegate(this));
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
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
    fitNames();
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

void RowView::fillColumnMenu(QMenu& menu) {
    for (int column = 1; model() != nullptr && column < model()->columnCount(); ++column) {
        QAction* action = menu.addAction(model()->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        connect(action, &QAction::toggled, this,
                [this, column](bool on) { setColumnHidden(column, !on); });
    }
}

bool RowView::copyRows() const {
    QList<int> columns;
    for (int visual = 0; visual < header()->count(); ++visual) {
        const int column = header()->logicalIndex(visual);
        if (!isColumnHidden(column)) {
            columns << column;
        }
    }
    QModelIndexList rows = selectionModel()->selectedRows();
    if (rows.isEmpty() && currentIndex().isValid()) {
        rows << currentIndex().siblingAtColumn(0);
    }
    if (rows.isEmpty()) {
        return false;
    }
    std::ranges::stable_sort(rows, {},
                             [this](const QModelIndex& index) { return visualRect(index).top(); });
    QStringList lines;
    QString table = QStringLiteral("<table><tr>");
    QStringList heads;
    for (const int column : columns) {
        heads << model()->headerData(column, Qt::Horizontal).toString();
        table += QStringLiteral("<th>%1</th>").arg(heads.back().toHtmlEscaped());
    }
    lines << heads.join(QLatin1Char('\t'));
    for (const QModelIndex& row : rows) {
        QStringList cells;
        table += QStringLiteral("</tr><tr>");
        for (const int column : columns) {
            cells << copiedText(row.siblingAtColumn(column));
            table += QStringLiteral("<td>%1</td>").arg(cells.back().toHtmlEscaped());
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    auto* mime = new QMimeData;
    mime->setText(rows.size() == 1 ? lines.back()
                                   : lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
    mime->setHtml(table + QStringLiteral("</tr></table>"));
    QApplication::clipboard()->setMimeData(mime);
    return true;
}

} // namespace cairn::ui
