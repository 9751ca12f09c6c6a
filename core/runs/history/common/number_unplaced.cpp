// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/common/number_unplaced.h"

#include <algorithm>
#include <numeric>

namespace cairn::history {

void numberUnplaced(HistoryPart& part) {
    std::size_t numbered = 0;
    for (MetricSeries& series : part.series) {
        const auto isZero = [](double step) { return step == 0; };
        if (series.stepsFrom == StepsFrom::Source && series.size() > 2 &&
            std::ranges::all_of(series.steps, isZero)) {
            series.stepsFrom = StepsFrom::Count;
            std::vector<double>& steps = series.steps.edit();
            std::iota(steps.begin(), steps.end(), 0.0);
            ++numbered;
        }
    }
    if (numbered > 0) {
        part.warnings.push_back(
            {Severity::Info,
             fail(ErrorCode::HistoryNoStep,
                  "Metrics were logged without a step; their points are numbered from 0")
                 .butFound(sentence("%1 metrics", numbered))});
    }
}

} // namespace cairn::history
