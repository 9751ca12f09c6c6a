// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention/prunable_run.h"

#include "core/runs/history/history.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/retention/references.h"
#include "core/runs/scan/experiment_scan.h"

#include <algorithm>
#include <utility>

namespace cairn {

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
