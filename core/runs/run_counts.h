// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/experiment.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace cairn {

/// Which checkpoints a run saved: without links, and without what was made of them and is beside
/// them (exports, an adapter without a step); the final model in the run's own folder counts. Of a
/// run that has nothing else, these count, too. Everything that counts, ranks or pairs a run's
/// checkpoints asks this. The run is borrowed. Pure.
class RunSaves {
public:
    explicit RunSaves(const ScannedRun& run);
    [[nodiscard]] bool has(const ScannedCheckpoint& checkpoint) const;

private:
    const ScannedRun& m_run;
    bool m_all = false; ///< there is nothing else
};

/// Whose names and contents are evidence about the run: those that the training saved itself. In a
/// folder that contains only exports, these are. The run is borrowed. Pure.
class EvidentSaves {
public:
    explicit EvidentSaves(const ScannedRun& run)
        : m_areExports(std::ranges::none_of(run.checkpoints, &ScannedCheckpoint::isOwnSave)) {}
    [[nodiscard]] bool has(const ScannedCheckpoint& checkpoint) const {
        return m_areExports ? !checkpoint.isLink() : checkpoint.isOwnSave();
    }

private:
    bool m_areExports = false;
};

/// How many these are. Pure.
[[nodiscard]] std::size_t savesOf(const ScannedRun& run);

/// As lists show them: the newest first, each link after its target; what was made of the
/// checkpoints and has neither step nor epoch (an adapter beside them) after all of these. They
/// refer to the run. Pure.
[[nodiscard]] std::vector<const ScannedCheckpoint*> newestFirst(const ScannedRun& run);

} // namespace cairn
