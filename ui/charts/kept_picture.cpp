// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/kept_picture.h"

#include "ui/bridge/turn_queue.h"

#include <QPainter>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace cairn::ui {

void KeptPicture::change(std::size_t items, std::size_t itemsOfPart, Draw draw) {
    m_items = items;
    m_itemsOfPart = itemsOfPart;
    m_draw = std::move(draw);
    m_stale = true;
    m_begun = {};
    ++m_generation;
    m_widget.update();
}

void KeptPicture::clear() {
    change(0, 1, {});
    m_kept = {};
}

void KeptPicture::begin(double scale) {
    m_begun = QPixmap((QSizeF(m_widget.size()) * scale).toSize());
    m_begun.setDevicePixelRatio(scale);
    m_begun.fill(Qt::transparent);
    m_next = 0;
}

void KeptPicture::drawPart() {
    const std::size_t last = std::min(m_next + m_itemsOfPart, m_items);
    QPainter onto(&m_begun);
    m_draw(onto, std::exchange(m_next, last), last);
    onto.end();
    if (last == m_items) {
        m_kept = std::exchange(m_begun, {});
        m_stale = false;
        ++m_drawn;
    }
}

void KeptPicture::drawNext(int generation) {
    if (generation != m_generation || m_begun.isNull()) {
        return; // it shows something else meanwhile
    }
    drawPart();
    if (m_stale) {
        m_turns->add(&m_widget, [this, generation] { drawNext(generation); });
    } else {
        m_widget.update();
    }
}

void KeptPicture::paint(QPainter& painter) {
    if (!m_draw) {
        return;
    }
    const double scale = painter.deviceTransform().m11(); // also that of a picture of the window
    const QSize pixels = (QSizeF(m_widget.size()) * scale).toSize();
    const auto fits = [&](const QPixmap& picture) {
        return picture.size() == pixels && picture.devicePixelRatio() == scale;
    };
    if (!m_stale && fits(m_kept)) {
        painter.drawPixmap(QPointF(), m_kept);
        return;
    }
    // Only the window itself is painted again when the picture is complete.
    const bool waits =
        m_items > m_itemsOfPart && m_turns != nullptr && scale == m_widget.devicePixelRatioF();
    if (!waits) {
        begin(scale);
        do {
            drawPart();
        } while (!m_begun.isNull());
    } else if (!fits(m_begun)) {
        begin(scale);
        m_turns->add(&m_widget, [this, generation = ++m_generation] { drawNext(generation); });
    }
    painter.drawPixmap(QRectF(QPointF(), m_widget.size()), m_kept, QRectF(m_kept.rect()));
}

} // namespace cairn::ui
