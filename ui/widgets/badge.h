// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QRect>
#include <QString>

class QPainter;

namespace cairn::ui {

/// A state as text on a rounded background ("shard 2 missing", "latest"). Painted by delegates and
/// widgets alike.
struct Badge {
    QString text;
    theme::Tone tone = theme::Tone::Dim;
    friend bool operator==(const Badge&, const Badge&) = default;
};

/// Width in pixels that the badge takes with the small variant of `font`.
int badgeWidth(const Badge& badge, const QFont& font);

/// Paints at the left of `row`, vertically centred, no wider than the row; if it does not fit, only
/// a dot in the badge's tone. Returns the width.
int paintBadge(QPainter& painter, const QRect& row, const Badge& badge, const QFont& font,
               const QPalette& palette);

} // namespace cairn::ui
