// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/heat_map.h"

#include <QWidget>

namespace cairn::ui {

/// Draws a HeatMap: blue below zero, orange above, paler towards it; blocks with a NaN or an
/// infinity are crossed out in the colour of what is broken.
class HeatMapView : public QWidget {
    Q_OBJECT

public:
    explicit HeatMapView(QWidget* parent = nullptr);
    void show(HeatMap map);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override; ///< the block under the pointer

private:
    QRectF rectOf(std::size_t row, std::size_t column) const;
    HeatMap m_map;
    double m_largest = 0; ///< of the cells' magnitudes
};

} // namespace cairn::ui
