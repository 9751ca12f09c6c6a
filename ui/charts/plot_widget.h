// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/painted_items.h"

namespace cairn::ui {

/// What all plots have in common: axes that run from left to right in any language, a layout that
/// follows size, font and palette, and tooltips. GUI thread only.
class PlotWidget : public ItemsWidget {
    Q_OBJECT

protected:
    explicit PlotWidget(QWidget* parent);

    /// Places everything anew: the size, the font or the palette changed.
    virtual void arrange() = 0;
    /// What the tooltip says there; empty: none.
    virtual QString tipAt(const QPointF& place) = 0;
    /// Where a tooltip for a place is shown, in the widget.
    virtual QPoint tipPlace(const QPoint& place) const { return place; }

    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
};

} // namespace cairn::ui
