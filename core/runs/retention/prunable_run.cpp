// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention/prunable_run.h"

#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/facts/facts_cache.h"
#include "core/runs/facts/index_cache.h"
#include "core/runs/history/history.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/retention/references.h"
#include "core/runs/scan/experiment_scan.h"

#include <algorithm>
#include <utility>

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

Result<Experiment> scanRun(const Location& named, const CancelToken& cancel) {
    CAIRN_TRY(Experiment experiment, scanExperiment(named, cancel));
    const std::filesystem::path& path = named.path();
    if (experiment.runs.empty()) {
        return fail(ErrorCode::NotACheckpoint, "No checkpoints in this folder")
            .inFile(path.string());
    }
    const auto own = std::ranges::find(experiment.runs, ".", &ScannedRun::id);
    if (own == experiment.runs.end() && experiment.runs.size() > 1) {
        return fail(ErrorCode::InvalidArgument, "The folder contains several runs")
            .inFile(path.string())
            .butFound(sentence("%1 runs", experiment.runs.size()))
            .withHint("Specify one of them; `cairn-cli runs` lists them");
    }
    if (own != experiment.runs.end()) {
        std::iter_swap(experiment.runs.begin(), own);
    }
    experiment.runs.resize(1);
    return experiment;
}

Result<PrunableRun> examineForPruning(const Location& named, const std::filesystem::path& root,
                                      const CancelToken& cancel, const ForEach& forEach) {
    CAIRN_TRY(Experiment experiment, scanRun(named, cancel));
    PrunableRun prunable;
    prunable.evidence = collectEvidence(experiment.runs.front());
    CAIRN_CHECK(examineExperiment(experiment, cancel, forEach));
    prunable.run = std::move(experiment.runs.front());
    CAIRN_TRY(prunable.notices, markReferences(prunable.run, cancel));
    if (!root.empty() && root != experiment.path) {
        const auto history = readHistory(prunable.run.path, root, cancel);
        CAIRN_CHECK(cancel.check());
        if (history) {
            settleRun(prunable.run, *history);
        } else {
            prunable.notices.push_back({Severity::Warning, history.error()});
        }
    }
    return prunable;
}

Result<RetentionPlan> planPruning(PrunableRun& run, const RetentionRules& rules,
                                  const CancelToken& cancel) {
    return planProvenRetention(run.run, rules, run.evidence, run.proven, cancel);
}

} // namespace cairn
