// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/space/space_map.h"

#include <QBrush>
#include <QColor>
#include <QPalette>

namespace cairn::ui {

/// The colour of a tile; of roles as on every other page.
QColor spaceColor(SpaceMap::Fill fill, const QPalette& palette);
/// What is drawn over a paler tile that a plan would move.
QBrush hatchingOf(SpaceMap::Fill fill, const QPalette& palette);

} // namespace cairn::ui
