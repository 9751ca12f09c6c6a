// SPDX-License-Identifier: Apache-2.0
#include "core/runs/table/examine.h"

#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/facts/facts_cache.h"
#include "core/runs/facts/index_cache.h"
#include "core/runs/rank/ranking.h"

#include <vector>

namespace cairn {

Result<void> examineCheckpoints(Experiment& experiment, const CancelToken& cancel,
                                const ForEach& forEach) {
    const IndexCache cache = IndexCache::ofUser();
    FactsCache factsCache(cache, experiment.path);
    std::vector<ScannedCheckpoint*> places;
    for (ScannedRun& run : experiment.runs) {
        for (ScannedCheckpoint& each : run.checkpoints) {
            if (!each.isLink()) {
                places.push_back(&each);
            }
        }
    }
    const auto examine = [&](std::size_t i) {
        if (const auto facts = factsCache.examine(*places[i], cancel)) {
            applyFacts(*places[i], *facts);
        }
    };
    if (forEach) {
        forEach(places.size(), examine);
    } else {
        for (std::size_t i = 0; i < places.size() && !cancel.cancelled(); ++i) {
            examine(i);
        }
    }
    CAIRN_CHECK(cancel.check());
    factsCache.save();
    return {};
}

Result<RunTable> examineExperiment(Experiment& experiment, const CancelToken& cancel,
                                   const ForEach& forEach) {
    CAIRN_CHECK(examineCheckpoints(experiment, cancel, forEach));
    if (experiment.isCheckpoint) { // only this checkpoint was requested
        settleRun(experiment.runs.front());
        return RunTable();
    }
    CAIRN_TRY(RunTable table, readRunTable(experiment, IndexCache::ofUser(), cancel, forEach));
    experiment.notices.insert(experiment.notices.end(), table.notices.begin(), table.notices.end());
    return table;
}

} // namespace cairn
