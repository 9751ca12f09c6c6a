// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_ink.h"

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr double kBarHeight = 7; ///< px
constexpr double kBarGap = 3;    ///< px above and below it
constexpr int kMostParts = 64;   ///< of a bar without steps

/// Flat ends leave fine gaps between very short pieces, square ends fill the gaps of dashes, and
/// round ends take the painter several times as long.
Qt::PenCapStyle capOf(const ChartCurve& curve) {
    return theme::seriesDash(curve.series) == Qt::SolidLine ? Qt::SquareCap : Qt::FlatCap;
}

QPen dashed(const QColor& color, double width, const ChartCurve& curve) {
    return QPen(color, width, theme::seriesDash(curve.series), capOf(curve), Qt::RoundJoin);
}

QPen thin(QColor color, double opacity) {
    color.setAlphaF(static_cast<float>(opacity));
    return QPen(color, 1.0, Qt::SolidLine, Qt::SquareCap, Qt::RoundJoin);
}

} // namespace

QColor curveColor(const ChartContent& content, const ChartCurve& curve, const QPalette& palette) {
    if (content.scale == nullptr) {
        return theme::series(curve.series, palette);
    }
    return curve.share ? theme::shade(*curve.share, palette)
                       : theme::color(theme::Tone::Dim, palette);
}

QPen rawPen(const ChartContent& content, const ChartCurve& curve, bool faint,
            const QPalette& palette) {
    const QColor color = curveColor(content, curve, palette);
    const bool dark = theme::isDark(palette);
    if (content.isMany() && !faint) {
        return thin(color, curve.faint ? 0.12 : dark ? 0.75 : 0.65);
    }
    if (faint || curve.faint) {
        return thin(color, (curve.faint ? 0.55 : 1.0) * (dark ? 0.36 : 0.32));
    }
    return dashed(color, 1.5, curve);
}

QPen smoothPen(const ChartContent& content, const ChartCurve& curve, const QPalette& palette) {
    return content.isMany() || curve.faint
               ? rawPen(content, curve, !content.isMany(), palette)
               : dashed(curveColor(content, curve, palette), 1.8, curve);
}

QPen boldPen(const ChartContent& content, const ChartCurve& curve, const QPalette& palette) {
    return dashed(curveColor(content, curve, palette), 2.4, curve);
}

double scaleHeight(const QFontMetricsF& metrics) {
    return 2 * metrics.height() + kBarHeight + 2 * kBarGap;
}

void paintScale(QPainter& painter, const QRectF& place, const CurveScale& scale,
                const QPalette& palette) {
    const QFontMetricsF metrics(painter.font());
    const auto width = static_cast<int>(place.width());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(palette.color(QPalette::Text));
    painter.drawText(place, Qt::AlignLeft | Qt::AlignTop,
                     text::elided(scale.title, QFontMetrics(painter.font()), width));
    const double top = std::round(place.top() + metrics.height() + kBarGap);
    const int parts = scale.isDiscrete ? static_cast<int>(scale.marks.size()) : kMostParts;
    for (int i = 0; i < parts; ++i) {
        const double left = place.left() + place.width() * i / parts;
        const double right = place.left() + place.width() * (i + 1) / parts;
        const double share =
            scale.isDiscrete ? scale.marks[static_cast<std::size_t>(i)].share : (i + 0.5) / parts;
        const double gap = scale.isDiscrete && i + 1 < parts ? 1 : 0;
        painter.fillRect(QRectF(left, top, right - left - gap, kBarHeight),
                         theme::shade(share, palette));
    }
    painter.setPen(theme::color(theme::Tone::Dim, palette));
    double end = place.left() - 1e6; // of the label before
    const double under = top + kBarHeight + kBarGap;
    const double last =
        scale.marks.empty() ? 0 : metrics.horizontalAdvance(scale.marks.back().text);
    for (std::size_t i = 0; i < scale.marks.size(); ++i) {
        const CurveScale::Mark& mark = scale.marks[i];
        const double wide = metrics.horizontalAdvance(mark.text);
        const double middle = scale.isDiscrete
                                  ? (static_cast<double>(i) + 0.5) / static_cast<double>(parts)
                                  : mark.share;
        const double left = std::clamp(place.left() + middle * place.width() - wide / 2,
                                       place.left(), std::max(place.left(), place.right() - wide));
        const bool isLast = i + 1 == scale.marks.size();
        const bool fits = left > end + 2 && (isLast || left + wide + 2 < place.right() - last);
        if (fits) { // the ends come first
            painter.drawText(QRectF(left, under, wide + 1, metrics.height()),
                             Qt::AlignLeft | Qt::AlignTop, mark.text);
            end = left + wide;
        }
    }
    painter.restore();
}

} // namespace cairn::ui
