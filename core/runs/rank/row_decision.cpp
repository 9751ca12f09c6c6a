// SPDX-License-Identifier: Apache-2.0
#include "core/runs/rank/row_decision.h"

#include "core/model/names/metric_words.h"
#include "core/runs/rank/own_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

/// A log may round a value to six digits.
constexpr double kRounded = 1e-5;
/// Beyond this, two values are different measurements.
constexpr double kDifferent = 1e-3;

bool isWholeNumber(double number) {
    return std::isfinite(number) && number == std::floor(number);
}

bool isClose(double left, double right, double tolerance) {
    return std::abs(left - right) <= std::abs(right) * tolerance ||
           (std::isnan(left) && std::isnan(right));
}

const double* valueAt(const std::vector<CurvePoint>& curve, double x) {
    const auto at = std::ranges::lower_bound(curve, x, {}, &CurvePoint::x);
    return at != curve.end() && at->x == x ? &at->value : nullptr;
}

const double* heldValue(const ScannedCheckpoint& checkpoint, std::string_view metric) {
    const auto at = std::ranges::find(
        checkpoint.metrics, metric, [](const auto& held) { return std::string_view(held.first); });
    return at != checkpoint.metrics.end() ? &at->second : nullptr;
}

bool hasEvidence(const ScannedCheckpoint& checkpoint, std::string_view id) {
    return std::ranges::find(checkpoint.because, id, &Evidence::id) != checkpoint.because.end();
}

bool countsEpochs(const MetricSeries& series) {
    return !series.epochs.empty() || series.stepsFrom == StepsFrom::Epoch;
}

/// The curve over epochs, or over the column that is used instead of epochs.
std::vector<CurvePoint> curveByEpochs(const MetricSeries& series) {
    return curveOf(series, series.epochs.empty() ? CompareAxis::Step : CompareAxis::Epoch);
}

Place placeIn(const RunHistory& history, const MetricSeries& series) {
    return {series.source < history.sources.size() ? history.sources[series.source].path
                                                   : std::filesystem::path(),
            series.name};
}

struct CountedSave {
    const ScannedCheckpoint* checkpoint = nullptr;
    double at = 0; ///< step or epoch, in the checkpoints' count
    std::vector<NamedDecimal> decimals = {};
};

