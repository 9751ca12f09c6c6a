// SPDX-License-Identifier: Apache-2.0
//
// A checkpoint's epoch n belongs to row n of the log, to row n - 1 where the checkpoints count from
// 1 and the log from 0, or to row n + 1 where it is the other way round, as with logs that record
// how far training went (0.5, 1, 1.5 …). What shows, the most telling first:
//   - values: what a checkpoint holds ("val_loss") or has in its name ("model.03-1.6806.keras") is
//     in one of these rows of a column;
//   - steps: an optimizer's are in proportion to the epochs that are done, so to n where n is
//     counted from 1, to n + 1 where it is counted from 0;
//   - the ends of the log: there is no row -1, and none beyond the last. A trainer that saves
//     before it logs, or was killed between the two, leaves a checkpoint beyond the end, too.
// A log that records no epochs has rows by steps, or by nothing: there only values record, or that
// each row has its checkpoint.
#include "core/runs/rank/epoch_rows.h"

#include "core/runs/rank/own_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace cairn {
namespace {

constexpr auto kShifts = std::to_array<double>({0, 1});

struct Counted {
    const ScannedCheckpoint* checkpoint = nullptr;
    double epoch = 0; ///< in the checkpoints' count
    std::vector<NamedDecimal> decimals;
};

bool isWholeNumber(double number) {
    return std::isfinite(number) && number == std::floor(number);
}

const double* valueAt(const std::vector<CurvePoint>& curve, double x) {
    const auto at = std::ranges::lower_bound(curve, x, {}, &CurvePoint::x);
    return at != curve.end() && at->x == x ? &at->value : nullptr;
}

class Matching {
public:
    Matching(const ScannedRun& run, const RunHistory& history, const MetricSeries& series)
        : m_run(run), m_history(history), m_series(series), m_curve(curveByEpochs(series)) {
        collect();
    }

    [[nodiscard]] const std::vector<Counted>& counted() const { return m_counted; }

    /// Difference between the epochs of checkpoints and rows; empty if unknown.
    [[nodiscard]] std::optional<double> shift() const {
        if (m_counted.empty() || m_curve.empty()) {
            return std::nullopt;
        }
        if (const auto recorded = byValues()) {
            return recorded;
        }
        const bool counts = std::ranges::all_of(m_counted, isWholeNumber, &Counted::epoch);
        if (!std::ranges::all_of(m_curve, isWholeNumber, &CurvePoint::x)) {
            const bool recorded = m_labelled && countsEpochs() && !(counts && hasEpochZero());
            return recorded ? std::optional(0.0) : std::nullopt;
        }
        if (!counts) {
            return std::nullopt;
        }
        if (const auto recorded = bySteps(); recorded && countsEpochs()) {
            return recorded;
        }
        return byEnds();
    }

private:
    /// Otherwise the rows are steps, or unnumbered lines.
    [[nodiscard]] bool countsEpochs() const {
        return !m_series.epochs.empty() || m_series.stepsFrom == StepsFrom::Epoch;
    }

    /// If epochs measure progress, a checkpoint of epoch 0 is either from the first epoch, or was
    /// saved before it.
    [[nodiscard]] bool hasEpochZero() const {
        return std::ranges::any_of(m_counted, [](const Counted& each) { return each.epoch == 0; });
    }

    void collect() {
        const auto each = [&](auto epochOf) {
            for (const ScannedCheckpoint& checkpoint : m_run.checkpoints) {
                const OwnNumbers own = ownNumbers(checkpoint.name);
                const std::optional<double> epoch = epochOf(checkpoint, own);
                if (epoch && !checkpoint.isLink()) {
                    m_counted.push_back({&checkpoint, *epoch, own.decimals});
                }
            }
        };
        each([](const ScannedCheckpoint& checkpoint, const OwnNumbers&) {
            return checkpoint.epoch;
        });
        m_labelled = !m_counted.empty();
        if (!m_labelled) {
            each([](const ScannedCheckpoint&, const OwnNumbers& own) { return own.count; });
        }
    }

    /// The only shift for which all of a column's values in the checkpoints match their rows, if
    /// there is exactly one.
    [[nodiscard]] std::optional<double> byValues() const {
        std::optional<double> found;
        for (const MetricSeries& column : m_history.series) {
            if (column.source != m_series.source) {
                continue;
            }
            const auto shift = onlyShift(column.name, curveByEpochs(column));
            if (shift && found && *found != *shift) {
                return std::nullopt;
            }
            found = shift ? shift : found;
        }
        return found;
    }

