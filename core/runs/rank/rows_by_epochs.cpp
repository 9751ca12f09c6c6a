// SPDX-License-Identifier: Apache-2.0
#include "core/runs/rank/rows_by_epochs.h"

#include "core/runs/run_counts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

bool isWholeNumber(const Number& number) {
    return std::isfinite(number.nearest) && number.nearest == std::floor(number.nearest);
}
bool countsEpochs(const MetricSeries& series) {
    return !series.epochs.empty() || series.stepsFrom == StepsFrom::Epoch;
}

/// The curve over epochs, or over the column that is used instead of epochs.
std::vector<ExactPoint> curveByUnit(const MetricSeries& series) {
    return series.epochs.empty() ? curveBySteps(series) : curveByEpochs(series);
}

/// Epochs as the unit of the rows: decides the difference between the epochs of checkpoints and
/// rows.
class ByEpochs {
public:
    ByEpochs(const ScannedRun& run, const RunHistory& history, const MetricSeries& series)
        : m_history(history), m_series(series), m_curve(curveByUnit(series)) {
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
        if (severalInAnEpoch()) { // one of them at most has the row of the epoch
            return {};
        }
        addByValues(claims);
        const bool areWhole = std::ranges::all_of(m_placed, isWholeNumber, &CountedSave::at);
        const bool rowsAreWhole = std::ranges::all_of(m_curve, isWholeNumber, &ExactPoint::x);
        if (areWhole && rowsAreWhole && countsEpochs(m_series)) {
            add(bySteps(), Strength::Proven, "steps-per-epoch",
                "the recorded steps are in proportion to the epochs that are done");
        }
        const bool withinEpochs = areWhole && mayBeWithinEpochs();
        if (areWhole && rowsAreWhole && !withinEpochs && (m_labelled || countsEpochs(m_series)) &&
            m_series.stepsStrength >= Strength::Recorded) {
            add(byAllRows(), Strength::Proven, "row-per-checkpoint", "each row has its checkpoint");
        }
        if (m_labelled && countsEpochs(m_series) && !withinEpochs) {
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
        const EvidentSaves saves(run);
        const bool recorded =
            std::ranges::any_of(run.checkpoints, [&saves](const ScannedCheckpoint& each) {
                return hasEvidence(each, "epoch-in-values") && saves.has(each);
            });
        const auto each = [&](auto epochOf) {
            for (const ScannedCheckpoint& checkpoint : run.checkpoints) {
                const OwnNumbers own = ownNumbers(checkpoint.name);
                const std::optional<double> epoch = epochOf(checkpoint, own);
                // Names and values of one run may count differently.
                if (epoch && saves.has(checkpoint) &&
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
            const std::vector<ExactPoint> curve = curveByUnit(column);
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
            // As in BySteps: those that hold none may be of other rows.
            const bool isProof = (m_labelled && countsEpochs(m_series)) || most == m_placed.size();
            if (offsets.size() == 1 && isProof) {
                claims.push_back({offsets.front(),
                                  {Strength::Proven, "values-equal",
                                   "metrics in checkpoints or their names equal their rows",
                                   placeIn(m_history, column)}});
            }
        }
    }

    /// Two checkpoints of one epoch are of different steps.
    [[nodiscard]] bool severalInAnEpoch() const {
        std::vector<std::pair<double, std::int64_t>> saves;
        for (const CountedSave& each : m_placed) {
            if (each.checkpoint->step) {
                saves.emplace_back(each.at.nearest, *each.checkpoint->step);
            }
        }
        std::ranges::sort(saves);
        return std::ranges::adjacent_find(saves, [](const auto& left, const auto& right) {
                   return left.first == right.first && left.second != right.second;
               }) != saves.end();
    }

    /// How many checkpoints hold the value of their row; 0 if one holds another.
    [[nodiscard]] std::size_t equalValues(std::string_view column,
                                          const std::vector<ExactPoint>& curve,
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
            if (value == nullptr || !(held != nullptr ? isCloseValue(*held, *value, kRoundedValue)
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
            if (isProportion(offset)) {
                return offset;
            }
        }
        return std::nullopt;
    }

    /// The recorded steps of two or more epochs are in proportion to the epochs that are done.
    [[nodiscard]] bool isProportion(double offset) const {
        const auto done = [&](const CountedSave& each) { return (each.at + (1 - offset)).nearest; };
        const CountedSave& first = m_placed.front();
        bool several = false;
        for (const CountedSave& each : m_placed) {
            const auto step = each.checkpoint->step;
            // If the step equals the epoch, both may be the same number in the name.
            if (!step || *step <= 0 || !first.checkpoint->step ||
                !hasEvidence(*each.checkpoint, "step-in-values") || Number(*step) == each.at ||
                done(each) <= 0 ||
                std::fmod(static_cast<double>(*step), done(each)) != 0 || // not of whole epochs
                static_cast<double>(*step) * done(first) !=
                    static_cast<double>(*first.checkpoint->step) * done(each)) {
                return false;
            }
            several = several || each.at != first.at;
        }
        return several;
    }

    /// Recorded steps of checkpoints show that some are not of whole epochs, or of one save it is
    /// not known.
    [[nodiscard]] bool mayBeWithinEpochs() const {
        const bool haveSteps = std::ranges::all_of(m_placed, [](const CountedSave& each) {
            return hasEvidence(*each.checkpoint, "step-in-values") && each.checkpoint->step > 0 &&
                   Number(*each.checkpoint->step) != each.at;
        });
        return haveSteps && !isProportion(0) && !isProportion(1);
    }

    /// The row of a checkpoint's epoch, or the one before it, if each row has a checkpoint then,
    /// and each checkpoint a row. One or two rows prove nothing, and none that were logged again.
    [[nodiscard]] std::optional<double> byAllRows() const {
        constexpr std::size_t kLeastRows = 3;
        if (m_series.replaced.size() > 0) {
            return std::nullopt;
        }
        for (const double offset : {0.0, 1.0}) {
            std::vector<Number> rows;
            rows.reserve(m_placed.size());
            for (const CountedSave& each : m_placed) {
                rows.push_back(each.at - offset);
            }
            std::ranges::sort(rows);
            rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
            const bool countsFromZero = offset == 0 || m_curve.front().x == 0;
            if (countsFromZero && rows.size() >= kLeastRows &&
                std::ranges::equal(rows, m_curve, {}, {}, &ExactPoint::x)) {
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
        const Number first = m_curve.front().x;
        const Number last = m_curve.back().x;
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
    std::vector<ExactPoint> m_curve;
    std::vector<CountedSave> m_placed;
    bool m_labelled = false; ///< names or columns show that the numbers are epochs
};

} // namespace

EpochRows epochRows(const ScannedRun& run, const RunHistory& history, const MetricSeries& series) {
    const ByEpochs epochs(run, history, series);
    return {epochs.placed(), curveByUnit(series), epochs.offset()};
}

} // namespace cairn
