// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/wandb/step_axes.h"

#include "core/model/names/tokens.h"
#include "core/model/names/vocabulary.h"
#include "core/runs/history/common/row_roles.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::history::wandb {

bool namesEpoch(std::string_view name) {
    return name == "epoch" || name.ends_with("/epoch");
}

namespace {

/// A defined axis may count anything: "samples", "tokens".
bool namesStep(std::string_view name) {
    const RoleOfName role = roleOfName(name);
    const auto words = names::wordsOf(name);
    return (role.role == ColumnRole::Step && role.strength >= Strength::Recorded) ||
           namesEpoch(name) ||
           (role.role != ColumnRole::Step && !words.empty() &&
            names::means(words.back(), names::Meaning::Step));
}

} // namespace

void StepAxes::define(MetricGoal metric, std::string stepMetric) {
    m_axes.push_back({std::move(metric), std::move(stepMetric)});
}

RowPlace StepAxes::placeOf(std::string_view name, RowPlace place) const {
    place.strength = Strength::Named;
    if (m_lastOf.empty()) {
        return place;
    }
    const Axis* axis = nullptr;
    for (const Axis& each : m_axes) {
        axis =
            each.metric.name == name || (each.metric.name.ends_with('*') && each.metric.isOf(name))
                ? &each
                : axis;
    }
    const bool isOwn = axis != nullptr && axis->stepMetric != name;
    const auto last = m_lastOf.find(isOwn ? axis->stepMetric : m_stepColumn);
    if (last != m_lastOf.end()) {
        place.step = last->second;
        place.key = roleOfName(last->first).key;
        place.strength = last->first == "_step" || !namesStep(last->first) ? Strength::Named
                                                                           : Strength::Recorded;
        place.stepFrom =
            isOwn && namesEpoch(axis->stepMetric) ? StepsFrom::Epoch : StepsFrom::Source;
    }
    return place;
}

void StepAxes::note(std::string_view name, Number value) {
    const RoleOfName role = roleOfName(name);
    const bool isAxis =
        std::ranges::any_of(m_axes, [&](const Axis& axis) { return axis.stepMetric == name; });
    const bool isStep = role.role == ColumnRole::Step && role.rank <= m_stepRank;
    if ((!isAxis && !isStep) || !std::isfinite(value.nearest)) {
        return;
    }
    m_lastOf[std::string(name)] = value;
    if (isStep) {
        m_stepColumn = name;
        m_stepRank = role.rank;
    }
}

} // namespace cairn::history::wandb
