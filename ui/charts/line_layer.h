// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/plot_scene.h"

#include <QWidget>

#include <memory>

namespace cairn::ui {

/// The lines of a chart, drawn by Qt Charts (in software: OpenGL series use a widget of their
/// own, do not support dashes and fail over remote displays). Covers the plot's rectangle exactly,
/// shows no axis and no text, takes no mouse and no focus. Gets of a scene only what was sampled
/// for it, so that Qt Charts never sees more than kMaxCurvePoints points a curve, and none that is
/// not finite.
class LineLayer : public QWidget {
    Q_OBJECT

public:
    explicit LineLayer(QWidget* parent);
    ~LineLayer() override;

    void show(const PlotScene& scene, const ChartContent& content, const QPalette& palette);
    /// Points that Qt Charts holds now; for tests.
    std::size_t points() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Parts; // the only names of Qt Charts
    std::unique_ptr<Parts> m_parts;
};

} // namespace cairn::ui
