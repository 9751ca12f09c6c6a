// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/lone_values.h"

#include "ui/charts/curve_ink.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kLoneWidth = 300; ///< px, at least
constexpr int kLoneGap = 3 * theme::kGrid;
constexpr int kLinePadding = 6; ///< px above and below a line, together

} // namespace

LoneValues::LoneValues(const ChartBoard& board, QWidget* parent)
    : ItemsWidget(parent), m_board(board) {
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Single values"));
}

void LoneValues::show(std::vector<ChartContent> metrics) {
    itemsChanged();
    m_metrics = std::move(metrics);
    updateGeometry();
    update();
}

int LoneValues::rowHeight() const {
    return fontMetrics().height() + kLinePadding;
}

int LoneValues::columns(int width) const {
    return std::clamp((width + kLoneGap) / (kLoneWidth + kLoneGap), 1,
                      std::max(1, static_cast<int>(m_metrics.size())));
}

int LoneValues::heightForWidth(int width) const {
    const int count = columns(width);
    return (static_cast<int>(m_metrics.size()) + count - 1) / count * rowHeight();
}

QSize LoneValues::sizeHint() const {
    return {kLoneWidth, heightForWidth(std::max(width(), kLoneWidth))};
}

QRectF LoneValues::itemRect(int item) {
    const int count = columns(width());
    const double wide = (width() - (count - 1.0) * kLoneGap) / count;
    const int column =
        layoutDirection() == Qt::RightToLeft ? count - 1 - item % count : item % count;
    return {column * (wide + kLoneGap), static_cast<double>(item / count * rowHeight()), wide,
            static_cast<double>(rowHeight())};
}

std::vector<LoneValues::Part> LoneValues::partsOf(const ChartContent& metric) const {
    std::vector<Part> parts;
    const QColor dim = theme::color(theme::Tone::Dim, palette());
    if (metric.isMany()) {
        double low = INFINITY;
        double high = -INFINITY;
        for (const ChartCurve& curve : metric.curves) {
            for (const double value : curve.data->y()) {
                low = std::isfinite(value) ? std::min(low, value) : low;
                high = std::isfinite(value) ? std::max(high, value) : high;
            }
        }
        const QString range = low > high ? QString()
                              : low == high
                                  ? text::number(low)
                                  : tr("%1 to %2").arg(text::number(low), text::number(high));
        parts.push_back({range, palette().color(QPalette::Text)});
        parts.push_back({tr("%Ln values", nullptr, static_cast<int>(metric.curves.size())), dim});
        return parts;
    }
    const bool isOne = metric.curves.size() == 1;
    for (const ChartCurve& curve : metric.curves) {
        if (curve.data->size() == 0) {
            continue;
        }
        const QString letter = curve.letter.isEmpty() ? QString() : curve.letter + QLatin1Char(' ');
        parts.push_back(
            {letter + text::number(curve.data->y()[0]),
             isOne ? palette().color(QPalette::Text) : curveColor(metric, curve, palette())});
        parts.push_back(
            {QLatin1Char('@') + axisValue(curve.data->x()[0], m_board.options().unit), dim});
    }
    return parts;
}

QString LoneValues::itemText(int item) {
    const ChartContent& metric = m_metrics[static_cast<std::size_t>(item)];
    QStringList words;
    for (const Part& part : partsOf(metric)) {
        words << part.text;
    }
    return metric.name + QStringLiteral(": ") + words.join(QLatin1Char(' '));
}

void LoneValues::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const bool isMirrored = layoutDirection() == Qt::RightToLeft;
    const QFont digits = theme::mono(theme::small(font()));
    const QFontMetrics wide(digits);
    for (int item = 0; item < itemCount(); ++item) {
        const QRect cell = itemRect(item).toAlignedRect();
        const auto put = [&](int from, int width, const QString& text, Qt::Alignment at) {
            const QRect place(isMirrored ? cell.right() + 1 - from - width : cell.left() + from,
                              cell.top(), width, cell.height());
            painter.drawText(place, static_cast<int>(at | Qt::AlignVCenter), text);
        };
        const ChartContent& metric = m_metrics[static_cast<std::size_t>(item)];
        int end = cell.width();
        painter.setFont(digits);
        const std::vector<Part> parts = partsOf(metric);
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
            const int width = wide.horizontalAdvance(part->text) + 1;
            if (end - width < cell.width() / 4) {
                break;
            }
            painter.setPen(part->color);
            put(end - width, width, part->text, Qt::AlignLeft);
            end -= width + theme::kGrid;
        }
        painter.setFont(font());
        painter.setPen(theme::color(theme::Tone::Dim, palette()));
        put(0, end, text::elided(metric.name, fontMetrics(), end),
            isMirrored ? Qt::AlignRight : Qt::AlignLeft);
    }
    paintCurrent(painter);
}

bool LoneValues::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int item = itemAt(help->pos());
        QToolTip::showText(help->globalPos(), item < 0 ? QString() : text::toolTip(itemText(item)),
                           this);
        return true;
    }
    return ItemsWidget::event(event);
}

} // namespace cairn::ui
