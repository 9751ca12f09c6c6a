// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace cairn {
namespace {

using Checkpoints = std::vector<ScannedCheckpoint>;

bool isUsable(const ScannedCheckpoint& each) {
    return !each.isLink() && each.opened &&
           (each.state == CheckpointState::Complete || each.state == CheckpointState::Unknown);
}

/// What was saved at one time may be several files: a generator and a discriminator, say.
bool areOneSave(const ScannedCheckpoint& a, const ScannedCheckpoint& b) {
    return a.step && b.step ? a.step == b.step : a.epoch && b.epoch && a.epoch == b.epoch;
}

/// Those of the first `count` saves in this order.
std::set<std::size_t> firstSaves(const Checkpoints& list, const std::vector<std::size_t>& order,
                                 std::size_t count) {
    std::set<std::size_t> first;
    std::vector<const ScannedCheckpoint*> saves;
    for (const std::size_t i : order) {
        const bool taken = std::ranges::any_of(
            saves, [&](const auto* save) { return areOneSave(*save, list[i]); });
        if (!taken && saves.size() == count) {
            continue;
        }
        if (!taken) {
            saves.push_back(&list[i]);
        }
        first.insert(i);
    }
    return first;
}

/// Last position first.
std::vector<std::size_t> byPosition(const Checkpoints& list) {
    std::vector<std::size_t> order;
    for (std::size_t i = list.size(); i-- > 0;) {
        if (isUsable(list[i]) && (list[i].step || list[i].epoch)) {
            order.push_back(i);
        }
    }
    return order;
}

/// Best first; of equal ones the later.
std::vector<std::size_t> byScore(const ScannedRun& run) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < run.checkpoints.size(); ++i) {
        const ScannedCheckpoint& each = run.checkpoints[i];
        if (isUsable(each) && each.score && std::isfinite(*each.score)) {
            order.push_back(i);
        }
    }
    const double sign = run.largerScoreIsBetter ? -1 : 1;
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        const double left = sign * *run.checkpoints[a].score;
        const double right = sign * *run.checkpoints[b].score;
        return left != right ? left < right : a > b;
    });
    return order;
}

class Planner {
public:
    Planner(const ScannedRun& run, const RetentionRules& rules) : m_run(run), m_rules(rules) {}

    Result<RetentionPlan> plan() {
        if (m_rules.keepLast == 0 && m_rules.keepBest == 0) {
            return fail(ErrorCode::InvalidArgument, "The rules keep nothing")
                .expecting("a number of last or of best checkpoints to keep");
        }
        const auto order = byScore(m_run);
        if (m_rules.keepBest > 0 && order.empty() &&
            (m_rules.keepBest > 1 || m_run.bestFrom == BestFrom::Nobody)) {
            return fail(ErrorCode::InvalidArgument,
                        "Nothing tells which checkpoints of this run are the best")
                .inFile(m_run.path.string())
                .withHint("Keep the last ones instead");
        }
        m_best = firstSaves(m_run.checkpoints, order, m_rules.keepBest);
        m_last = firstSaves(m_run.checkpoints, byPosition(m_run.checkpoints), m_rules.keepLast);
        for (const ScannedCheckpoint& each : m_run.checkpoints) {
            m_paths.insert(each.path.string());
            if (each.isLink()) {
                m_linked.emplace(each.linkTo, each.name);
            }
        }
        for (std::size_t i = 0; i < m_run.checkpoints.size(); ++i) {
            m_why.push_back(keepWhy(i));
            if (!m_why.back().empty() && !m_run.checkpoints[i].isLink()) {
                m_kept.push_back(&m_run.checkpoints[i]);
            }
        }
        for (std::size_t i = 0; i < m_run.checkpoints.size(); ++i) {
            place(i);
        }
        return std::move(m_plan);
    }

private:
    void place(std::size_t i) {
        const ScannedCheckpoint& each = m_run.checkpoints[i];
        if (const std::string why = m_why[i].empty() ? keptWith(i) : m_why[i]; !why.empty()) {
            m_plan.keep.push_back({each.path, why, each.bytes});
        } else if (const std::string doubt = doubtOf(each); !doubt.empty()) {
            m_plan.refused.push_back({each.path, doubt, each.bytes});
        } else {
            m_plan.remove.push_back({each.path, {}, each.bytes});
            m_plan.freedBytes += each.bytes;
        }
    }

    /// Why it stays; empty: nothing keeps it.
    std::string keepWhy(std::size_t i) const {
        const ScannedCheckpoint& each = m_run.checkpoints[i];
        if (each.isLink()) {
            return each.state == CheckpointState::Damaged ? "" : "a link to " + each.linkTo;
        }
        if (each.state == CheckpointState::BeingWritten) {
            return "being written";
        }
        if (each.latest) {
            return "latest";
        }
        if (each.best) {
            return "best";
        }
        if (m_last.contains(i)) {
            return "one of the last " + std::to_string(m_rules.keepLast);
        }
        if (m_best.contains(i)) {
            return "one of the best " + std::to_string(m_rules.keepBest) + " by " +
                   m_run.scoreMetric;
        }
        if (!each.pointedBy.empty()) {
            return "named by " + each.pointedBy.front();
        }
        if (const auto link = m_linked.find(each.name); link != m_linked.end()) {
            return "what " + link->second + " links to";
        }
        const bool unverified = std::ranges::any_of(
            each.exports, [](const ExportedTo& output) { return !output.verified; });
        return unverified ? "exported, but the export is not verified" : "";
    }

    /// What it was saved with stays for a reason of its own.
    std::string keptWith(std::size_t i) const {
        const auto with = std::ranges::find_if(m_kept, [&](const ScannedCheckpoint* kept) {
            return areOneSave(*kept, m_run.checkpoints[i]);
        });
        return with == m_kept.end() ? std::string() : "saved with " + (*with)->name;
    }

    /// The folder of a finished model that has the run's checkpoints inside.
    bool holdsOthers(const ScannedCheckpoint& each) const {
        const std::string inside = (each.path / "").string();
        const auto next = m_paths.upper_bound(inside);
        return next != m_paths.end() && next->starts_with(inside);
    }

    /// Why it is not certainly a checkpoint of this run; empty: it is.
    std::string doubtOf(const ScannedCheckpoint& each) const {
        if (each.isLink()) {
            return "a link that leads to nothing";
        }
        if (!each.examined || !each.opened) {
            return "it could not be opened as a checkpoint" +
                   (each.reason.empty() ? std::string() : ": " + each.reason);
        }
        if (!each.step && !each.epoch) {
            return "neither its values nor its name tell a step or an epoch";
        }
        return holdsOthers(each) ? "other checkpoints lie in it" : "";
    }

    const ScannedRun& m_run;
    const RetentionRules& m_rules;
    std::set<std::size_t> m_last;
    std::set<std::size_t> m_best;
    std::map<std::string, std::string> m_linked; ///< target -> link
    std::set<std::string> m_paths;
    std::vector<std::string> m_why;               ///< each checkpoint's keepWhy()
    std::vector<const ScannedCheckpoint*> m_kept; ///< for a reason of their own
    RetentionPlan m_plan;
};

} // namespace

Result<RetentionPlan> planRetention(const ScannedRun& run, const RetentionRules& rules) {
    return Planner(run, rules).plan();
}

} // namespace cairn