/// The rows of a log with which checkpoints were saved, as the log records; empty: it does not.
std::vector<CountedSave> placedBySaves(const ScannedRun& run, const RunHistory& history,
                                       const std::filesystem::path& source) {
    std::map<std::string, double> rows; // of a name that was used again, the last
    for (const RecordedSave& save : history.saves) {
        if (save.source == source) {
            rows[save.name] = save.step;
        }
    }
    std::vector<CountedSave> placed;
    for (const ScannedCheckpoint& each : run.checkpoints) {
        const auto below = each.path.lexically_relative(source.parent_path());
        const auto row = below.empty() ? rows.end() : rows.find(below.begin()->string());
        if (row != rows.end() && !each.isLink()) {
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
        if (m_isRecorded) {
            return;
        }
        const auto hasBatches = [](const ScannedCheckpoint& each) {
            return each.batches.has_value() && !each.isLink();
        };
        m_countsBatches = std::ranges::any_of(run.checkpoints, hasBatches);
        for (const ScannedCheckpoint& each : run.checkpoints) {
            const auto at = m_countsBatches ? each.batches : each.step;
            if (at && !each.isLink()) {
                m_placed.push_back({&each, static_cast<double>(*at)});
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

    /// The rows of a log that begins with step 0 may be of one step more than their numbers. Of a
    /// recorded step with another name, two rows that follow each other may then be the row.
    [[nodiscard]] bool mayBeRowBefore(const CountedSave& each,
                                      const std::vector<CurvePoint>& curve) const {
        const double* row = valueAt(curve, each.at);
        const double* before = valueAt(curve, each.at - 1);
        const bool isRecorded = m_countsBatches || hasEvidence(*each.checkpoint, "step-in-values");
        return !curve.empty() && curve.front().x == 0 && row != nullptr && before != nullptr &&
               *row != *before && isRecorded && (m_countsBatches || !hasKeyOfLog(each));
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
        const CountedSave* unequal = nullptr;
        compareValues(equal, unequal);
        // One value among many checkpoints may equal that of another row: it proves the step
        // column, but not a count of something else.
        const bool isProof =
            m_series.stepsStrength >= Strength::Recorded || equal > 1 || m_placed.size() <= 2;
        if (equal > 0 && unequal == nullptr && isProof) {
            add(unit(), Strength::Proven, "values-equal",
                "metrics in checkpoints equal the rows at their steps", column);
        }
        if (equal == 0 && unequal != nullptr) { // some may hold the value of an earlier save
            add(std::nullopt, Strength::Recorded, "values-differ",
                "a metric in a checkpoint differs from the row at its step",
                {unequal->checkpoint->path, m_series.name});
        }
        const bool isDeclared = hasDeclaredKey();
        if (isDeclared) {
            add(unit(), Strength::Recorded, "declared-step",
                sentence("the log and the checkpoints record the same count, %1",
                         std::string(m_series.stepsKey)),
                column);
        }
        const EpochOffsets epochs = epochOffsets();
        const bool agree =
            !epochs.differ() && epochs.span >= 2 && m_series.stepsStrength >= Strength::Recorded;
        if (const CountedSave* beyond = beyondEnd()) {
            add(std::nullopt, isDeclared || agree ? Strength::Named : Strength::Recorded,
                "beyond-end", "a checkpoint's step is beyond the end of the log",
                {beyond->checkpoint->path});
        }
        const std::vector<CurvePoint> curve = curveOf(m_series, CompareAxis::Step);
        const bool isAlone =
            !m_isRecorded && !m_countsBatches && !isDeclared && !agree && equal == 0;
        if (const CountedSave* newest = isAlone ? newestOfAnotherCount(curve) : nullptr) {
            add(std::nullopt, Strength::Recorded, "log-goes-on",
                sentence("the log continues to step %1, more than twice the newest checkpoint's "
                         "number, which may count something else",
                         static_cast<std::int64_t>(curve.back().x)),
                {newest->checkpoint->path});
        }
        if (std::ranges::any_of(
                m_placed, [&](const CountedSave& each) { return mayBeRowBefore(each, curve); })) {
            add(std::nullopt, Strength::Recorded, "counted-from-0",
                "the log begins with step 0: of two rows that follow each other, either may be a "
                "checkpoint's",
                column);
        }
        if (const CountedSave* rounded = beyondExact()) {
            add(std::nullopt, Strength::Proven, "rounded-steps",
                "steps beyond 2^53 are rounded and identify no row", {rounded->checkpoint->path});
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
    /// Only exact steps prove anything, and only values that one row has.
    void compareValues(std::size_t& equal, const CountedSave*& unequal) const {
        for (const MetricSeries& column : m_history.series) {
            const bool isHeldOut = names::splitOf(column.name) == names::Split::HeldOut;
            if (column.source != m_series.source || column.stepsFrom != StepsFrom::Source ||
                names::directionOf(column.name) == names::Direction::Unknown) {
                continue;
            }
            const std::vector<CurvePoint> curve = curveOf(column, CompareAxis::Step);
            for (const CountedSave& each : m_placed) {
                const double* held = heldValue(*each.checkpoint, column.name);
                const double* row = valueAt(curve, each.at);
                if (held == nullptr || row == nullptr) {
                    continue;
                }
                const auto isHeld = [&](const CurvePoint& point) {
                    return isClose(*held, point.value, kRounded);
                };
                equal += isHeld({0, *row}) && std::ranges::count_if(curve, isHeld) == 1 ? 1U : 0U;
                unequal = isHeldOut && !isClose(*held, *row, kDifferent) ? &each : unequal;
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
        const auto at = std::ranges::find(each.checkpoint->because,
                                          std::string_view("step-in-values"), &Evidence::id);
        if (at == each.checkpoint->because.end()) {
            return false;
        }
        const std::string& field = at->where.field;
        const std::size_t dot = field.rfind('.');
        return field.substr(dot == std::string::npos ? 0 : dot + 1) == m_series.stepsKey;
    }

    /// The newest checkpoint, if the numbers are of saves ("checkpoint_7"), or steps where the log
    /// counts iterations (of which gradient accumulation makes several a step), and the log
    /// continues as if it counted more of them.
    [[nodiscard]] const CountedSave*
    newestOfAnotherCount(const std::vector<CurvePoint>& curve) const {
        constexpr std::string_view kIterations = "iter"; // "iteration", "iter_num", "iter_4000.pth"
        const auto countsIterations = [&](const CountedSave& each) {
            const auto at = std::ranges::find(each.checkpoint->because,
                                              std::string_view("step-in-values"), &Evidence::id);
            const bool isRecorded = at != each.checkpoint->because.end();
            return (isRecorded && at->where.field.find(kIterations) != std::string::npos) ||
                   each.checkpoint->name.find(kIterations) != std::string::npos;
        };
        const auto countsSaves = [](const CountedSave& each) {
            return each.checkpoint->named.mayCountSaves &&
                   !hasEvidence(*each.checkpoint, "step-in-values");
        };
        const bool isOther = std::ranges::all_of(m_placed, countsSaves) ||
                             (m_series.stepsKey.starts_with(kIterations) &&
                              std::ranges::none_of(m_placed, countsIterations));
        const auto newest = std::ranges::max_element(m_placed, {}, &CountedSave::at);
        const bool goesOn = newest != m_placed.end() && !curve.empty() && newest->at > 0 &&
                            curve.back().x >= 2 * newest->at;
        return isOther && goesOn ? &*newest : nullptr;
    }

    [[nodiscard]] const CountedSave* beyondExact() const {
        const auto at = std::ranges::find_if(m_placed, [](const CountedSave& each) {
            return std::abs(each.at) >= kLargestExactStep;
        });
        return at != m_placed.end() ? &*at : nullptr;
    }

    [[nodiscard]] const CountedSave* beyondEnd() const {
        const double end = endOf(curveOf(m_series, CompareAxis::Step));
        const auto at = std::ranges::find_if(m_placed, [&](const CountedSave& each) {
            return each.at > end && !each.checkpoint->isExport;
        });
        return at != m_placed.end() ? &*at : nullptr;
    }

    /// The log's epochs by step, of each epoch the last row.
    [[nodiscard]] std::vector<CurvePoint> epochsOfRows() const {
        MetricSeries epochs;
        epochs.steps = m_series.steps;
        epochs.values = m_series.epochs;
        for (const MetricSeries& column : m_history.series) {
            if (epochs.values.empty() && column.name == "epoch" &&
                column.source == m_series.source && column.stepsFrom == StepsFrom::Source) {
                epochs.steps = column.steps;
                epochs.values = column.values;
            }
        }
        std::vector<CurvePoint> last;
        for (const CurvePoint& point : curveOf(epochs, CompareAxis::Step)) {
            if (!std::isfinite(point.value)) {
                continue;
            }
            if (!last.empty() && last.back().value == point.value) {
                last.back() = point;
            } else {
                last.push_back(point);
            }
        }
        return last;
    }

    /// By how much the epochs of the rows at the checkpoints' steps differ from the checkpoints'.
    struct EpochOffsets {
        double least = std::numeric_limits<double>::infinity();
        double most = -std::numeric_limits<double>::infinity();
        double span = 0; ///< between the checkpoints' epochs
        /// At one unit they differ by less than one, or by a constant if they are counted from
        /// different numbers.
        [[nodiscard]] bool differ() const {
            constexpr double kMostOffset = 1.5;
            constexpr double kRoundings = 1e-6;
            return least <= most &&
                   (most - least > 1 - kRoundings || most > kMostOffset || least < -kMostOffset);
        }
    };
    [[nodiscard]] EpochOffsets epochOffsets() const {
        EpochOffsets offsets;
        const std::vector<CurvePoint> rows = epochsOfRows();
        if (rows.size() < 2) {
            return offsets;
        }
        double first = std::numeric_limits<double>::infinity();
        double last = -first;
        for (const CountedSave& each : m_placed) {
            if (!each.checkpoint->epoch || !std::isfinite(*each.checkpoint->epoch)) {
                continue;
            }
            auto after = std::ranges::lower_bound(rows, each.at, {}, &CurvePoint::x);
            after = std::clamp(after, rows.begin() + 1, rows.end() - 1);
            const CurvePoint& left = *(after - 1);
            const double slope = (after->value - left.value) / (after->x - left.x);
            const double offset = left.value + slope * (each.at - left.x) - *each.checkpoint->epoch;
            offsets.least = std::min(offsets.least, offset);
            offsets.most = std::max(offsets.most, offset);
            // A step in the name and an epoch of it may be one number.
            if (hasEvidence(*each.checkpoint, "step-in-values") &&
                hasEvidence(*each.checkpoint, "epoch-in-values")) {
                first = std::min(first, *each.checkpoint->epoch);
                last = std::max(last, *each.checkpoint->epoch);
            }
        }
        offsets.span = last > first ? last - first : 0;
        return offsets;
    }

    const RunHistory& m_history;
    const MetricSeries& m_series;
    std::vector<CountedSave> m_placed;
    bool m_isRecorded = false; ///< the log records with which rows they were saved
    bool m_countsBatches = false;
};

/// Epochs as the unit of the rows: decides the difference between the epochs of checkpoints and
/// rows.
class ByEpochs {
public:
    ByEpochs(const ScannedRun& run, const RunHistory& history, const MetricSeries& series)
        : m_history(history), m_series(series), m_curve(curveByEpochs(series)) {
        collect(run);
    }

    [[nodiscard]] const std::vector<CountedSave>& placed() const { return m_placed; }

    [[nodiscard]] Decided<double> offset() const {
        std::vector<Claim<double>> claims;
        if (m_placed.empty() || m_curve.empty()) {
            return {};
        }
        const auto add = [&](std::optional<double> offset, Strength strength, std::string_view id,
                             Sentence says) {
            if (offset) {
                claims.push_back(
                    {*offset, {strength, id, std::move(says), placeIn(m_history, m_series)}});
            }
        };
        addByValues(claims);
        const bool areWhole = std::ranges::all_of(m_placed, isWholeNumber, &CountedSave::at);
        const bool rowsAreWhole = std::ranges::all_of(m_curve, isWholeNumber, &CurvePoint::x);
        if (areWhole && rowsAreWhole && countsEpochs(m_series)) {
            add(bySteps(), Strength::Proven, "steps-per-epoch",
                "the recorded steps are in proportion to the epochs that are done");
        }
        if (areWhole && rowsAreWhole) {
            add(byAllRows(), Strength::Proven, "row-per-checkpoint", "each row has its checkpoint");
        }
        if (m_labelled && countsEpochs(m_series)) {
            add(areWhole       ? byEnds(rowsAreWhole)
                : rowsAreWhole ? std::nullopt
                               : std::optional(0.0),
                Strength::Recorded, "epoch-column",
                "only one way of counting gives all checkpoints a row");
        }
        return decide(std::move(claims));
    }

private:
    void collect(const ScannedRun& run) {
        const bool recorded =
            std::ranges::any_of(run.checkpoints, [](const ScannedCheckpoint& each) {
                return hasEvidence(each, "epoch-in-values") && !each.isLink();
            });
        const auto each = [&](auto epochOf) {
            for (const ScannedCheckpoint& checkpoint : run.checkpoints) {
                const OwnNumbers own = ownNumbers(checkpoint.name);
                const std::optional<double> epoch = epochOf(checkpoint, own);
                // Names and values of one run may count differently.
                if (epoch && !checkpoint.isLink() &&
                    (!recorded || hasEvidence(checkpoint, "epoch-in-values"))) {
                    m_placed.push_back({&checkpoint, *epoch, own.decimals});
                }
            }
        };
        each([](const ScannedCheckpoint& checkpoint, const OwnNumbers&) {
            return checkpoint.epoch;
        });
        m_labelled = !m_placed.empty();
        if (!m_labelled) {
            each([](const ScannedCheckpoint&, const OwnNumbers& own) { return own.count; });
        }
    }

    /// For each column, the only offset for which all of its values in the checkpoints match their
    /// rows.
    void addByValues(std::vector<Claim<double>>& claims) const {
        for (const MetricSeries& column : m_history.series) {
            if (column.source != m_series.source) {
                continue;
            }
            const std::vector<CurvePoint> curve = curveByEpochs(column);
            std::vector<double> offsets;
            std::size_t most = 0;
            for (const double offset : {-1.0, 0.0, 1.0}) {
                const bool possible = offset >= 0 || (!curve.empty() && curve.front().x > 0);
                const std::size_t equal = possible ? equalValues(column.name, curve, offset) : 0;
                most = std::max(most, equal);
                if (equal > 0) {
                    offsets.push_back(offset);
                }
            }
            // As in BySteps: one value among many may equal that of another row.
            const bool isProof =
                (m_labelled && countsEpochs(m_series)) || most > 1 || m_placed.size() <= 2;
            if (offsets.size() == 1 && isProof) {
                claims.push_back({offsets.front(),
                                  {Strength::Proven, "values-equal",
                                   "metrics in checkpoints or their names equal their rows",
                                   placeIn(m_history, column)}});
            }
        }
    }

    /// How many checkpoints hold the value of their row; 0 if one holds another.
    [[nodiscard]] std::size_t equalValues(std::string_view column,
                                          const std::vector<CurvePoint>& curve,
                                          double offset) const {
        std::size_t equal = 0;
        for (const CountedSave& each : m_placed) {
            const double* value = valueAt(curve, each.at - offset);
            const double* held = heldValue(*each.checkpoint, column);
            if (held == nullptr && each.decimals.empty()) {
                continue;
            }
            const auto isIt = [&](const NamedDecimal& decimal) {
                return decimal.isRoundingOf(*value);
            };
            if (value == nullptr || !(held != nullptr ? isClose(*held, *value, kRounded)
                                                      : std::ranges::any_of(each.decimals, isIt))) {
                return 0;
            }
            ++equal;
        }
        return equal;
    }

    /// A log that begins with row 0 counts from 0. One that begins with row 1 may continue another.
    [[nodiscard]] std::optional<double> bySteps() const {
        if (m_curve.front().x != 0) {
            return std::nullopt;
        }
        for (const double offset : {0.0, 1.0}) {
            const auto done = [&](const CountedSave& each) { return each.at + 1 - offset; };
            const CountedSave& first = m_placed.front();
            bool isProportion = true;
            bool several = false;
            for (const CountedSave& each : m_placed) {
                const auto step = each.checkpoint->step;
                // If the step equals the epoch, both may be the same number in the name.
                isProportion = isProportion && step && *step > 0 && first.checkpoint->step &&
                               hasEvidence(*each.checkpoint, "step-in-values") &&
                               static_cast<double>(*step) != each.at && done(each) > 0 &&
                               static_cast<double>(*step) * done(first) ==
                                   static_cast<double>(*first.checkpoint->step) * done(each);
                several = several || each.at != first.at;
            }
            if (isProportion && several) {
                return offset;
            }
        }
        return std::nullopt;
    }

    /// The row of a checkpoint's epoch, or the one before it, if each row has a checkpoint then,
    /// and each checkpoint a row. A single row proves nothing.
    [[nodiscard]] std::optional<double> byAllRows() const {
        for (const double offset : {0.0, 1.0}) {
            std::vector<double> rows;
            rows.reserve(m_placed.size());
            for (const CountedSave& each : m_placed) {
                rows.push_back(each.at - offset);
            }
            std::ranges::sort(rows);
            rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
            const bool countsFromZero = offset == 0 || m_curve.front().x == 0;
            if (countsFromZero && rows.size() > 1 &&
                std::ranges::equal(rows, m_curve, {}, {}, &CurvePoint::x)) {
                return offset;
            }
        }
        return std::nullopt;
    }

    /// Saved before the first step: epochs are those that are done.
    static bool isUntrained(const ScannedCheckpoint& each) {
        return each.step == 0 && hasEvidence(each, "step-in-values");
    }

    /// The newest checkpoint may have been saved before its row was logged, so that the row before
    /// or after each epoch is never excluded by the end of the log.
    [[nodiscard]] std::optional<double> byEnds(bool rowsAreWhole) const {
        const auto [least, most] = std::ranges::minmax(m_placed, {}, &CountedSave::at);
        const double first = m_curve.front().x;
        const double last = m_curve.back().x;
        if (rowsAreWhole) {
            const bool startTogether =
                first == 0 && least.at == 0 && !isUntrained(*least.checkpoint);
            return startTogether && most.at <= last ? std::optional(0.0) : std::nullopt;
        }
        const bool after = first > 0 && most.at + 1 <= last;
        return least.at > 0 && !after ? std::optional(0.0) : std::nullopt;
    }

    const RunHistory& m_history;
    const MetricSeries& m_series;
    std::vector<CurvePoint> m_curve;
    std::vector<CountedSave> m_placed;
    bool m_labelled = false; ///< names or columns show that the numbers are epochs
};

void givePlaces(RowMatch& match, const ScannedRun& run, const std::vector<CountedSave>& placed,
                double offset) {
    for (const CountedSave& each : placed) {
        match.places[static_cast<std::size_t>(each.checkpoint - run.checkpoints.data())] =
            each.at - offset;
    }
}

void appendEvidence(std::vector<Evidence>& to, const std::vector<Evidence>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

} // namespace

double endOf(const std::vector<CurvePoint>& curve) {
    double widest = 1;
    for (std::size_t i = 1; i < curve.size(); ++i) {
        widest = std::max(widest, curve[i].x - curve[i - 1].x);
    }
    return curve.empty() ? 0 : curve.back().x + widest;
}

RowMatch decideRows(const ScannedRun& run, const RunHistory& history, const MetricSeries& series) {
    RowMatch match;
    match.places.resize(run.checkpoints.size());
    const BySteps steps(run, history, series);
    if (steps.isPossible()) {
        const auto decided = decide(steps.claims());
        const bool isDecided = decided.isAtLeast(Strength::Recorded) && decided.value->has_value();
        match.unit.because = isDecided ? decided.because : std::vector<Evidence>();
        match.unit.against = decided.against;
        if (isDecided) {
            match.unit.value = **decided.value;
            match.curve = curveOf(series, CompareAxis::Step);
            givePlaces(match, run, steps.placed(), 0);
            return match;
        }
        appendEvidence(match.unit.against, decided.because);
    }
    if (series.stepsFrom == StepsFrom::Count) {
        match.unit.against.push_back({Strength::Named, "row-number",
                                      "the log records no steps; its rows are numbered",
                                      placeIn(history, series)});
    }
    const ByEpochs epochs(run, history, series);
    const Decided<double> offset = epochs.offset();
    appendEvidence(match.unit.against, offset.against);
    if (offset.value) {
        match.unit.value = RowUnit::Epochs;
        match.unit.because = offset.because;
        match.curve = curveByEpochs(series);
        givePlaces(match, run, epochs.placed(), *offset.value);
    } else if (match.unit.against.empty()) {
        match.unit.against.push_back(
            {Strength::Named, epochs.placed().empty() ? "no-common-count" : "several-offsets",
             epochs.placed().empty()
                 ? Sentence("the log and the checkpoints record nothing that both count")
                 : Sentence("the log and the checkpoints may count from different numbers"),
             placeIn(history, series)});
    }
    return match;
}

} // namespace cairn
