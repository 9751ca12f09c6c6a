// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/mark_box.h"

#include "ui/theme/theme.h"

#include <QAbstractItemModel>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kReach = 4; ///< px around the box that belong to it

} // namespace

void paintMarkBox(QPainter& painter, const QRect& box, int slot, const QPalette& palette,
                  const QFont& font) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF square = QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5);
    if (slot < 0) {
        QColor edge = theme::color(theme::Tone::Dim, palette);
        edge.setAlphaF(0.55F);
        painter.setPen(edge);
        painter.setBrush(palette.color(QPalette::Base));
        painter.drawRoundedRect(square, 3, 3);
    } else {
        const QColor ground = theme::series(slot, palette);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ground);
        painter.drawRoundedRect(square, 3, 3);
        if (slot < 26) {
            QFont letter = font;
            letter.setPixelSize(box.height() - 4);
            letter.setBold(true);
            painter.setFont(letter);
            const bool white =
                theme::contrast(ground, Qt::white) >= theme::contrast(ground, Qt::black);
            painter.setPen(white ? Qt::white : Qt::black);
            painter.drawText(QRectF(box), Qt::AlignCenter | Qt::TextDontClip,
                             QString(QChar::fromLatin1(static_cast<char>('A' + slot))));
        }
    }
    painter.restore();
}

bool editMark(QEvent* event, QAbstractItemModel* model, const QModelIndex& index,
              const QRect& box) {
    const QVariant state = index.data(Qt::CheckStateRole);
    if (!state.isValid()) {
        return false;
    }
    const auto toggle = [&] {
        return model->setData(index, state.toInt() == Qt::Checked ? Qt::Unchecked : Qt::Checked,
                              Qt::CheckStateRole);
    };
    switch (event->type()) {
    case QEvent::KeyPress: {
        const auto* key = static_cast<QKeyEvent*>(event);
        return (key->key() == Qt::Key_Space || key->key() == Qt::Key_Select) && toggle();
    }
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseButtonRelease: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const bool hits =
            mouse->button() == Qt::LeftButton &&
            box.adjusted(-kReach, -kReach, kReach, kReach).contains(mouse->position().toPoint());
        if (hits && event->type() == QEvent::MouseButtonRelease) {
            toggle();
        }
        return hits; // the row's selection stays
    }
    default:
        return false;
    }
}

} // namespace cairn::ui
