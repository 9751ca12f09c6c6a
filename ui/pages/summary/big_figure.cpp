// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/big_figure.h"

#include "ui/widgets/card.h"

#include <QVBoxLayout>

namespace cairn::ui {

QWidget* bigFigure(const QString& caption, const QString& value, theme::Tone tone) {
    auto* holder = new QWidget;
    auto* column = new QVBoxLayout(holder);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kGrid / 2);
    column->addWidget(captionLabel(caption));
    auto* label = new TextLabel(value, tone);
    label->setFont(theme::bigFigure(label->font()));
    label->setAccessibleName(caption + QLatin1Char(' ') + value);
    column->addWidget(label);
    column->addStretch();
    return holder;
}

} // namespace cairn::ui
