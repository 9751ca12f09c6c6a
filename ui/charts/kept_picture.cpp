// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/kept_picture.h"

#include <QPainter>

namespace cairn::ui {

void paintKept(QPainter& painter, QPixmap& kept, const QSize& size,
               const std::function<void(QPainter&)>& draw) {
    const double scale = painter.deviceTransform().m11(); // also that of a picture of the window
    const QSize pixels = (QSizeF(size) * scale).toSize();
    if (kept.size() != pixels || kept.devicePixelRatio() != scale) {
        kept = QPixmap(pixels);
        kept.setDevicePixelRatio(scale);
        kept.fill(Qt::transparent);
        QPainter onto(&kept);
        draw(onto);
    }
    painter.drawPixmap(QPointF(), kept);
}

} // namespace cairn::ui
