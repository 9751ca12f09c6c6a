// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/history/weight_curves.h"
#include "ui/widgets/button.h"

#include <map>

namespace cairn::ui {

/// Shows the progress of measuring weights; its menu starts all weights, selects the measures,
/// stops, and removes the curves. The curves outlive it.
class WeightsButton : public Button {
    Q_OBJECT

public:
    explicit WeightsButton(WeightCurves& curves, QWidget* parent = nullptr);

private:
    void chooseMeasures();
    void setStatus(const QString& text);
    void refresh();

    WeightCurves& m_curves;
    QAction* m_stop;
    QAction* m_clear;
    std::map<WeightMeasure, QAction*> m_measures;
};

} // namespace cairn::ui
