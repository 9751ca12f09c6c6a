// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/heat_map.h"
#include "ui/widgets/painted_items.h"

#include <QString>

#include <optional>
#include <utility>

namespace cairn::ui {

/// Draws a HeatMap: blue below zero, orange above, paler near zero; blocks with a NaN or an
/// infinity are crossed out in the error colour.
class HeatMapView : public ItemsWidget {
    Q_OBJECT

public:
    explicit HeatMapView(QWidget* parent = nullptr);
    /// "Heat map · mean of 4 × 2 blocks, sampled".
    static QString caption(const QString& what, const HeatMap& map);
    void show(HeatMap map);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }
    /// Emits blockChosen() for clicks from now on.
    void setChoosable(const QString& hint);
    int itemCount() override { return static_cast<int>(m_map.rows * m_map.columns); }
    QString itemText(int item) override;
    QRectF itemRect(int item) override;

Q_SIGNALS:
    /// Its first element in the slice that is shown.
    void blockChosen(qint64 row, qint64 column);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override; ///< the block under the pointer
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF rectOf(std::size_t row, std::size_t column) const;
    /// Row and column of the block under a place.
    std::optional<std::pair<std::size_t, std::size_t>> blockAt(QPointF place) const;

    HeatMap m_map;
    void chooseBlock(std::size_t row, std::size_t column);

    QString m_hint;       ///< effect of a click; empty: none
    double m_largest = 0; ///< of the cells' magnitudes
};

} // namespace cairn::ui
