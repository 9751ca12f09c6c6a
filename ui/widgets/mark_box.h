// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QModelIndex>
#include <QPalette>
#include <QRect>

class QAbstractItemModel;
class QEvent;
class QPainter;

/// The square before a run in lists: empty, or in the colour of the run's curves with its letter.
namespace cairn::ui {

inline constexpr int kMarkBoxSize = 13; ///< px

/// `slot`: -1 for an empty box.
void paintMarkBox(QPainter& painter, const QRect& box, int slot, const QPalette& palette,
                  const QFont& font);

/// For QAbstractItemDelegate::editorEvent(): a click on the box and Space toggle the row's
/// Qt::CheckStateRole. True: the event was used.
bool editMark(QEvent* event, QAbstractItemModel* model, const QModelIndex& index, const QRect& box);

} // namespace cairn::ui
