// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention/retention.h"

#include "core/model/names/file_names.h"
#include "core/runs/rank/best_decision.h"
#include "core/runs/rank/metric_decision.h"
#include "core/runs/retention/checkpoint_series.h"
#include "core/runs/retention/chosen_removal.h"
#include "core/runs/retention/retention_costs.h"
#include "core/runs/run_counts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace cairn {
namespace {

using Checkpoints = std::vector<ScannedCheckpoint>;
using Indices = std::vector<std::size_t>;

constexpr std::int64_t kSecond = 1'000'000'000;

/// Complete, without contrary findings.
bool isUsable(const ScannedCheckpoint& each) {
    return !each.isLink() && each.examined && each.opened && each.reason.empty() &&
           each.state == CheckpointState::Complete;
}

/// A save can consist of several files, for example a generator and a discriminator.
bool areOneSave(const ScannedCheckpoint& a, const ScannedCheckpoint& b) {
    return a.step && b.step ? a.step == b.step : a.epoch && b.epoch && a.epoch == b.epoch;
}

/// Why the files of one checkpoint cannot replace those of another; empty: they can.
Sentence missingIn(const ScannedCheckpoint& later, const SavedFiles& laterFiles,
                   const ScannedCheckpoint& earlier, const SavedFiles& earlierFiles) {
    if (later.bytes < earlier.bytes / 2) {
        return sentence("%1, which is kept, has less than half of its size", later.name);
    }
    const auto there = laterFiles.shape();
    for (const auto& [name, count] : earlierFiles.shape()) {
        const auto at = there.find(name);
        if (at == there.end()) {
            return sentence("it contains %1, which %2 does not", name, later.name);
        }
        if (at->second < count) {
            return sentence("it contains %1 files like %2, and %3 %4", count, name, later.name,
                            at->second);
        }
    }
    return {};
}

class Planner {
public:
    Planner(const ScannedRun& run, const RetentionRules& rules, const RetentionEvidence& evidence)
        : m_run(run), m_list(run.checkpoints), m_rules(rules), m_evidence(evidence), m_series(run),
          m_saves(run), m_doubt(m_list.size()), m_solid(m_list.size()), m_why(m_list.size()),
          m_files(m_list.size()) {
        for (std::size_t i = 0; i < m_list.size(); ++i) {
            const auto at = evidence.files.find(m_list[i].path);
            m_files[i] = at != evidence.files.end() ? &at->second : &m_unlisted;
        }
    }

    Result<RetentionPlan> plan() {
        if (m_rules.keepLast == 0 && m_rules.keepBest == 0) {
            return fail(ErrorCode::InvalidArgument, "The rules would not keep any checkpoint")
                .expecting("a number of last or of best checkpoints to keep");
        }
        const auto isScored = [this](const ScannedCheckpoint& each) {
            return isUsable(each) && !isBeside(each) && each.score && std::isfinite(*each.score);
        };
        if (m_rules.keepBest > 0 && std::ranges::none_of(m_list, isScored) &&
            (m_rules.keepBest > 1 || !m_run.bestIs)) {
            return fail(ErrorCode::InvalidArgument,
                        "No metric or record identifies the best checkpoints of this run")
                .inFile(m_run.path.string())
                .withHint("Keep the last ones instead");
        }
        for (std::size_t i = 0; i < m_list.size(); ++i) {
            m_paths.insert(m_list[i].path.string());
            if (m_list[i].isLink()) {
                m_linked.emplace(m_list[i].linkTo, m_list[i].name);
            }
        }
        for (std::size_t i = 0; i < m_list.size(); ++i) {
            m_doubt[i] = doubtOf(i);
            m_solid[i] = m_doubt[i].empty();
        }
        m_bestDoubt = bestDoubt();
        m_plan.waitsForDirection = m_bestDoubt.empty() && isDirectionAssumed();
        if (m_plan.waitsForDirection) {
            m_bestDoubt = sentence("which values of %1 are better is only assumed (%2)",
                                   m_run.scoreMetric(), m_run.directionText());
        }
        findConflicts();
        for (const auto& [name, members] : m_series.all()) {
            keepBySeries(members);
        }
        Indices kept;
        Indices doubtful;
        for (std::size_t i = 0; i < m_list.size(); ++i) {
            m_why[i] = keepWhy(i);
            if (!m_why[i].empty() && !m_list[i].isLink() && !isBeside(m_list[i])) {
                kept.push_back(i);
            } else if (m_series.has(i) && !(m_doubt[i].empty() && m_conflict[i].empty())) {
                doubtful.push_back(i);
            }
        }
        for (std::size_t i = 0; i < m_list.size(); ++i) {
            place(i, kept, doubtful);
        }
        return std::move(m_plan);
    }

private:
    /// Positions, names and times must agree; if training went back to an earlier step, only the
    /// user can decide which branch is needed.
    void findConflicts() {
        std::vector<SavedTimes> times;
        for (const SavedFiles* files : m_files) {
            times.push_back({files->oldestNs(), files->newestNs(), isSettled(*files)});
        }
        m_conflict = m_series.conflicts(times);
    }

