// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/badge.h"

#include "ui/text/text_flags.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace cairn::ui {
namespace {
constexpr int kPadding = 7;
} // namespace

namespace {

bool isMirrored(const QPainter& painter) {
    return painter.layoutDirection() == Qt::RightToLeft;
}

/// Drawn where a badge does not fit.
int paintDot(QPainter& painter, const QRect& row, const QColor& color) {
    constexpr int kSize = 7;
    if (row.width() < kSize) {
        return 0;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    const int left = isMirrored(painter) ? row.right() + 1 - kSize : row.left();
    painter.drawEllipse(QRectF(left, row.top() + (row.height() - kSize) / 2.0, kSize, kSize));
    painter.restore();
    return kSize;
}

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
        return paintDot(painter, row, theme::color(badge.tone, palette));
    }
    const int height = metrics.height() + 2;
    const int left = isMirrored(painter) ? row.right() + 1 - width : row.left();
    const QRect area(left, row.top() + (row.height() - height) / 2, width, height);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme::track(palette));
    painter.drawRoundedRect(area, height / 2.0, height / 2.0);
    painter.setPen(theme::color(badge.tone, palette));
    painter.setFont(smallFont);
    painter.drawText(area, text::textFlags(painter.layoutDirection(), Qt::AlignCenter, badge.text),
                     metrics.elidedText(badge.text, Qt::ElideRight, width - 2 * kPadding + 1));
    painter.restore();
    return width;
}

} // namespace cairn::ui
