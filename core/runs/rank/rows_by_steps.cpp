// SPDX-License-Identifier: Apache-2.0
#include "core/runs/rank/rows_by_steps.h"

#include "core/model/names/metric_words.h"
#include "core/runs/rank/epoch_offsets.h"
#include "core/runs/rank/rows_logged_again.h"
#include "core/runs/run_counts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

/// The rows of a log with which checkpoints were saved, as the log records; empty: it does not.
std::vector<CountedSave> placedBySaves(const ScannedRun& run, const RunHistory& history,
                                       const std::filesystem::path& source) {
    std::map<std::string, Number> rows; // of a name that was used again, the last
    for (const RecordedSave& save : history.saves) {
        if (save.source == source) {
            rows[save.name] = save.step;
        }
    }
    std::vector<CountedSave> placed;
    const EvidentSaves saves(run);
    for (const ScannedCheckpoint& each : run.checkpoints) {
        const auto below = each.path.lexically_relative(source.parent_path());
        const auto row = below.empty() ? rows.end() : rows.find(below.begin()->string());
        if (row != rows.end() && saves.has(each)) {
            placed.push_back({&each, row->second});
        }
    }
    return placed;
}

/// The step column as the unit of the rows.
class BySteps {
public:
    BySteps(const ScannedRun& run, const RunHistory& history, const MetricSeries& series)
        : m_history(history), m_series(series) {
        if (series.source < history.sources.size()) {
            m_placed = placedBySaves(run, history, history.sources[series.source].path);
        }
        m_isRecorded = !m_placed.empty();
        m_rowEvery = rowEvery(series);
        if (m_isRecorded) {
            return;
        }
        const EvidentSaves saves(run);
        const auto hasBatches = [&saves](const ScannedCheckpoint& each) {
            return each.batches.has_value() && saves.has(each);
        };
        m_countsBatches = std::ranges::any_of(run.checkpoints, hasBatches);
        for (const ScannedCheckpoint& each : run.checkpoints) {
            const auto at = m_countsBatches ? each.batches : each.step;
            if (at && saves.has(each)) {
                m_placed.push_back({&each, *at});
            }
        }
    }

    [[nodiscard]] bool isPossible() const {
        return !m_placed.empty() && !m_series.steps.empty() &&
               m_series.stepsFrom == StepsFrom::Source;
    }
    [[nodiscard]] RowUnit unit() const {
        return m_countsBatches ? RowUnit::Batches : RowUnit::Steps;
    }
    [[nodiscard]] const std::vector<CountedSave>& placed() const { return m_placed; }

    /// The rows of a log that counts from 0 may be of one step more than their numbers, or of more
    /// if it counts rows: it begins with 0 and has a row for each of two numbers, here or later, or
    /// has rows after every k-th step, 3, 7, 11, and checkpoints are at such numbers by chance.
    [[nodiscard]] bool mayBeRowBefore(const CountedSave& each,
                                      const std::vector<ExactPoint>& curve) const {
        const double* row = valueAt(curve, each.at);
        if (curve.empty() || row == nullptr || m_series.stepsStrength < Strength::Recorded) {
            return false;
        }
        if (curve.front().x == 0 && (valueAt(curve, each.at - 1) != nullptr || isDense(curve))) {
            return true;
        }
        // Checkpoints that count from 1 are at such numbers by chance, one in k.
        double chance = 1;
        for (const CountedSave& other : m_placed) {
            chance *= valueAt(curve, other.at) != nullptr ? m_rowEvery : 0;
        }
        return m_rowEvery > 1 && chance < static_cast<double>(kNoChance);
    }

    /// Two rows that follow each other after the first two, which a log may have of its begin: it
    /// does not count in steps of k.
    static bool isDense(const std::vector<ExactPoint>& curve) {
        for (std::size_t i = 2; i < curve.size(); ++i) {
            if (curve[i].x == curve[i - 1].x + 1) {
                return true;
            }
        }
        return false;
    }

    /// A log and checkpoints that count differently do not meet in so many numbers.
    static constexpr std::int64_t kNoChance = 50;

