// SPDX-License-Identifier: Apache-2.0
#include "core/runs/rank/rows_logged_again.h"

#include "core/runs/rank/counted_saves.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace cairn {
namespace {

class LoggedAgain {
public:
    LoggedAgain(const ScannedRun& run, const MetricSeries& series, const RowMatch& match)
        : m_run(run), m_series(series), m_match(match) {
        for (std::size_t i = 0; i < match.places.size(); ++i) {
            if (match.places[i]) {
                m_saves.push_back({*match.places[i], run.checkpoints[i].modifiedNs});
            }
        }
        std::ranges::sort(m_saves, {},
                          [](const Save& each) { return std::pair(each.at, each.modifiedNs); });
        m_wereSavedInOrder = std::ranges::is_sorted(m_saves, {}, &Save::modifiedNs);
    }

    [[nodiscard]] const ScannedCheckpoint* find() const {
        for (std::size_t i = 0; m_series.replaced.size() > 0 && i < m_match.places.size(); ++i) {
            if (m_match.places[i] && isOfEither(m_run.checkpoints[i], *m_match.places[i])) {
                return &m_run.checkpoints[i];
            }
        }
        return nullptr;
    }

private:
    struct Save {
        double at = 0;
        std::int64_t modifiedNs = 0;
    };

    /// The row at or before a place; null: none.
    [[nodiscard]] const CurvePoint* rowAt(double place) const {
        const auto& curve = m_match.curve;
        const auto after = std::ranges::upper_bound(curve, place, {}, &CurvePoint::x);
        return after != curve.begin() ? &*std::prev(after) : nullptr;
    }

    [[nodiscard]] bool isOfEither(const ScannedCheckpoint& checkpoint, double at) const {
        const CurvePoint* row = rowAt(at);
        if (row == nullptr || (!isLeftBetween(*row) && !hasOtherValue(*row))) {
            return false;
        }
        const double* held = heldValue(checkpoint, m_series.name);
        if (held != nullptr && isCloseValue(*held, row->value, kRoundedValue)) {
            return false;
        }
        // Where the rows that were logged again end before the checkpoint, it may be older.
        const CurvePoint* after = row + 1;
        const bool isLast = after == m_match.curve.data() + m_match.curve.size();
        const bool endsBefore = row->x != at && (isLast || !hasOtherValue(*after));
        return isLeftBetween(*row) || endsBefore || !wasSavedAgain(at, stepOf(*row));
    }

    [[nodiscard]] double stepOf(const CurvePoint& row) const {
        if (m_match.unit.value != RowUnit::Epochs || m_series.epochs.empty()) {
            return row.x;
        }
        const auto at = std::find(m_series.epochs.rbegin(), m_series.epochs.rend(), row.x);
        const auto index = static_cast<std::size_t>(m_series.epochs.rend() - at);
        return index > 0 && index <= m_series.steps.size() ? m_series.steps[index - 1] : row.x;
    }

    /// The values that were logged at a step before.
    [[nodiscard]] std::span<const double> valuesBefore(double step) const {
        const std::vector<double>& steps = m_series.replaced.steps;
        const auto [first, last] = std::equal_range(steps.begin(), steps.end(), step);
        return std::span(m_series.replaced.values.get())
            .subspan(static_cast<std::size_t>(first - steps.begin()),
                     static_cast<std::size_t>(last - first));
    }

    [[nodiscard]] bool hasOtherValue(const CurvePoint& row) const {
        return std::ranges::any_of(valuesBefore(stepOf(row)), [&](double value) {
            return !isCloseValue(value, row.value, kRoundedValue);
        });
    }

    /// Rows before and after it were logged again after one restart, and this one was not.
    [[nodiscard]] bool isLeftBetween(const CurvePoint& row) const {
        const auto& again = m_series.replaced.steps;
        const double step = stepOf(row);
        const auto after = std::ranges::lower_bound(again, step);
        if (after == again.begin() || after == again.end() || *after == step) {
            return false;
        }
        return std::ranges::none_of(m_series.restarts, [&](std::size_t point) {
            const double at = point < m_series.steps.size() ? m_series.steps[point] : step;
            return *std::prev(after) < at && at <= *after;
        });
    }

    /// The first step beyond this one whose row is of another attempt.
    [[nodiscard]] double endOfAttempt(double step) const {
        double end = std::numeric_limits<double>::infinity();
        for (const Column<std::size_t>* points : {&m_series.restarts, &m_series.returns}) {
            for (const std::size_t point : *points) {
                const double at = point < m_series.steps.size() ? m_series.steps[point] : end;
                end = at > step ? std::min(end, at) : end;
            }
        }
        return end;
    }

    [[nodiscard]] bool wasSavedAgain(double at, double step) const {
        constexpr int kLeastOwn = 2;
        const auto first = std::ranges::lower_bound(m_saves, at, {}, &Save::at);
        const auto last = std::ranges::upper_bound(m_saves, at, {}, &Save::at);
        if (!m_wereSavedInOrder || last - first != 1) { // of two, one may be older
            return false;
        }
        const double end = endOfAttempt(step);
        const double interval = last != m_saves.end() ? last->at - at : 0;
        int own = 0; // saves of this attempt alone
        for (auto each = last; each != m_saves.end() && own < kLeastOwn; ++each) {
            const CurvePoint* row = rowAt(each->at);
            const double distance = each->at - std::prev(each)->at;
            if (!isCloseValue(distance, interval, kRoundedValue) || row == nullptr ||
                stepOf(*row) >= end) {
                return false;
            }
            own += valuesBefore(stepOf(*row)).empty() ? 1 : 0;
        }
        return own == kLeastOwn;
    }

    const ScannedRun& m_run;
    const MetricSeries& m_series;
    const RowMatch& m_match;
    std::vector<Save> m_saves; ///< by place
    bool m_wereSavedInOrder = false;
};

} // namespace

const ScannedCheckpoint* loggedAgain(const ScannedRun& run, const MetricSeries& series,
                                     const RowMatch& match) {
    return LoggedAgain(run, series, match).find();
}

} // namespace cairn
