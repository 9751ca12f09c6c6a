// SPDX-License-Identifier: Apache-2.0
#include "core/runs/rank/rows_logged_again.h"

#include "core/runs/rank/counted_saves.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace cairn {
namespace {

/// The rows that one attempt wrote, those included that were logged again later.
struct Attempt {
    struct Row {
        Number step;
        double value = 0;
    };
    std::vector<Row> rows; ///< by step
    double widest = 0;     ///< distance of two; 0: there is only one

    [[nodiscard]] const Row* lastUpTo(const Number& step) const {
        const auto after = std::ranges::upper_bound(rows, step, {}, &Row::step);
        return after != rows.begin() ? &*std::prev(after) : nullptr;
    }
};

std::vector<Attempt> attemptsOf(const MetricSeries& series) {
    std::vector<Attempt> all;
    const auto add = [&](std::uint32_t attempt, const Number& step, double value) {
        all.resize(std::max<std::size_t>(all.size(), std::size_t{attempt} + 1));
        all[attempt].rows.push_back({step, value});
    };
    for (std::size_t i = 0; i < series.attempts.size(); ++i) {
        add(series.attempts[i], series.stepAt(i), series.values[i]);
    }
    for (std::size_t i = 0; i < series.replaced.attempts.size(); ++i) {
        add(series.replaced.attempts[i], series.replaced.stepAt(i), series.replaced.values[i]);
    }
    for (Attempt& attempt : all) {
        std::ranges::stable_sort(attempt.rows, {}, &Attempt::Row::step);
        for (std::size_t i = 1; i < attempt.rows.size(); ++i) {
            attempt.widest =
                std::max(attempt.widest, attempt.rows[i].step - attempt.rows[i - 1].step);
        }
    }
    return all;
}

class LoggedAgain {
public:
    LoggedAgain(const ScannedRun& run, const MetricSeries& series, const RowMatch& match)
        : m_run(run), m_series(series), m_match(match), m_attempts(attemptsOf(series)) {
        for (std::size_t i = 0; !m_attempts.empty() && i < match.places.size(); ++i) {
            if (match.places[i]) {
                m_saves.push_back({*match.places[i], run.checkpoints[i].modifiedNs});
            }
        }
        std::ranges::sort(m_saves, {},
                          [](const Save& each) { return std::pair(each.at, each.modifiedNs); });
        m_wereSavedInOrder = std::ranges::is_sorted(m_saves, {}, &Save::modifiedNs);
        m_areAlone.resize(m_saves.size());
        setUnknownIntervals();
    }

    [[nodiscard]] const ScannedCheckpoint* find() {
        for (std::size_t i = 0; !m_attempts.empty() && i < m_match.places.size(); ++i) {
            if (m_match.places[i] && isOfEither(m_run.checkpoints[i], *m_match.places[i])) {
                return &m_run.checkpoints[i];
            }
        }
        return nullptr;
    }

private:
    struct Save {
        Number at;
        std::int64_t modifiedNs = 0;
    };
    /// A checkpoint's row, its position in the series, and the step up to which rows are its own.
    struct Placed {
        const ExactPoint* row = nullptr;
        std::uint32_t attempt = 0;
        Number step;
    };

    /// An attempt of one row began at a checkpoint before it, or at 0, and its interval is at least
    /// as long as that of any other.
    void setUnknownIntervals() {
        const bool isEpoch = m_match.unit.value == RowUnit::Epochs && !m_series.epochs.empty();
        double widest = 0;
        for (const Attempt& attempt : m_attempts) {
            widest = std::max(widest, attempt.widest);
        }
        for (Attempt& attempt : m_attempts) {
            if (attempt.widest > 0 || attempt.rows.empty()) {
                continue;
            }
            const Number row = attempt.rows.front().step;
            const auto next = std::ranges::lower_bound(m_saves, row, {}, &Save::at);
            const bool isKnown = !isEpoch && next != m_saves.begin();
            attempt.widest = std::max(widest, isKnown ? row - std::prev(next)->at : row.nearest);
        }
    }

    [[nodiscard]] std::optional<Placed> placed(const Number& place) const {
        const auto& curve = m_match.curve;
        const auto after = std::ranges::upper_bound(curve, place, {}, &ExactPoint::x);
        if (after == curve.begin()) {
            return std::nullopt;
        }
        const ExactPoint& row = *std::prev(after);
        const bool isEpoch = m_match.unit.value == RowUnit::Epochs && !m_series.epochs.empty();
        std::size_t end = 0; // of the points up to the row
        if (isEpoch) {
            const auto at =
                std::find(m_series.epochs.rbegin(), m_series.epochs.rend(), row.x.nearest);
            end = static_cast<std::size_t>(m_series.epochs.rend() - at);
        } else {
            // The points up to the row's step, by their exact steps. Clang 14 has no views::iota.
            for (std::size_t limit = m_series.steps.size(); end < limit;) {
                const std::size_t middle = end + (limit - end) / 2;
                if (row.x < m_series.stepAt(middle)) {
                    limit = middle;
                } else {
                    end = middle + 1;
                }
            }
        }
        end = std::min({end, m_series.steps.size(), m_series.attempts.size()});
        return end > 0 ? std::optional(Placed{&row, m_series.attempts[end - 1],
                                              isEpoch ? m_series.stepAt(end - 1) : place})
                       : std::nullopt;
    }

