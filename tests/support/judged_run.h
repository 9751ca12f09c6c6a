// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/experiment.h"

#include <string>

namespace cairn::test {

/// Judges the run by this metric, as if its curves had been read.
inline void judgeBy(ScannedRun& run, const std::string& metric,
                    names::Direction better = names::Direction::Smaller,
                    Strength strength = Strength::Named) {
    const bool isRecorded = strength >= Strength::Recorded;
    run.headline = decide<std::string>({{metric, {Strength::Named, "metric-in-name", "made", {}}}});
    run.direction = decide<names::Direction>(
        {{better,
          {strength,
           isRecorded ? "direction-recorded" : "direction-in-name",
           better == names::Direction::Larger ? Sentence("larger is better") : "lower is better",
           {}}}});
}

} // namespace cairn::test