    /// The k of rows at k - 1, 2k - 1, at least two of them, or one after a row at 0 of the begin,
    /// of which every number is one, unless it is so large that both count from 0; else 1. An
    /// attempt may have logged in another interval than the others.
    static double rowEvery(const MetricSeries& series) {
        double most = rowEvery(curveBySteps(series));
        if (hasTooManyAttempts(series, 1)) {
            return most; // no checkpoint gets a row of them
        }
        std::map<std::uint32_t, std::vector<ExactPoint>> attempts;
        for (std::size_t i = 0; i < series.attempts.size(); ++i) {
            attempts[series.attempts[i]].push_back({series.stepAt(i), 0});
        }
        for (std::size_t i = 0; i < series.replaced.attempts.size(); ++i) {
            attempts[series.replaced.attempts[i]].push_back({series.replaced.stepAt(i), 0});
        }
        for (auto& [attempt, rows] : attempts) {
            std::ranges::sort(rows, {}, &ExactPoint::x);
            const auto isSame = [](const ExactPoint& a, const ExactPoint& b) { return a.x == b.x; };
            rows.erase(std::unique(rows.begin(), rows.end(), isSame), rows.end());
            most = std::max(most, rowEvery(rows));
        }
        return most;
    }
    static double rowEvery(const std::vector<ExactPoint>& curve) {
        std::int64_t common = 0;
        std::size_t rows = 0;
        for (const ExactPoint& point : curve) {
            const std::optional<std::int64_t> row = point.x.asInt();
            if (row == 0) {
                continue;
            }
            ++rows;
            if (!row || *row < 0 || *row == std::numeric_limits<std::int64_t>::max()) {
                return 1;
            }
            common = std::gcd(common, *row + 1);
        }
        const bool hasBegin = !curve.empty() && curve.front().x == 0;
        if (rows == 1 && common >= kNoChance) {
            return 1;
        }
        return rows > (hasBegin ? 0U : 1U) ? static_cast<double>(common) : 1;
    }

