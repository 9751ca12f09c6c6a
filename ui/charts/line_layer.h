// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_scene.h"

#include <QWidget>

#include <memory>

namespace cairn::ui {

/// The lines of a chart, drawn by Qt Charts (in software: OpenGL series use a separate widget, do
/// not support dashes and fail over remote displays). Covers exactly the plot's rectangle, without
/// axes and text, and ignores mouse and focus. Gets only the sampled points of a scene, so that Qt
/// Charts never has more than kMaxCurvePoints points per curve, all finite.
class LineLayer : public QWidget {
    Q_OBJECT

public:
    explicit LineLayer(QWidget* parent);
    ~LineLayer() override;

    void show(const PlotScene& scene, const ChartContent& content, const QPalette& palette);
    /// Number of points that Qt Charts has now; for tests.
    std::size_t points() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Parts; // the only names of Qt Charts
    std::unique_ptr<Parts> m_parts;
};

} // namespace cairn::ui
