// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/search_field.h"

#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QPainter>

namespace cairn::ui {

SearchField::SearchField(const QString& placeholder, const QKeySequence& shortcut, QWidget* parent)
    : TextField(parent), m_shortcut(shortcut.toString(QKeySequence::NativeText)) {
    setPlaceholderText(placeholder);
    setClearButtonEnabled(true);
}

void SearchField::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
        if (text().isEmpty()) {
            Q_EMIT left();
        } else {
            clear();
        }
        return;
    case Qt::Key_Down:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        Q_EMIT left();
        return;
    default:
        QLineEdit::keyPressEvent(event);
    }
}

void SearchField::paintEvent(QPaintEvent* event) {
    TextField::paintEvent(event);
    if (text().isEmpty() && isEnabled()) {
        QPainter painter(this);
        painter.setFont(theme::small(font()));
        painter.setPen(theme::color(theme::Tone::Dim, palette()));
        painter.drawText(rect().adjusted(theme::kGrid, 0, -theme::kGrid - 2, 0),
                         Qt::AlignRight | Qt::AlignVCenter, m_shortcut);
    }
}

} // namespace cairn::ui