    [[nodiscard]] std::vector<Claim<std::optional<RowUnit>>> claims() const {
        std::vector<Claim<std::optional<RowUnit>>> claims;
        const auto add = [&](std::optional<RowUnit> value, Strength strength, std::string_view id,
                             Sentence says, Place where) {
            claims.push_back({value, {strength, id, std::move(says), std::move(where)}});
        };
        const Place column = placeIn(m_history, m_series);
        if (m_isRecorded) {
            add(unit(), Strength::Recorded, "saved-with-row",
                "the log records with which row each checkpoint was saved", column);
        } else if (m_series.stepsStrength >= Strength::Recorded) {
            m_countsBatches
                ? add(unit(), Strength::Recorded, "logged-batches",
                      "the checkpoints record the batches that their loggers count", column)
                : add(unit(), Strength::Recorded, "step-column", "the log records steps", column);
        }
        if (m_series.stepsStrength < Strength::Recorded && !m_isRecorded) {
            add(unit(), Strength::Named, "other-count",
                "the log's steps may be calls of a log function, row numbers or tokens", column);
        }
        std::size_t equal = 0;
        std::vector<const CountedSave*> unequal;
        compareValues(equal, unequal);
        // It proves the step column, but a count of something else only for those that hold one.
        const bool isProof =
            m_series.stepsStrength >= Strength::Recorded || equal >= m_placed.size();
        if (equal > 0 && unequal.empty() && isProof) {
            add(unit(), Strength::Proven, "values-equal",
                "metrics in checkpoints equal the rows at their steps", column);
        }
        if (!unequal.empty() && unequal.size() >= equal) {
            // A few may hold the value of an earlier save.
            add(std::nullopt, Strength::Recorded, "values-differ",
                "a metric in a checkpoint differs from the row of its step",
                {unequal.front()->checkpoint->path, m_series.name});
        }
        const bool isDeclared = hasDeclaredKey();
        if (isDeclared) {
            add(unit(), Strength::Recorded, "declared-step",
                sentence("the log and the checkpoints record the same count, %1",
                         std::string(m_series.stepsKey)),
                column);
        }
        const EpochOffsets epochs = epochOffsets(m_placed, m_history, m_series);
        const bool agree =
            !epochs.differ() && epochs.span >= 2 && m_series.stepsStrength >= Strength::Recorded;
        if (const CountedSave* beyond = beyondEnd()) {
            add(std::nullopt, isDeclared || agree ? Strength::Named : Strength::Recorded,
                "beyond-end", "a checkpoint's step is beyond the end of the log",
                {beyond->checkpoint->path});
        }
        const std::vector<ExactPoint> curve = curveBySteps(m_series);
        const bool isAlone =
            !m_isRecorded && !m_countsBatches && !isDeclared && !agree && equal == 0;
        if (isAlone) {
            addOtherCounts(curve, add);
        }
        if (std::ranges::any_of(
                m_placed, [&](const CountedSave& each) { return mayBeRowBefore(each, curve); })) {
            add(std::nullopt, Strength::Recorded, "counted-from-0",
                "the log counts from step 0: of two rows that follow each other, either may be a "
                "checkpoint's",
                column);
        }
        if (epochs.differ()) {
            add(std::nullopt, Strength::Recorded, "epochs-differ",
                "the epochs of the rows at the checkpoints' steps are not those of the checkpoints",
                column);
        } else if (agree) {
            add(unit(), Strength::Recorded, "epochs-agree",
                "the epochs of the rows at the checkpoints' steps are those of the checkpoints",
                column);
        }
        return claims;
    }

private:
    /// Only exact steps prove anything, and only values that one row has. The last row before a
    /// checkpoint contradicts it, too.
    void compareValues(std::size_t& equal, std::vector<const CountedSave*>& unequal) const {
        for (const MetricSeries& column : m_history.series) {
            const bool isHeldOut = names::splitOf(column.name) == names::Split::HeldOut;
            if (column.source != m_series.source || column.stepsFrom != StepsFrom::Source ||
                names::directionOf(column.name) == names::Direction::Unknown) {
                continue;
            }
            const std::vector<ExactPoint> curve = curveBySteps(column);
            for (const CountedSave& each : m_placed) {
                const double* held = heldValue(*each.checkpoint, column.name);
                const auto after = std::ranges::upper_bound(curve, each.at, {}, &ExactPoint::x);
                if (held == nullptr || after == curve.begin()) {
                    continue;
                }
                const ExactPoint& row = *std::prev(after);
                const auto isHeld = [&](const ExactPoint& point) {
                    return isCloseValue(*held, point.value, kRoundedValue);
                };
                const bool isOnly =
                    row.x == each.at && isHeld(row) && std::ranges::count_if(curve, isHeld) == 1;
                equal += isOnly ? 1U : 0U;
                const bool differs = !isCloseValue(*held, row.value, kDifferentValue);
                if (isHeldOut && differs) {
                    unequal.push_back(&each);
                }
            }
        }
    }

    /// Names that trainers give to the one count of their steps; "step" may count anything.
    [[nodiscard]] bool hasDeclaredKey() const {
        constexpr auto kDeclared =
            std::to_array<std::string_view>({"global_step", "training_iteration", "total_timesteps",
                                             "timesteps_total", "num_updates"});
        return !m_countsBatches &&
               std::ranges::find(kDeclared, m_series.stepsKey) != kDeclared.end() &&
               std::ranges::all_of(m_placed,
                                   [this](const CountedSave& each) { return hasKeyOfLog(each); });
    }

    /// Its step is recorded under the name of the log's column.
    [[nodiscard]] bool hasKeyOfLog(const CountedSave& each) const {
        const std::string_view field = fieldOfStep(each);
        const std::size_t dot = field.rfind('.');
        return !field.empty() &&
               field.substr(dot == std::string_view::npos ? 0 : dot + 1) == m_series.stepsKey;
    }

