// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention.h"

#include "core/model/names/position.h"
#include "core/runs/name_series.h"
#include "core/runs/series_order.h"

#include <algorithm>
#include <chrono>
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

/// The series of a checkpoint; empty: none.
std::string seriesOf(const ScannedRun& run, const ScannedCheckpoint& each) {
    std::filesystem::path below = each.path.lexically_relative(run.path);
    below = below.empty() || below == "." ? each.path.filename() : below;
    std::string series;
    bool any = false;
    for (const std::filesystem::path& part : below) {
        const std::string own = seriesOfName(part.string(), each.step, each.epoch);
        any = any || !own.empty();
        series += "/" + (own.empty() ? part.string() : own);
    }
    return any ? series : std::string();
}

std::optional<double> namedPosition(const ScannedCheckpoint& each) {
    const NamedPosition named = positionFromName(each.path.filename().string());
    return named.step ? std::optional(static_cast<double>(*named.step)) : named.epoch;
}

/// Why the files of one checkpoint cannot replace those of another; empty: they can.
std::string missingIn(const ScannedCheckpoint& later, const SavedFiles& laterFiles,
                      const ScannedCheckpoint& earlier, const SavedFiles& earlierFiles) {
    if (later.bytes < earlier.bytes / 2) {
        return later.name + ", which is kept, has less than half of its size";
    }
    const auto there = laterFiles.shape();
    for (const auto& [name, count] : earlierFiles.shape()) {
        const auto at = there.find(name);
        if (at == there.end()) {
            return "it contains " + name + ", which " + later.name + " does not";
        }
        if (at->second < count) {
            return "it contains " + std::to_string(count) + " files like " + name + ", and " +
                   later.name + " " + std::to_string(at->second);
        }
    }
    return {};
}

std::string describe(SeriesConflict::Kind kind, const std::string& other) {
    switch (kind) {
    case SeriesConflict::Kind::SamePosition:
        return other + " is at the same position: two runs or models share this folder";
    case SeriesConflict::Kind::SavedBefore:
        return "the run went back: " + other + " is at a later position, but was saved earlier";
    case SeriesConflict::Kind::SavedAfter:
        return "the run went back: " + other + " is at an earlier position, but was saved later";
    case SeriesConflict::Kind::Names:
        return "its name and its values disagree about whether it precedes " + other;
    }
    return {};
}

class Planner {
public:
    Planner(const ScannedRun& run, const RetentionRules& rules, const RetentionEvidence& evidence)
        : m_run(run), m_list(run.checkpoints), m_rules(rules), m_evidence(evidence),
          m_seriesOf(m_list.size()), m_doubt(m_list.size()), m_conflict(m_list.size()),
          m_solid(m_list.size()), m_why(m_list.size()), m_files(m_list.size()) {
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
        const auto isScored = [](const ScannedCheckpoint& each) {
            return isUsable(each) && each.score && std::isfinite(*each.score);
        };
        if (m_rules.keepBest > 0 && std::ranges::none_of(m_list, isScored) &&
            (m_rules.keepBest > 1 || m_run.bestFrom == BestFrom::Nobody)) {
            return fail(ErrorCode::InvalidArgument,
                        "No metric or record identifies the best checkpoints of this run")
                .inFile(m_run.path.string())
                .withHint("Keep the last ones instead");
        }
        findSeries();
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
        for (const auto& [name, members] : m_series) {
            findConflicts(members);
            keepBySeries(members);
        }
        Indices kept;
        Indices doubtful;
        for (std::size_t i = 0; i < m_list.size(); ++i) {
            m_why[i] = keepWhy(i);
            if (!m_why[i].empty() && !m_list[i].isLink()) {
                kept.push_back(i);
            } else if (m_series.contains(m_seriesOf[i]) && !(m_doubt[i] + m_conflict[i]).empty()) {
                doubtful.push_back(i);
            }
        }
        for (std::size_t i = 0; i < m_list.size(); ++i) {
            place(i, kept, doubtful);
        }
        return std::move(m_plan);
    }

private:
    void findSeries() {
        for (std::size_t i = 0; i < m_list.size(); ++i) {
            if (!m_list[i].isLink()) {
                m_seriesOf[i] = seriesOf(m_run, m_list[i]);
                m_series[m_seriesOf[i]].push_back(i);
            }
        }
        m_series.erase(std::string());
        std::erase_if(m_series, [](const auto& series) { return series.second.size() < 2; });
        for (auto& [name, members] : m_series) {
            const bool byStep = std::ranges::all_of(
                members, [&](std::size_t i) { return m_list[i].step.has_value(); });
            for (const std::size_t i : members) {
                const auto position =
                    byStep ? std::optional(static_cast<double>(*m_list[i].step)) : m_list[i].epoch;
                if (position && !std::isnan(*position)) {
                    m_position[i] = *position;
                }
            }
            std::ranges::stable_sort(members, [&](std::size_t a, std::size_t b) {
                return positionOf(a) > positionOf(b);
            });
        }
    }

