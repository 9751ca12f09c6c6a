// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>

namespace cairn::ui {

/// Shades of the first series colour that distinguish neighbouring pieces; `position` 0 to 1, light
/// to full.
QColor pieceShade(double position, const QPalette& palette);

/// Black or white, whichever is easier to read on `ground`.
QColor textOn(const QColor& ground);

} // namespace cairn::ui