    [[nodiscard]] bool isOfEither(const ScannedCheckpoint& checkpoint, const Number& at) {
        const auto own = placed(at);
        if (!own) {
            return false;
        }
        const double* held = heldValue(checkpoint, m_series.name);
        if (held != nullptr && isCloseValue(*held, own->row->value, kRoundedValue)) {
            return false;
        }
        const bool isSavedAgain = wasSavedAgain(at, own->attempt);
        for (std::uint32_t i = 0; i < m_attempts.size(); ++i) {
            const bool isEarlier = i <= own->attempt; // also the same row, logged twice
            if (mayHaveSaved(i, *own) && !(isEarlier && isSavedAgain)) {
                return true;
            }
        }
        return false;
    }

    /// An attempt may have passed the checkpoint's step with another value than that of its row:
    /// it has another row before, or began between the row and the checkpoint's step, and no
    /// attempt goes on beyond its last row for more than the widest distance of two.
    [[nodiscard]] bool mayHaveSaved(std::uint32_t index, const Placed& own) const {
        const Attempt& attempt = m_attempts[index];
        const double widest = attempt.widest;
        if (attempt.rows.empty() || own.step - attempt.rows.back().step >= widest) {
            return false;
        }
        if (const Attempt::Row* last = attempt.lastUpTo(own.step)) {
            const auto first =
                std::ranges::lower_bound(attempt.rows, last->step, {}, &Attempt::Row::step);
            const auto end =
                std::ranges::upper_bound(attempt.rows, last->step, {}, &Attempt::Row::step);
            return std::any_of(first, end, [&](const Attempt::Row& each) {
                return !isCloseValue(each.value, own.row->value, kRoundedValue);
            });
        }
        const Number earliest = attempt.rows.front().step - widest;
        return earliest < own.step && earliest < stepOfRow(own);
    }

    [[nodiscard]] Number stepOfRow(const Placed& own) const {
        const Attempt::Row* row = m_attempts[own.attempt].lastUpTo(own.step);
        return row != nullptr ? row->step : own.step;
    }

    /// No attempt but that of its row may have made the save.
    [[nodiscard]] bool isAlone(std::size_t save, const Placed& own) {
        std::optional<bool>& known = m_areAlone[save];
        if (!known) {
            known = true;
            for (std::uint32_t i = 0; *known && i < m_attempts.size(); ++i) {
                known = i == own.attempt || !mayHaveSaved(i, own);
            }
        }
        return *known;
    }

    [[nodiscard]] bool wasSavedAgain(const Number& at, std::uint32_t attempt) {
        constexpr int kLeastOwn = 2;
        const auto first = std::ranges::lower_bound(m_saves, at, {}, &Save::at);
        const auto last = std::ranges::upper_bound(m_saves, at, {}, &Save::at);
        if (!m_wereSavedInOrder || last - first != 1) { // of two, one may be older
            return false;
        }
        const double interval = last != m_saves.end() ? last->at - at : 0;
        int own = 0; // saves of this attempt alone
        for (auto each = last; each != m_saves.end() && own < kLeastOwn; ++each) {
            const auto next = placed(each->at);
            const double distance = each->at - std::prev(each)->at;
            if (!isCloseValue(distance, interval, kRoundedValue) || !next ||
                next->attempt != attempt) {
                return false;
            }
            own += isAlone(static_cast<std::size_t>(each - m_saves.begin()), *next) ? 1 : 0;
        }
        return own == kLeastOwn;
    }

    const ScannedRun& m_run;
    const MetricSeries& m_series;
    const RowMatch& m_match;
    std::vector<Attempt> m_attempts;             ///< empty: there is one
    std::vector<Save> m_saves;                   ///< by place
    std::vector<std::optional<bool>> m_areAlone; ///< isAlone() of each save, as far as known
    bool m_wereSavedInOrder = false;
};

} // namespace

bool hasTooManyAttempts(const MetricSeries& series, std::size_t saves) {
    constexpr std::size_t kMostAttempts = 50'000;
    constexpr std::size_t kMostPairs = 10'000'000;
    std::size_t attempts = 0;
    for (const auto* column : {&series.attempts, &series.replaced.attempts}) {
        for (const std::uint32_t each : *column) {
            attempts = std::max(attempts, std::size_t{each} + 1);
        }
    }
    return attempts > 1 && (attempts > kMostAttempts || saves > kMostPairs / attempts);
}

const ScannedCheckpoint* loggedAgain(const ScannedRun& run, const MetricSeries& series,
                                     const RowMatch& match) {
    return LoggedAgain(run, series, match).find();
}

} // namespace cairn