    /// Where nothing but the step column speaks for steps: what else the two numbers may count.
    template <class Add>
    void addOtherCounts(const std::vector<ExactPoint>& curve, const Add& add) const {
        const auto newest = std::ranges::max_element(m_placed, {}, &CountedSave::at);
        if (newest == m_placed.end() || curve.empty()) {
            return;
        }
        const Place where{newest->checkpoint->path};
        const double twice = 2 * newest->at.nearest; // of which the last row may be missing
        if (twice > 0 && (curve.back().x >= twice ||
                          ((curve.size() > 2 || curve.front().x > 0) && endOf(curve) >= twice))) {
            add(std::nullopt, Strength::Recorded, "log-goes-on",
                sentence(
                    "the log continues to step %1, about twice the newest checkpoint's number or "
                    "more: one of them may count something else",
                    curve.back().x.text()),
                where);
        }
        if (countsIterations(m_series.stepsKey) !=
            std::ranges::any_of(m_placed, [&](const CountedSave& each) {
                return countsIterations(fieldOfStep(each)) ||
                       countsIterations(each.checkpoint->name);
            })) {
            add(std::nullopt, Strength::Recorded, "other-word",
                "the log and the checkpoints count steps and iterations, of which one step may "
                "have "
                "several",
                where);
        }
        if (mayCountSaves(curve)) {
            add(std::nullopt, Strength::Recorded, "number-of-save",
                "the numbers in the names of the checkpoints may count saves", where);
        }
    }

    static bool countsIterations(std::string_view name) {
        return name.find("iter") != std::string_view::npos; // "iteration", "iter_4000.pth"
    }

    static std::string_view fieldOfStep(const CountedSave& each) {
        const auto at = std::ranges::find(each.checkpoint->because,
                                          std::string_view("step-in-values"), &Evidence::id);
        return at != each.checkpoint->because.end() ? std::string_view(at->where.field)
                                                    : std::string_view();
    }

    /// The numbers are only those of names such as "checkpoint_7". Two or more multiples of ten are
    /// not counted saves, nor are numbers beyond ten saves a row.
    [[nodiscard]] bool mayCountSaves(const std::vector<ExactPoint>& curve) const {
        constexpr std::int64_t kSteps = 10;
        const bool areOfSaves = std::ranges::all_of(m_placed, [](const CountedSave& each) {
            return each.checkpoint->named.mayCountSaves && fieldOfStep(each).empty();
        });
        std::int64_t common = 0;
        std::int64_t most = 0;
        std::size_t several = 0;
        for (const CountedSave& each : m_placed) {
            const auto number = each.checkpoint->step.value_or(0);
            several += number > 0 ? 1U : 0U;
            common = std::gcd(common, number);
            most = std::max(most, number);
        }
        const bool areSteps = (several > 1 && common >= kSteps) ||
                              most > kSteps * static_cast<std::int64_t>(curve.size());
        return areOfSaves && !areSteps;
    }

    /// At the step at which the row after the last is due, too, unless a checkpoint is at a row.
    [[nodiscard]] const CountedSave* beyondEnd() const {
        const std::vector<ExactPoint> curve = curveBySteps(m_series);
        const Number end = endOf(curve);
        const bool isAnyAtRow = std::ranges::any_of(
            m_placed, [&](const CountedSave& each) { return valueAt(curve, each.at) != nullptr; });
        const auto at = std::ranges::find_if(m_placed, [&](const CountedSave& each) {
            return (each.at > end || (each.at == end && !isAnyAtRow)) && !each.checkpoint->isExport;
        });
        return at != m_placed.end() ? &*at : nullptr;
    }

    const RunHistory& m_history;
    const MetricSeries& m_series;
    std::vector<CountedSave> m_placed;
    bool m_isRecorded = false; ///< the log records with which rows they were saved
    bool m_countsBatches = false;
    double m_rowEvery = 1; ///< rowEvery() of the curve
};

} // namespace

StepRows stepRows(const ScannedRun& run, const RunHistory& history, const MetricSeries& series) {
    const BySteps steps(run, history, series);
    return {steps.isPossible(), steps.placed(),
            steps.isPossible() ? steps.claims() : std::vector<Claim<std::optional<RowUnit>>>()};
}

} // namespace cairn
