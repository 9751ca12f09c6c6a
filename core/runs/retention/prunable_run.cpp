// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention/prunable_run.h"

#include "core/runs/history/history.h"
#include "core/runs/pins.h"
#include "core/runs/rank/counted_saves.h"
#include "core/runs/rank/metric_decision.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/rank/unread_logs.h"
#include "core/runs/retention/chosen_removal.h"
#include "core/runs/retention/references.h"
#include "core/runs/scan/experiment_scan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

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

namespace {

/// Scores the checkpoints by the user's metric; the trainer's record of the best one remains.
Result<void> rankBy(ScannedRun& run, RunHistory history, const RankedBy& by) {
    std::vector<std::optional<BestRecord>> records;
    for (ScannedCheckpoint& each : run.checkpoints) {
        records.push_back(std::exchange(each.record, std::nullopt));
    }
    std::map<std::filesystem::path, std::optional<BestRecord>> byPath;
    for (std::size_t i = 0; i < records.size(); ++i) {
        byPath.emplace(run.checkpoints[i].path, std::move(records[i]));
    }
    history.goals = {{by.metric, by.better, true, {}}};
    settleRun(run, history);
    const bool isRanked = plainMetricName(run.scoreMetric()) == plainMetricName(by.metric);
    if (!isRanked) { // in the values of the checkpoints, perhaps
        run.scoreSource.clear();
        for (ScannedCheckpoint& each : run.checkpoints) {
            const double* held = heldValue(each, by.metric);
            const bool has = held != nullptr && each.isOwnSave();
            each.score = has ? std::optional(*held) : std::nullopt;
            each.scoreFrom =
                has ? std::optional(Place{.file = each.path, .field = by.metric}) : std::nullopt;
        }
    }
    const std::string metric = isRanked ? run.scoreMetric() : by.metric;
    run.headline =
        decide<std::string>({{metric, {Strength::Recorded, kMetricOfUser, "as requested", {}}}});
    run.direction = decide<names::Direction>(
        {{by.better,
          {Strength::Recorded,
           kDirectionOfUser,
           by.better == names::Direction::Larger ? Sentence("larger is better, as requested")
                                                 : "lower is better, as requested",
           {}}}});
    for (ScannedCheckpoint& each : run.checkpoints) {
        each.record = byPath[each.path];
    }
    settleRun(run);
    if (std::ranges::none_of(run.checkpoints, [](const ScannedCheckpoint& each) {
            return each.score.has_value();
        })) {
        return fail(ErrorCode::InvalidArgument, "No checkpoint has a value of this metric")
            .inFile(run.path.string())
            .butFound(verbatim(by.metric));
    }
    return {};
}

/// See RetentionEvidence::heldDoubt.
Sentence heldDoubt(const ScannedRun& run, const RunHistory& history) {
    const std::string metric = plainMetricName(run.scoreMetric());
    const bool isLogged = std::ranges::any_of(history.series, [&](const MetricSeries& series) {
        return plainMetricName(series.name) == metric;
    });
    return isLogged && std::ranges::any_of(run.checkpoints, &ScannedCheckpoint::hasHeldScore)
               ? sentence("the values of %1 in the checkpoints may be of earlier ones: which rows "
                          "of its log are theirs is undecided",
                          run.scoreMetric())
               : Sentence();
}

} // namespace

Result<PrunableRun> examineForPruning(const Location& named, const std::filesystem::path& root,
                                      const CancelToken& cancel, const ForEach& forEach,
                                      const RankedBy& by) {
    CAIRN_TRY(Experiment experiment, scanRun(named, cancel));
    PrunableRun prunable;
    prunable.evidence = collectEvidence(experiment.runs.front());
    CAIRN_CHECK(examineExperiment(experiment, cancel, forEach));
    prunable.run = std::move(experiment.runs.front());
    CAIRN_TRY(prunable.notices, markReferences(prunable.run, cancel));
    const bool isElsewhere = !root.empty() && root != experiment.path;
    const auto history =
        readHistory(prunable.run.path, isElsewhere ? root : experiment.path, cancel);
    CAIRN_CHECK(cancel.check());
    if (!history) {
        prunable.notices.push_back({Severity::Warning, history.error()});
        return prunable;
    }
    prunable.evidence.bestDoubt = unreadLogs(*history);
    if (!by.metric.empty()) {
        CAIRN_CHECK(rankBy(prunable.run, *history, by));
    } else if (isElsewhere) {
        settleRun(prunable.run, *history);
    }
    prunable.evidence.heldDoubt = heldDoubt(prunable.run, *history);
    return prunable;
}

Result<RetentionPlan> planPruning(PrunableRun& run, const RetentionRules& rules,
                                  const CancelToken& cancel) {
    run.evidence.pinned = pinnedOf(run.run); // since the examination, perhaps
    return planProvenRetention(run.run, rules, run.evidence, run.proven, cancel);
}

RetentionPlan planChosen(PrunableRun& run, std::span<const std::filesystem::path> chosen) {
    run.evidence.pinned = pinnedOf(run.run);
    return planChosenRemoval(run.run, chosen, run.evidence);
}

} // namespace cairn
