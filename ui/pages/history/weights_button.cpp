// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/history/weights_button.h"

#include "ui/text/plain_text.h"

#include <QMenu>

#include <algorithm>

namespace cairn::ui {

WeightsButton::WeightsButton(WeightCurves& curves, QWidget* parent)
    : Button(QString(), parent), m_curves(curves) {
    auto* choices = new QMenu(this);
    setMenu(choices);
    text::setToolTip(this, tr("Weight statistics for every checkpoint of the run. For one tensor "
                              "or layer, use “Across Checkpoints” in the inspector"));
    connect(choices->addAction(tr("&All Weights")), &QAction::triggered, this,
            [this] { m_curves.add({}, true); });
    choices->addSeparator();
    for (const WeightMeasure measure :
         {WeightMeasure::L2, WeightMeasure::Std, WeightMeasure::Mean, WeightMeasure::Min,
          WeightMeasure::Max, WeightMeasure::AbsMax, WeightMeasure::Zeros, WeightMeasure::NonFinite,
          WeightMeasure::Change}) {
        QAction* action = choices->addAction(WeightCurves::measureTitle(measure));
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, &WeightsButton::chooseMeasures);
        m_measures.emplace(measure, action);
    }
    choices->addSeparator();
    m_stop = choices->addAction(tr("&Stop"));
    m_clear = choices->addAction(tr("&Remove These Curves"));
    connect(m_stop, &QAction::triggered, &curves, &WeightCurves::stop);
    connect(m_clear, &QAction::triggered, &curves, &WeightCurves::clear);
    connect(&curves, &WeightCurves::changed, this, &WeightsButton::refresh);
    connect(&curves, &WeightCurves::progressed, this, [this](int done, int total) {
        refresh();
        setStatus(tr("Measuring %1 of %2").arg(done).arg(total));
    });
    refresh();
}

void WeightsButton::setStatus(const QString& text) {
    setText(text);
    updateGeometry();
}

void WeightsButton::chooseMeasures() {
    std::vector<WeightMeasure> chosen;
    for (const auto& [measure, action] : m_measures) {
        if (action->isChecked()) {
            chosen.push_back(measure);
        }
    }
    m_curves.setMeasures(std::move(chosen));
}

void WeightsButton::refresh() {
    const std::vector<WeightMeasure>& chosen = m_curves.measures();
    for (const auto& [measure, action] : m_measures) {
        action->setChecked(std::ranges::find(chosen, measure) != chosen.end());
    }
    m_stop->setEnabled(m_curves.isMeasuring());
    m_clear->setEnabled(!m_curves.names().empty());
    if (!m_curves.isMeasuring()) {
        setStatus(tr("Weights"));
    }
}

} // namespace cairn::ui