    /// The checkpoints of the first `count` saves in this order.
    Indices firstSaves(const Indices& order, std::size_t count) const {
        Indices first;
        Indices saves;
        for (const std::size_t i : order) {
            const bool taken = std::ranges::any_of(
                saves, [&](std::size_t save) { return areOneSave(m_list[save], m_list[i]); });
            if (!taken && saves.size() == count) {
                continue;
            }
            if (!taken) {
                saves.push_back(i);
            }
            first.push_back(i);
        }
        return first;
    }

    void keep(const Indices& order, std::size_t count, Sentence why) {
        for (const std::size_t i : firstSaves(order, count)) {
            m_why[i] = m_why[i].empty() ? why : m_why[i];
        }
    }

    /// `members`: last position first. A recently changed checkpoint may be unfinished, so it does
    /// not count as one of those that are kept.
    void keepBySeries(const Indices& members) {
        Indices usable;
        Indices solid;
        Indices resumable;
        for (const std::size_t i : members) {
            if (isUsable(m_list[i]) && m_series.position(i)) {
                usable.push_back(i);
            }
            if (m_solid[i]) {
                solid.push_back(i);
            }
            if (m_solid[i] && isResumable(i)) {
                resumable.push_back(i);
            }
        }
        keep(usable, 1, "latest");
        keep(solid, 1, "latest that has not changed recently");
        const Sentence last = sentence("one of the last %1", m_rules.keepLast);
        keep(usable, m_rules.keepLast, last);
        keep(solid, m_rules.keepLast, last);
        const double sign = m_run.largerIsBetter() ? -1 : 1;
        std::erase_if(usable, [&](std::size_t i) {
            return !m_list[i].score || !std::isfinite(*m_list[i].score);
        });
        // Of equal scores the earliest, as in best_decision.h.
        std::ranges::reverse(usable);
        std::ranges::stable_sort(usable, {},
                                 [&](std::size_t i) { return sign * *m_list[i].score; });
        const bool areHeld = std::ranges::any_of(m_list, &ScannedCheckpoint::hasHeldScore);
        keep(usable, m_rules.keepBest,
             areHeld ? sentence("one of the best %1 by the values of %2 in the checkpoints",
                                m_rules.keepBest, m_run.scoreMetric())
                     : sentence("one of the best %1 by %2", m_rules.keepBest, m_run.scoreMetric()));
        keep(resumable, 1, "newest from which training can continue");
    }

    /// Made of the run's checkpoints: neither kept in place of one nor removed.
    bool isBeside(const ScannedCheckpoint& each) const {
        return each.exportOf || (!each.isLink() && !m_saves.has(each));
    }

    bool isResumable(std::size_t i) const {
        return std::ranges::any_of(m_list, [&](const ScannedCheckpoint& each) {
            return each.resumable && isUsable(each) &&
                   (&each == &m_list[i] || areOneSave(each, m_list[i]));
        });
    }

    bool isSettled(const SavedFiles& files) const {
        return files.whole && m_evidence.nowNs - files.newestNs() >= m_rules.graceNs;
    }