    [[nodiscard]] std::optional<double> onlyShift(std::string_view column,
                                                  const std::vector<CurvePoint>& curve) const {
        std::optional<double> found;
        for (const double shift : {-1.0, 0.0, 1.0}) {
            const bool possible = shift >= 0 || (!curve.empty() && curve.front().x > 0);
            if (!possible || !agrees(column, curve, shift)) {
                continue;
            }
            if (found) {
                return std::nullopt;
            }
            found = shift;
        }
        return found;
    }

    [[nodiscard]] bool agrees(std::string_view column, const std::vector<CurvePoint>& curve,
                              double shift) const {
        bool any = false;
        for (const Counted& each : m_counted) {
            const double* value = valueAt(curve, each.epoch - shift);
            const auto& held = each.checkpoint->metrics;
            const auto own = std::ranges::find(
                held, column, [](const auto& metric) { return std::string_view(metric.first); });
            if (own == held.end() && each.decimals.empty()) {
                continue;
            }
            const auto isIt = [&](const NamedDecimal& decimal) {
                return decimal.isRoundingOf(*value);
            };
            const bool equal =
                value != nullptr &&
                (own != held.end() ? std::abs(own->second - *value) <= std::abs(*value) * 1e-6
                                   : std::ranges::any_of(each.decimals, isIt));
            if (!equal) {
                return false;
            }
            any = true;
        }
        return any;
    }

    [[nodiscard]] std::optional<double> bySteps() const {
        if (m_curve.front().x != 0) {
            return std::nullopt; // the log continues an earlier one, or counts from 1
        }
        for (const double shift : kShifts) {
            const auto done = [&](const Counted& each) { return each.epoch + 1 - shift; };
            const Counted& first = m_counted.front();
            bool isProportion = true;
            bool several = false;
            for (const Counted& each : m_counted) {
                const auto step = each.checkpoint->step;
                // If the step equals the epoch, both may be the same number in the name.
                isProportion = isProportion && step && *step > 0 && first.checkpoint->step &&
                               each.checkpoint->stepFrom == StepFrom::Values &&
                               static_cast<double>(*step) != each.epoch && done(each) > 0 &&
                               static_cast<double>(*step) * done(first) ==
                                   static_cast<double>(*first.checkpoint->step) * done(each);
                several = several || each.epoch != first.epoch;
            }
            if (isProportion && several) {
                return shift;
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<double> byEnds() const {
        const auto [least, most] = std::ranges::minmax(m_counted, {}, &Counted::epoch);
        const double first = m_curve.front().x;
        const double last = m_curve.back().x;
        const bool same = most.epoch <= last;
        const bool after = most.epoch - 1 <= last && least.epoch >= 1 && first == 0;
        if (same == after || (first == 1 && hasEpochZero())) {
            return std::nullopt;
        }
        const double shift = same ? 0 : 1;
        // A number without a word may have any meaning, and so may a row; a checkpoint beyond the
        // last row may have been saved before its row was logged. This is excluded if each row has
        // a checkpoint.
        const bool recorded = same && m_labelled && countsEpochs();
        return recorded || eachRowHasItsCheckpoint(shift) ? std::optional(shift) : std::nullopt;
    }

    /// And each checkpoint has a row. There must be several rows: a single one proves nothing.
    [[nodiscard]] bool eachRowHasItsCheckpoint(double shift) const {
        std::vector<double> rows;
        rows.reserve(m_counted.size());
        for (const Counted& each : m_counted) {
            rows.push_back(each.epoch - shift);
        }
        std::ranges::sort(rows);
        rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        return rows.size() > 1 && std::ranges::equal(rows, m_curve, {}, {}, &CurvePoint::x);
    }

    const ScannedRun& m_run;
    const RunHistory& m_history;
    const MetricSeries& m_series;
    std::vector<CurvePoint> m_curve;
    std::vector<Counted> m_counted;
    bool m_labelled = false; ///< names or columns show that the numbers are epochs
};

} // namespace

std::vector<CurvePoint> curveByEpochs(const MetricSeries& series) {
    return curveOf(series, series.epochs.empty() ? CompareAxis::Step : CompareAxis::Epoch);
}

std::vector<std::optional<double>> epochRows(const ScannedRun& run, const RunHistory& history,
                                             const MetricSeries& series) {
    std::vector<std::optional<double>> rows(run.checkpoints.size());
    const Matching matching(run, history, series);
    if (const auto shift = matching.shift()) {
        for (const Counted& each : matching.counted()) {
            rows[static_cast<std::size_t>(each.checkpoint - run.checkpoints.data())] =
                each.epoch - *shift;
        }
    }
    return rows;
}

} // namespace cairn
