// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/text_field.h"

#include "ui/theme/theme.h"

#include <QEvent>
#include <QPainter>

namespace cairn::ui {

namespace {

/// Only these roles: the others follow the desktop, whose placeholder is often paler than 4.5:1.
QPalette paletteOn(const QPalette& ground) {
    QPalette own;
    own.setColor(QPalette::Base, Qt::transparent);
    own.setColor(QPalette::PlaceholderText, theme::color(theme::Tone::Dim, ground));
    return own;
}

} // namespace

TextField::TextField(QWidget* parent) : QLineEdit(parent) {
    setFrame(false);
    setMinimumHeight(theme::kControlHeight);
    setTextMargins(theme::kGrid - 2, 0, theme::kGrid / 2, 0);
    setPalette(paletteOn(palette()));
}

void TextField::changeEvent(QEvent* event) {
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && parentWidget() != nullptr) {
        const QPalette own = paletteOn(parentWidget()->palette());
        if (palette().color(QPalette::PlaceholderText) != own.color(QPalette::PlaceholderText)) {
            setPalette(own);
        }
    }
}

void TextField::paintEvent(QPaintEvent* event) {
    {
        const QPalette& colors = parentWidget() != nullptr ? parentWidget()->palette() : palette();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(colors.color(isEnabled() ? QPalette::Base : QPalette::Window));
        painter.setPen(hasFocus() ? theme::color(theme::Tone::Accent, colors)
                                  : theme::hairline(colors));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5),
                                theme::kControlRadius, theme::kControlRadius);
    }
    QLineEdit::paintEvent(event);
}

} // namespace cairn::ui
