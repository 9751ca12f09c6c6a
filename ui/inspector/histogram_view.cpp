// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/histogram_view.h"

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace cairn::ui {
namespace {

constexpr int kPlotHeight = 64;

} // namespace

HistogramView::HistogramView(QWidget* parent) : ItemsWidget(parent, QAccessible::Chart) {
    setLayoutDirection(Qt::LeftToRight); // axes run so in any language
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFont(theme::small(font()));
    setAccessibleName(tr("Histogram"));
}

void HistogramView::show(std::vector<double> bins, double low, double high) {
    m_bins = std::move(bins);
    m_low = low;
    m_high = high;
    itemsChanged();
    m_most = m_bins.empty() ? 0 : *std::ranges::max_element(m_bins);
    setAccessibleDescription(
        tr("%1 bins from %2 to %3").arg(m_bins.size()).arg(text::number(low), text::number(high)));
    update();
}

QSize HistogramView::sizeHint() const {
    return {220, kPlotHeight + fontMetrics().height() + 3};
}

QRectF HistogramView::plot() const {
    return {0, 0, static_cast<double>(width()), kPlotHeight};
}

void HistogramView::paintEvent(QPaintEvent*) {
    if (m_bins.empty() || m_most <= 0) {
        return;
    }
    QPainter painter(this);
    painter.setLayoutDirection(layoutDirection());
    const QRectF area = plot();
    const double step = area.width() / static_cast<double>(m_bins.size());
    const double gap = step > 4 ? 1 : 0;
    const QColor bar = theme::series(0, palette());
    for (std::size_t i = 0; i < m_bins.size(); ++i) {
        if (m_bins[i] <= 0) {
            continue;
        }
        // One element is a line of a pixel: a lone outlier must not vanish.
        const double tall = std::max(1.0, m_bins[i] / m_most * area.height());
        painter.fillRect(QRectF(static_cast<double>(i) * step, area.bottom() - tall,
                                std::max(1.0, step - gap), tall),
                         bar);
    }
    painter.setPen(theme::hairline(palette()));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    paintCurrent(painter);
    painter.setPen(theme::color(theme::Tone::Dim, palette()));
    const QRectF line(0, area.bottom() + 2, width(), fontMetrics().height());
    const QString left = text::number(m_low);
    const QString right = text::number(m_high);
    painter.drawText(line, Qt::AlignLeft, left);
    painter.drawText(line, Qt::AlignRight, right);
    const double zero = -m_low / (m_high - m_low) * area.width();
    if (m_low < 0 && m_high > 0 && zero > fontMetrics().horizontalAdvance(left) + 8 &&
        zero < width() - fontMetrics().horizontalAdvance(right) - 8) {
        painter.drawText(QRectF(zero - 20, line.top(), 40, line.height()), Qt::AlignHCenter,
                         QStringLiteral("0"));
    }
}

QString HistogramView::itemText(int item) {
    const double wide = (m_high - m_low) / static_cast<double>(m_bins.size());
    const double from = m_low + item * wide;
    const double elements = m_bins[static_cast<std::size_t>(item)];
    return tr("%1 to %2: about %3 elements")
        .arg(text::number(from), text::number(from + wide),
             text::count(static_cast<std::uint64_t>(std::llround(elements))));
}

QRectF HistogramView::itemRect(int item) {
    const QRectF area = plot();
    const double step = area.width() / static_cast<double>(m_bins.size());
    return {item * step, area.top(), step, area.height()};
}

bool HistogramView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || m_bins.empty() || width() <= 0) {
        return QWidget::event(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    const double share = std::clamp(help->pos().x() / static_cast<double>(width()), 0.0, 0.999);
    const auto bin = static_cast<int>(share * static_cast<double>(m_bins.size()));
    QToolTip::showText(help->globalPos(), text::toolTip(itemText(bin)), this);
    return true;
}

} // namespace cairn::ui
