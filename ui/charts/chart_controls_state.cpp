// SPDX-License-Identifier: GPL-3.0-or-later
// The choices of the toolbar above charts, for another start of the program.
#include "ui/charts/chart_controls.h"

#include <QAction>
#include <QDoubleSpinBox>

#include <algorithm>
#include <array>

namespace cairn::ui {
namespace {

constexpr auto kAxes = std::to_array<std::pair<AxisChoice::Kind, const char*>>({
    {AxisChoice::Kind::Step, "step"},
    {AxisChoice::Kind::Epoch, "epoch"},
    {AxisChoice::Kind::Elapsed, "elapsed"},
    {AxisChoice::Kind::Wall, "wall"},
    {AxisChoice::Kind::Metric, "metric"},
});

const QString kAxis = QStringLiteral("axis");
const QString kMetric = QStringLiteral("metric");
const QString kFromFirst = QStringLiteral("fromFirst");
const QString kLogX = QStringLiteral("logX");
const QString kLogY = QStringLiteral("logY");
const QString kTables = QStringLiteral("tables");
const QString kSmoothing = QStringLiteral("smoothing");

} // namespace

QJsonObject ChartControls::keptState() const {
    const auto* axis =
        std::ranges::find(kAxes, m_wanted.kind, &std::pair<AxisChoice::Kind, const char*>::first);
    QJsonObject state{{kAxis, QString::fromLatin1(axis->second)},
                      {kMetric, QString::fromStdString(m_wanted.metric)},
                      {kFromFirst, m_wanted.fromFirst},
                      {kLogX, m_logX->isChecked()},
                      {kLogY, m_logY->isChecked()},
                      {kTables, m_tables->isChecked()}};
    if (m_ownSmoothing) {
        state.insert(kSmoothing, m_spin->value());
    }
    return state;
}

void ChartControls::restoreState(const QJsonObject& state) {
    m_logY->setChecked(state.value(kLogY).toBool());
    m_logX->setChecked(state.value(kLogX).toBool());
    m_tables->setChecked(state.value(kTables).toBool());
    if (state.value(kSmoothing).isDouble()) {
        setSmoothing(
            std::clamp(state.value(kSmoothing).toDouble(), m_spin->minimum(), m_spin->maximum()));
    }
    const QString name = state.value(kAxis).toString();
    const auto* known = std::ranges::find_if(
        kAxes, [&](const auto& each) { return name == QLatin1String(each.second); });
    if (known != kAxes.end()) {
        m_wanted = {known->first, state.value(kMetric).toString().toStdString(),
                    state.value(kFromFirst).toBool()};
        setAxes(m_kinds, m_metrics); // the wanted one, once it is among them
    }
}

} // namespace cairn::ui