    /// Why it is kept; empty: it is not.
    Sentence keepWhy(std::size_t i) const {
        const ScannedCheckpoint& each = m_list[i];
        if (each.isLink()) {
            return each.state == CheckpointState::Damaged ? ""
                                                          : sentence("a link to %1", each.linkTo);
        }
        if (m_evidence.pinned.contains(each.path)) {
            return "pinned";
        }
        if (each.exportOf && !each.exportOf.value->empty()) {
            return sentence("an export of %1", *each.exportOf.value);
        }
        if (isBeside(each)) {
            return "an export or a final model, not a save of the run";
        }
        if (each.state == CheckpointState::BeingWritten) {
            return "being written";
        }
        if (!m_why[i].empty()) {
            return m_why[i];
        }
        if (each.latest && m_series.all().empty()) {
            return "latest";
        }
        if (each.best) {
            return "best";
        }
        if (m_rules.keepBest > 0 && isBestName(each.name)) {
            return "the best according to its name";
        }
        if (!each.pointedBy.empty()) {
            return sentence("named by %1", each.pointedBy.front());
        }
        if (const auto link = m_linked.find(each.name); link != m_linked.end()) {
            return sentence("target of the link %1", link->second);
        }
        const bool unverified = std::ranges::any_of(
            each.exports, [](const ExportedTo& output) { return !output.verified; });
        return unverified ? Sentence("exported, but the export is not verified") : "";
    }

    /// The parts of a save stay together: with a part that is kept, and with one that is in doubt.
    Sentence savedWith(std::size_t i, const Indices& others) const {
        const auto with = std::ranges::find_if(others, [&](std::size_t other) {
            return other != i && areOneSave(m_list[other], m_list[i]);
        });
        return with == others.end() ? Sentence() : sentence("saved with %1", m_list[*with].name);
    }

    /// The folder of a final model that contains the run's checkpoints.
    bool hasOthers(const ScannedCheckpoint& each) const {
        const std::string inside = (each.path / "").string();
        const auto next = m_paths.upper_bound(inside);
        return next != m_paths.end() && next->starts_with(inside);
    }

    /// Why it may not be a complete, settled checkpoint of this run; empty: no doubt.
    Sentence doubtOf(std::size_t i) const {
        const ScannedCheckpoint& each = m_list[i];
        if (each.isLink()) {
            return "a link whose target is missing";
        }
        if (!each.examined || !each.opened) {
            return each.reason.empty()
                       ? Sentence("it could not be opened as a checkpoint")
                       : sentence("it could not be opened as a checkpoint: %1", each.reason);
        }
        if (!isUsable(each)) {
            return each.state == CheckpointState::Unknown
                       ? "whether it is complete is unknown"
                       : sentence("%1: %2", fixedText(stateName(each.state)), each.reason);
        }
        if (!m_series.has(i)) {
            return "no other checkpoint of this run has a name like it";
        }
        if (!m_series.position(i)) {
            return "neither its values nor its name contain a step or an epoch";
        }
        if (hasOthers(each)) {
            return "other checkpoints are located in it";
        }
        return fileObstacle(*m_files[i]);
    }

    Sentence fileObstacle(const SavedFiles& files) const {
        if (Sentence obstacle = movingObstacle(files, m_evidence); !obstacle.empty()) {
            return obstacle;
        }
        const std::int64_t age = m_evidence.nowNs - files.newestNs();
        if (age < 0) {
            return "its modification time is in the future: the clock of the machine that wrote it "
                   "is ahead";
        }
        return age < m_rules.graceNs ? sentence("it changed %1 s ago", age / kSecond) : "";
    }

    void place(std::size_t i, const Indices& kept, const Indices& doubtful) {
        const ScannedCheckpoint& each = m_list[i];
        const Sentence& doubt = m_doubt[i].empty() ? m_conflict[i] : m_doubt[i];
        if (Sentence why = m_why[i].empty() ? savedWith(i, kept) : m_why[i]; !why.empty()) {
            m_plan.keep.push_back({each.path, std::move(why), each.bytes});
        } else if (!doubt.empty()) {
            m_plan.refused.push_back({each.path, doubt, each.bytes});
        } else if (Sentence with = savedWith(i, doubtful); !with.empty()) {
            m_plan.refused.push_back(
                {each.path, sentence("%1, which is refused", with), each.bytes});
        } else {
            placeSuperseded(i);
        }
    }

