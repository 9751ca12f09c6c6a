// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diff_rollup.h"
#include "ui/widgets/painted_items.h"

#include <QString>

#include <vector>

namespace cairn::ui {

/// One bar per layer, whose height and colour show its relative change; a click selects it. Left
/// and Right move, Enter selects.
class LayerStrip : public ItemsWidget {
    Q_OBJECT

public:
    explicit LayerStrip(QWidget* parent = nullptr);
    void show(const std::vector<LayerChange>& layers);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int itemCount() override { return static_cast<int>(m_bars.size()); }
    QString itemText(int item) override { return m_bars[static_cast<std::size_t>(item)].words; }
    QRectF itemRect(int item) override { return rectOf(item); }

Q_SIGNALS:
    void layerChosen(const QString& layer); ///< its dotted name

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override; ///< the layer under the pointer

private:
    struct Bar {
        QString layer;
        QString words;
        double share = 0; ///< of the largest change, 0 to 1
        bool differs = false;
    };
    double plotHeight() const;
    int barAt(int x) const;
    QRectF rectOf(int bar) const;

    std::vector<Bar> m_bars;
    QString m_first;
    QString m_last;
};

} // namespace cairn::ui
