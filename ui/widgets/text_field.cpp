// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/text_field.h"

#include "ui/theme/theme.h"

#include <QPainter>

namespace cairn::ui {

TextField::TextField(QWidget* parent) : QLineEdit(parent) {
    setFrame(false);
    setMinimumHeight(theme::kControlHeight);
    setTextMargins(theme::kGrid - 2, 0, theme::kGrid / 2, 0);
    QPalette clear; // only this role: the others follow the desktop
    clear.setColor(QPalette::Base, Qt::transparent);
    setPalette(clear);
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
