// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/badge.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace cairn::ui {
namespace {
constexpr int kPadding = 7;
} // namespace

int badgeWidth(const Badge& badge, const QFont& font) {
    return QFontMetrics(theme::small(font)).horizontalAdvance(badge.text) + 2 * kPadding;
}

int paintBadge(QPainter& painter, const QRect& row, const Badge& badge, const QFont& font,
               const QPalette& palette) {
    const QFont smallFont = theme::small(font);
    const QFontMetrics metrics(smallFont);
    const int width = std::min(row.width(), badgeWidth(badge, font));
    if (width < std::min(badgeWidth(badge, font), 6 * kPadding)) {
        return 0;
    }
    const int height = metrics.height() + 2;
    const QRect area(row.left(), row.top() + (row.height() - height) / 2, width, height);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme::track(palette));
    painter.drawRoundedRect(area, height / 2.0, height / 2.0);
    painter.setPen(theme::color(badge.tone, palette));
    painter.setFont(smallFont);
    painter.drawText(area, Qt::AlignCenter,
                     metrics.elidedText(badge.text, Qt::ElideRight, width - 2 * kPadding + 1));
    painter.restore();
    return width;
}

} // namespace cairn::ui
