// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QPainter>

namespace cairn::ui {

/// A platform field with the outline of a Button, so that its edge is visible on a card in light
/// and dark.
template <class Field> class Outlined : public Field {
public:
    using Field::Field;

protected:
    void paintEvent(QPaintEvent* event) override {
        Field::paintEvent(event);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(this->hasFocus() ? theme::color(theme::Tone::Accent, this->palette())
                                        : theme::hairline(this->palette()));
        painter.drawRoundedRect(QRectF(this->rect()).adjusted(0.5, 0.5, -0.5, -0.5),
                                theme::kControlRadius, theme::kControlRadius);
    }
};

} // namespace cairn::ui
