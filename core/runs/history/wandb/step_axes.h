// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/common/call_steps.h"
#include "core/runs/history/common/series_table.h"
#include "core/runs/history/history.h"

#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::history::wandb {

/// "epoch", "train/epoch", "trainer/epoch": the usual names of the epoch column.
bool namesEpoch(std::string_view name);

/// The position of a metric's values: the value of the axis from define_metric(), otherwise of a
/// column that counts steps. W&B's own "_step" counts calls of its log function, unless the caller
/// passes steps, which leaves gaps in it. Not thread-safe.
class StepAxes {
public:
    /// `metric`: the metric with this axis, a name or a pattern.
    void define(MetricGoal metric, std::string stepMetric);
    /// Adds a number of the current row.
    void note(std::string_view name, Number value);
    /// Notes the row's "_step".
    void noteCall(const Number& step) { m_calls.note(step); }
    [[nodiscard]] bool callsAreSteps() const { return m_calls.ofCaller(); }
    /// `place`: of the row.
    [[nodiscard]] RowPlace placeOf(std::string_view name, RowPlace place) const;

private:
    struct Axis {
        MetricGoal metric;
        std::string stepMetric;
    };
    std::vector<Axis> m_axes;
    std::map<std::string, Number, std::less<>>
        m_lastOf; ///< last values of columns that count steps
    std::string m_stepColumn;
    CallSteps m_calls;
    int m_stepRank = std::numeric_limits<int>::max();
};

} // namespace cairn::history::wandb
