// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QSize>

#include <functional>

class QPainter;

namespace cairn::ui {

/// Draws the picture that `kept` holds of what `draw` draws, in `size` from the origin, in the
/// pixels of the painter's device; draws it first if it is null, or of another size or scale.
void paintKept(QPainter& painter, QPixmap& kept, const QSize& size,
               const std::function<void(QPainter&)>& draw);

} // namespace cairn::ui
