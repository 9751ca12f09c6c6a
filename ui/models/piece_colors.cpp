// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/piece_colors.h"

#include "ui/theme/theme.h"

namespace cairn::ui {

QColor pieceShade(double position, const QPalette& palette) {
    const QColor full = theme::series(0, palette);
    const QColor ground = theme::cardGround(palette);
    const auto share = static_cast<float>(0.45 + 0.55 * position);
    const auto channel = [share](float a, float b) { return share * a + (1.0F - share) * b; };
    return QColor::fromRgbF(channel(full.redF(), ground.redF()),
                            channel(full.greenF(), ground.greenF()),
                            channel(full.blueF(), ground.blueF()));
}

QColor textOn(const QColor& ground) {
    const bool white = theme::contrast(ground, Qt::white) >= theme::contrast(ground, Qt::black);
    return white ? QColor(Qt::white) : QColor(Qt::black);
}

} // namespace cairn::ui