    /// The rules ask for the best by their scores, not for the one that the trainer named: for
    /// several, or by the user's own metric.
    bool asksForScores() const {
        const bool isNamed = m_rules.keepBest == 1 && m_run.bestIs.isAtLeast(Strength::Recorded) &&
                             !m_run.bestIs.isBy(kBestByScore) &&
                             !m_run.headline.isBy(kMetricOfUser);
        return m_rules.keepBest > 0 && !isNamed;
    }

    bool isDirectionAssumed() const {
        return asksForScores() && !m_rules.confirmsDirection &&
               !m_run.direction.isAtLeast(Strength::Recorded);
    }

    /// Why the scores of the best checkpoints are not known well enough to remove others; empty:
    /// they are, or the rules do not ask for them.
    Sentence bestDoubt() const {
        if (m_rules.keepBest > 0 && !m_evidence.bestDoubt.empty()) {
            return m_evidence.bestDoubt;
        }
        return asksForScores() ? m_evidence.heldDoubt : Sentence();
    }

    /// It was measured, but what it contains differs from its row, or it has no row.
    bool isUnconfirmed(const ScannedCheckpoint& each) const {
        return asksForScores() && !each.score &&
               std::ranges::any_of(each.metrics, [this](const auto& held) {
                   return held.first == m_run.scoreMetric() && std::isfinite(held.second);
               });
    }

    void placeSuperseded(std::size_t i) {
        const ScannedCheckpoint& each = m_list[i];
        if (!m_bestDoubt.empty()) {
            m_plan.refused.push_back({each.path, m_bestDoubt, each.bytes});
            return;
        }
        if (isUnconfirmed(each)) {
            m_plan.refused.push_back(
                {each.path,
                 sentence("it contains a value of %1 that no row of the log confirms",
                          m_run.scoreMetric()),
                 each.bytes});
            return;
        }
        Sentence missing;
        for (const std::size_t later : m_series.of(i)) {
            if (m_series.position(later) <= m_series.position(i)) {
                break;
            }
            if (!m_solid[later] || m_why[later].empty()) {
                continue;
            }
            const Sentence lacks = missingIn(m_list[later], *m_files[later], each, *m_files[i]);
            if (lacks.empty()) {
                m_plan.remove.push_back(
                    {{each.path, sentence("superseded by %1", m_list[later].name), each.bytes},
                     0,
                     {},
                     *m_files[i],
                     m_list[later].path,
                     *m_files[later]});
                return;
            }
            missing = missing.empty() ? lacks : missing;
        }
        m_plan.refused.push_back(
            {each.path,
             missing.empty() ? Sentence("no later complete checkpoint is kept") : missing,
             each.bytes});
    }

    const ScannedRun& m_run;
    const Checkpoints& m_list;
    const RetentionRules& m_rules;
    const RetentionEvidence& m_evidence;
    CheckpointSeries m_series;
    RunSaves m_saves;
    std::map<std::string, std::string> m_linked; ///< target -> link
    std::set<std::string> m_paths;
    Sentence m_bestDoubt;
    std::vector<Sentence> m_doubt;    ///< by checkpoint: result of doubtOf()
    std::vector<Sentence> m_conflict; ///< with other members of its series
    std::vector<bool> m_solid;        ///< complete and settled
    std::vector<Sentence> m_why;      ///< why it is kept
    std::vector<const SavedFiles*> m_files;
    SavedFiles m_unlisted;
    RetentionPlan m_plan;
};

} // namespace

Result<RetentionPlan> planRetention(const ScannedRun& run, const RetentionRules& rules,
                                    const RetentionEvidence& evidence) {
    CAIRN_TRY(RetentionPlan plan, Planner(run, rules, evidence).plan());
    addCosts(plan, run, evidence);
    return plan;
}

} // namespace cairn
