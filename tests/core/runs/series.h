// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

/// Curves of a few points.
namespace cairn::test {

inline const double kNan = std::numeric_limits<double>::quiet_NaN();

inline MetricSeries series(const std::string& name, std::vector<double> steps,
                           std::vector<double> values) {
    MetricSeries result;
    result.name = name;
    result.steps = std::move(steps);
    result.values = std::move(values);
    return result;
}

} // namespace cairn::test
