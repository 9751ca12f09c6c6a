// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_widget.h"

#include "ui/text/plain_text.h"

#include <QHelpEvent>
#include <QToolTip>

namespace cairn::ui {

PlotWidget::PlotWidget(QWidget* parent) : ItemsWidget(parent, QAccessible::Chart) {
    setLayoutDirection(Qt::LeftToRight); // axes run so in any language
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

bool PlotWidget::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = tipAt(help->pos());
        if (tip.isEmpty()) {
            QToolTip::hideText();
        } else {
            QToolTip::showText(mapToGlobal(tipPlace(help->pos())), text::toolTip(tip), this);
        }
        return true;
    }
    return ItemsWidget::event(event);
}

void PlotWidget::resizeEvent(QResizeEvent*) {
    arrange();
}

void PlotWidget::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
        arrange();
    }
    ItemsWidget::changeEvent(event);
}

} // namespace cairn::ui
