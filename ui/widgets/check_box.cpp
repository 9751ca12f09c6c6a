// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/check_box.h"

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QPolygonF>
#include <QStyle>

#include <algorithm>

namespace cairn::ui {
namespace {
constexpr int kSquare = 2 * theme::kGrid;
}

CheckBox::CheckBox(const QString& text, QWidget* parent) : QCheckBox(text, parent) {
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QSize CheckBox::sizeHint() const {
    const QSize words = fontMetrics().size(Qt::TextShowMnemonic, text());
    return {kSquare + theme::kGrid + words.width() + 2,
            std::max(theme::kControlHeight, words.height() + 4)};
}

QSize CheckBox::minimumSizeHint() const {
    const QSize whole = sizeHint();
    const int few = kSquare + theme::kGrid + 12 * fontMetrics().averageCharWidth();
    return {std::min(whole.width(), few), whole.height()};
}

void CheckBox::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPalette& colors = palette();
    const QRect place(1, (height() - kSquare) / 2, kSquare, kSquare);
    const QRectF square =
        QRectF(QStyle::visualRect(layoutDirection(), rect(), place)).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool filled = isChecked() && isEnabled();
    QColor dim = theme::color(theme::Tone::Dim, colors);
    dim.setAlphaF(isEnabled() ? 1.0F : 0.5F);
    const bool marked = hasFocus() || underMouse();
    painter.setPen(marked && isEnabled() ? theme::color(theme::Tone::Accent, colors)
                   : filled              ? theme::accent(colors)
                                         : dim);
    painter.setBrush(filled ? theme::accent(colors) : theme::cardGround(colors));
    painter.drawRoundedRect(square, 3, 3);
    if (isChecked()) {
        painter.setPen(QPen(isEnabled() ? theme::onAccent(colors) : dim, 1.8));
        const double x = square.left();
        const double y = square.top();
        painter.drawPolyline(QPolygonF({{x + 3.5, y + 8}, {x + 6.5, y + 11}, {x + 12, y + 4.5}}));
    }
    painter.setPen(isEnabled() ? colors.color(QPalette::Text) : dim);
    const QRect words = rect().adjusted(kSquare + theme::kGrid, 0, 0, 0);
    const bool underline = style()->styleHint(QStyle::SH_UnderlineShortcut, nullptr, this) != 0;
    painter.drawText(
        QStyle::visualRect(layoutDirection(), rect(), words),
        static_cast<int>(QStyle::visualAlignment(layoutDirection(), Qt::AlignLeft)) |
            Qt::AlignVCenter | (underline ? Qt::TextShowMnemonic : Qt::TextHideMnemonic),
        width() < sizeHint().width() ? text::elided(text(), fontMetrics(), words.width()) : text());
}

} // namespace cairn::ui
