// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/layer_strip.h"

#include "ui/pages/diff/diff_model.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace cairn::ui {
namespace {

constexpr int kPlotHeight = 56;
constexpr int kLeastPlotHeight = 20;
constexpr int kWidest = 28;

} // namespace

LayerStrip::LayerStrip(QWidget* parent) : ItemsWidget(parent, QAccessible::Chart) {
    setLayoutDirection(Qt::LeftToRight); // axes run so in any language
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setFont(theme::small(font()));
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Relative change by layer"));
}

void LayerStrip::show(const std::vector<LayerChange>& layers) {
    m_bars.clear();
    itemsChanged();
    double most = 0;
    for (const LayerChange& layer : layers) {
        const double change = layer.sums.relativeChange();
        most = std::isfinite(change) ? std::max(most, change) : most;
    }
    for (const LayerChange& layer : layers) {
        const double change = layer.sums.relativeChange();
        const double share = most > 0 && std::isfinite(change) ? change / most : 0;
        const QString name = text::fromCore(layer.layer);
        m_bars.push_back({name,
                          tr("%1: relative change %2, %3 of %4 tensors changed")
                              .arg(name, relativeText(change), text::count(layer.sums.changed),
                                   text::count(layer.sums.tensors)),
                          std::isfinite(change) ? share : 1.0, layer.sums.differs()});
    }
    m_first = m_bars.empty() ? QString() : m_bars.front().layer;
    m_last = m_bars.size() < 2 ? QString() : m_bars.back().layer;
    setAccessibleDescription(
        tr("%1 layers, largest relative change %2").arg(m_bars.size()).arg(text::number(most)));
    update();
}

QSize LayerStrip::sizeHint() const {
    return {400, kPlotHeight + fontMetrics().height() + 4};
}

QSize LayerStrip::minimumSizeHint() const {
    return {120, kLeastPlotHeight + fontMetrics().height() + 4};
}

/// Lower in a low window.
double LayerStrip::plotHeight() const {
    return std::clamp(height() - fontMetrics().height() - 4, kLeastPlotHeight, kPlotHeight);
}

QRectF LayerStrip::rectOf(int bar) const {
    const double step = std::min<double>(kWidest, static_cast<double>(width()) /
                                                      static_cast<double>(m_bars.size()));
    const double gap = step > 6 ? 3 : (step > 2 ? 1 : 0);
    return {bar * step, 0, std::max(step - gap, 0.5), plotHeight()};
}

int LayerStrip::barAt(int x) const {
    if (m_bars.empty()) {
        return -1;
    }
    const double step = std::min<double>(kWidest, static_cast<double>(width()) /
                                                      static_cast<double>(m_bars.size()));
    const int bar = static_cast<int>(x / step);
    return bar < static_cast<int>(m_bars.size()) ? bar : -1;
}

void LayerStrip::paintEvent(QPaintEvent*) {
    if (m_bars.empty()) {
        return;
    }
    QPainter painter(this);
    painter.setLayoutDirection(layoutDirection());
    const QColor full = theme::series(1, palette());
    for (int i = 0; i < static_cast<int>(m_bars.size()); ++i) {
        const Bar& bar = m_bars[static_cast<std::size_t>(i)];
        const QRectF box = rectOf(i);
        QColor colour = bar.differs ? full : theme::track(palette());
        colour.setAlphaF(bar.differs ? static_cast<float>(0.35 + 0.65 * bar.share) : 1.0F);
        const double tall = std::max(2.0, bar.share * box.height());
        painter.fillRect(QRectF(box.left(), box.bottom() - tall, box.width(), tall), colour);
    }
    paintCurrent(painter);
    painter.setPen(theme::color(theme::Tone::Dim, palette()));
    const double right = rectOf(static_cast<int>(m_bars.size()) - 1).right();
    const int gap = 2 * theme::kGrid;
    const int names =
        fontMetrics().horizontalAdvance(m_first) + gap + fontMetrics().horizontalAdvance(m_last);
    const double wide = std::max(right, std::min<double>(names, width()));
    const QRectF line(0, plotHeight() + 3, wide, fontMetrics().height());
    const int room = names <= wide ? names : static_cast<int>(wide - gap) / 2;
    painter.drawText(line, Qt::AlignLeft, text::elided(m_first, fontMetrics(), room));
    painter.drawText(line, Qt::AlignRight, text::elided(m_last, fontMetrics(), room));
}

void LayerStrip::mousePressEvent(QMouseEvent* event) {
    const int bar = barAt(static_cast<int>(event->position().x()));
    if (bar >= 0) {
        setCurrentItem(bar);
        Q_EMIT layerChosen(m_bars[static_cast<std::size_t>(bar)].layer);
    }
}

void LayerStrip::keyPressEvent(QKeyEvent* event) {
    const bool enters = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enters && currentItem() >= 0) {
        Q_EMIT layerChosen(m_bars[static_cast<std::size_t>(currentItem())].layer);
    } else {
        ItemsWidget::keyPressEvent(event);
    }
}

void LayerStrip::focusInEvent(QFocusEvent* event) {
    ItemsWidget::focusInEvent(event);
    if (currentItem() < 0) {
        setCurrentItem(0);
    }
}

bool LayerStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    const int bar = barAt(help->pos().x());
    if (bar < 0) {
        QToolTip::hideText();
    } else {
        QToolTip::showText(help->globalPos(),
                           text::toolTip(m_bars[static_cast<std::size_t>(bar)].words), this);
    }
    return true;
}

} // namespace cairn::ui
