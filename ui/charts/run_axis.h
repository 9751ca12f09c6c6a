// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/history/history.h"
#include "ui/charts/axis_ticks.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Converts a run's history into positions on the axis that the user chose. Plain values;
/// any thread.
namespace cairn::ui {

struct AxisChoice {
    enum class Kind : std::uint8_t {
        Step,
        Epoch,
        Elapsed, ///< seconds since the first point of the run
        Wall,    ///< seconds since 1970
        Metric,  ///< the value of another logged metric at the same step: "tokens"
    };
    Kind kind = Kind::Step;
    std::string metric;
    bool fromFirst = false; ///< the run's first place becomes 0
    friend bool operator==(const AxisChoice&, const AxisChoice&) = default;
};

AxisUnit axisUnit(const AxisChoice& choice);

/// Known pairs of step and position, from one source or the full run, for items that only have a
/// step: checkpoints, and points of series that do not record the axis.
class StepMap {
public:
    StepMap() = default;
    StepMap(std::vector<double> steps, std::vector<double> places);
    /// Linear between two known pairs; up to one step's distance beyond either end, that end's
    /// position; otherwise empty.
    [[nodiscard]] std::optional<double> at(double step) const;
    /// The last step that is not beyond the place.
    [[nodiscard]] std::optional<double> stepAt(double place) const;
    [[nodiscard]] bool empty() const { return m_steps.empty(); }
    [[nodiscard]] double first() const { return m_places.front(); }

private:
    std::vector<double> m_steps; ///< ascending
    std::vector<double> m_places;
};

/// The axis of one run.
class RunAxis {
public:
    RunAxis(const RunHistory& history, AxisChoice choice);

    struct Places {
        std::vector<double> x; ///< one for each point; NaN: the point has no position
        bool interpolated = false;
    };
    /// Nothing: this series has no position on the axis.
    [[nodiscard]] std::optional<Places> places(const MetricSeries& series) const;
    /// The position of a checkpoint.
    [[nodiscard]] std::optional<double> place(std::optional<std::int64_t> step,
                                              std::optional<double> epoch) const;
    [[nodiscard]] const AxisChoice& choice() const { return m_choice; }

private:
    [[nodiscard]] std::optional<Places> raw(const MetricSeries& series) const;

    AxisChoice m_choice;
    StepMap m_map;    ///< step to place
    StepMap m_epochs; ///< step to epoch
    double m_origin = 0;
};

/// Kinds on which at least one curve of the history has positions; Step is always one.
std::vector<AxisChoice::Kind> possibleAxes(const RunHistory& history);
/// Metrics that only increase and so can be an axis: "tokens", "samples seen"; natural order.
std::vector<std::string> axisMetrics(const RunHistory& history);

} // namespace cairn::ui