    double positionOf(std::size_t i) const {
        const auto at = m_position.find(i);
        return at != m_position.end() ? at->second : -1;
    }

    /// Positions, names and times must agree; if training went back to an earlier step, only the
    /// user can decide which branch is needed.
    void findConflicts(const Indices& members) {
        std::vector<SeriesMember> order;
        for (const std::size_t i : members) {
            if (m_position.contains(i)) {
                const SavedFiles& files = *m_files[i];
                order.push_back({i, positionOf(i), namedPosition(m_list[i]), files.oldestNs(),
                                 files.newestNs(), isSettled(files)});
            }
        }
        const auto conflicts = seriesConflicts(order);
        for (std::size_t k = 0; k < order.size(); ++k) {
            if (conflicts[k]) {
                m_conflict[order[k].checkpoint] =
                    describe(conflicts[k]->kind, m_list[conflicts[k]->other].name);
            }
        }
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

    void keep(const Indices& order, std::size_t count, const std::string& why) {
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
            if (isUsable(m_list[i]) && m_position.contains(i)) {
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
        const std::string last = "one of the last " + std::to_string(m_rules.keepLast);
        keep(usable, m_rules.keepLast, last);
        keep(solid, m_rules.keepLast, last);
        const double sign = m_run.largerScoreIsBetter ? -1 : 1;
        std::erase_if(usable, [&](std::size_t i) {
            return !m_list[i].score || !std::isfinite(*m_list[i].score);
        });
        std::ranges::stable_sort(usable, {},
                                 [&](std::size_t i) { return sign * *m_list[i].score; });
        keep(usable, m_rules.keepBest,
             "one of the best " + std::to_string(m_rules.keepBest) + " by " + m_run.scoreMetric);
        keep(resumable, 1, "newest from which training can continue");
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
    std::string keepWhy(std::size_t i) const {
        const ScannedCheckpoint& each = m_list[i];
        if (each.isLink()) {
            return each.state == CheckpointState::Damaged ? "" : "a link to " + each.linkTo;
        }
        if (each.state == CheckpointState::BeingWritten) {
            return "being written";
        }
        if (!m_why[i].empty()) {
            return m_why[i];
        }
        if (each.latest && m_series.empty()) {
            return "latest";
        }
        if (each.best) {
            return "best";
        }
        if (!each.pointedBy.empty()) {
            return "named by " + each.pointedBy.front();
        }
        if (const auto link = m_linked.find(each.name); link != m_linked.end()) {
            return "target of the link " + link->second;
        }
        const bool unverified = std::ranges::any_of(
            each.exports, [](const ExportedTo& output) { return !output.verified; });
        return unverified ? "exported, but the export is not verified" : "";
    }

    /// The parts of a save stay together: with a part that is kept, and with one that is in doubt.
    std::string savedWith(std::size_t i, const Indices& others) const {
        const auto with = std::ranges::find_if(others, [&](std::size_t other) {
            return other != i && areOneSave(m_list[other], m_list[i]);
        });
        return with == others.end() ? std::string() : "saved with " + m_list[*with].name;
    }

    /// The folder of a final model that contains the run's checkpoints.
    bool hasOthers(const ScannedCheckpoint& each) const {
        const std::string inside = (each.path / "").string();
        const auto next = m_paths.upper_bound(inside);
        return next != m_paths.end() && next->starts_with(inside);
    }

    /// Why it may not be a complete, settled checkpoint of this run; empty: no doubt.
    std::string doubtOf(std::size_t i) const {
        const ScannedCheckpoint& each = m_list[i];
        if (each.isLink()) {
            return "a link whose target is missing";
        }
        if (!each.examined || !each.opened) {
            return "it could not be opened as a checkpoint" +
                   (each.reason.empty() ? std::string() : ": " + each.reason);
        }
        if (!isUsable(each)) {
            return each.state == CheckpointState::Unknown
                       ? "whether it is complete is unknown"
                       : std::string(stateName(each.state)) + ": " + each.reason;
        }
        if (!m_series.contains(m_seriesOf[i])) {
            return "no other checkpoint of this run has a name like it";
        }
        if (!m_position.contains(i)) {
            return "neither its values nor its name contain a step or an epoch";
        }
        if (hasOthers(each)) {
            return "other checkpoints are located in it";
        }
        return doubtOfFiles(*m_files[i]);
    }

    std::string doubtOfFiles(const SavedFiles& files) const {
        if (!files.whole || files.rows.empty()) {
            return "its files could not be listed";
        }
        const auto isForeign = [&](const SavedFiles::Row& row) {
            return row.kind == EntryKind::Other ||
                   row.identity.device != files.rows.front().identity.device;
        };
        if (std::ranges::any_of(files.rows, isForeign)) {
            return "it contains entries that are not regular files, or spans several file systems";
        }
        const std::int64_t age = m_evidence.nowNs - files.newestNs();
        if (age < 0) {
            return "its modification time is in the future: the clock of the machine that wrote it "
                   "is ahead";
        }
        return age < m_rules.graceNs ? "it changed " + std::to_string(age / kSecond) + " s ago"
                                     : "";
    }

    void place(std::size_t i, const Indices& kept, const Indices& doubtful) {
        const ScannedCheckpoint& each = m_list[i];
        const std::string& doubt = m_doubt[i].empty() ? m_conflict[i] : m_doubt[i];
        if (std::string why = m_why[i].empty() ? savedWith(i, kept) : m_why[i]; !why.empty()) {
            m_plan.keep.push_back({each.path, std::move(why), each.bytes});
        } else if (!doubt.empty()) {
            m_plan.refused.push_back({each.path, doubt, each.bytes});
        } else if (std::string with = savedWith(i, doubtful); !with.empty()) {
            m_plan.refused.push_back({each.path, with + ", which is refused", each.bytes});
        } else {
            placeSuperseded(i);
        }
    }

    void placeSuperseded(std::size_t i) {
        const ScannedCheckpoint& each = m_list[i];
        std::string missing;
        for (const std::size_t later : m_series.at(m_seriesOf[i])) {
            if (positionOf(later) <= positionOf(i)) {
                break;
            }
            if (!m_solid[later] || m_why[later].empty()) {
                continue;
            }
            const std::string lacks = missingIn(m_list[later], *m_files[later], each, *m_files[i]);
            if (lacks.empty()) {
                m_plan.remove.push_back(
                    {{each.path, "superseded by " + m_list[later].name, each.bytes},
                     *m_files[i],
                     m_list[later].path,
                     *m_files[later]});
                m_plan.freedBytes += each.bytes;
                return;
            }
            missing = missing.empty() ? lacks : missing;
        }
        m_plan.refused.push_back(
            {each.path, missing.empty() ? "no later complete checkpoint is kept" : missing,
             each.bytes});
    }

    const ScannedRun& m_run;
    const Checkpoints& m_list;
    const RetentionRules& m_rules;
    const RetentionEvidence& m_evidence;
    std::vector<std::string> m_seriesOf;         ///< by checkpoint
    std::map<std::string, Indices> m_series;     ///< of at least two, last position first
    std::map<std::size_t, double> m_position;    ///< of members of a series
    std::map<std::string, std::string> m_linked; ///< target -> link
    std::set<std::string> m_paths;
    std::vector<std::string> m_doubt;    ///< by checkpoint: result of doubtOf()
    std::vector<std::string> m_conflict; ///< with other members of its series
    std::vector<bool> m_solid;           ///< complete and settled
    std::vector<std::string> m_why;      ///< why it is kept
    std::vector<const SavedFiles*> m_files;
    SavedFiles m_unlisted;
    RetentionPlan m_plan;
};

} // namespace

RetentionEvidence collectEvidence(const ScannedRun& run) {
    RetentionEvidence evidence;
    evidence.nowNs = std::chrono::duration_cast<std::chrono::nanoseconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
    for (const ScannedCheckpoint& each : run.checkpoints) {
        evidence.files[each.path] = each.isLink() ? SavedFiles() : listSavedFiles(each.path);
    }
    return evidence;
}

Result<RetentionPlan> planRetention(const ScannedRun& run, const RetentionRules& rules,
                                    const RetentionEvidence& evidence) {
    return Planner(run, rules, evidence).plan();
}

} // namespace cairn
