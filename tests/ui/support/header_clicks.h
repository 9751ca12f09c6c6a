// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QTest>
#include <QTreeView>

namespace cairn::ui::test {

/// A click of the mouse on the header of a column, scrolled into sight before.
inline void clickHeader(QTreeView& view, int column) {
    QHeaderView* header = view.header();
    view.scrollTo(view.model()->index(0, column));
    const QPoint at(header->sectionViewportPosition(column) + header->sectionSize(column) / 2,
                    header->height() / 2);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
}

} // namespace cairn::ui::test
