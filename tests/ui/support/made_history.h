// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/history/history.h"
#include "ui/charts/chart_content.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cairn::ui::test {

/// A falling curve of `points` points at steps 1, 2, …
inline CurveDataPtr falling(std::size_t points, double from = 3.0) {
    std::vector<double> x(points);
    std::vector<double> y(points);
    for (std::size_t i = 0; i < points; ++i) {
        x[i] = static_cast<double>(i + 1);
        y[i] = from / std::sqrt(1.0 + static_cast<double>(i) / 40.0) +
               0.05 * std::sin(static_cast<double>(i) * 12.9898);
    }
    return std::make_shared<CurveData>(std::move(x), std::move(y));
}

inline ChartCurve curve(CurveDataPtr data, int series = 0, const QString& letter = {}) {
    ChartCurve made;
    made.data = std::move(data);
    made.series = series;
    made.letter = letter;
    made.run = QStringLiteral("run-%1").arg(series);
    made.source = QStringLiteral("metrics.jsonl");
    return made;
}

inline MetricSeries series(std::string name, std::vector<double> steps, std::vector<double> values,
                           std::uint32_t source = 0) {
    MetricSeries made;
    made.name = std::move(name);
    made.source = source;
    made.steps = std::move(steps);
    made.values = std::move(values);
    return made;
}

} // namespace cairn::ui::test
