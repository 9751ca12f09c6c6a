// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention/name_series.h"

#include "core/base/ascii.h"
#include "core/model/names/position.h"
#include "core/model/names/tokens.h"

#include <algorithm>
#include <vector>

namespace cairn {
namespace {

constexpr std::size_t kDateDigits = 8; ///< as in "CKPT+2024-05-01+12-00-00+00"

enum class NumberKind : std::uint8_t { Other, Metric, MaybePosition, Position };

bool isFraction(std::string_view name, const names::DigitRun& run) {
    const bool before =
        run.begin >= 2 && name[run.begin - 1] == '.' && isDigit(name[run.begin - 2]);
    const bool after =
        run.end + 1 < name.size() && name[run.end] == '.' && isDigit(name[run.end + 1]);
    const bool exponent = run.begin >= 3 &&
                          (name[run.begin - 1] == '-' || name[run.begin - 1] == '+') &&
                          name[run.begin - 2] == 'e' && isDigit(name[run.begin - 3]);
    return before || after || exponent;
}

/// Whether the number is a position by its name.
bool hasPositionInName(std::string_view name, const names::DigitRun& run) {
    std::string other(name);
    char& digit = other[run.end - 1];
    digit = digit == '7' ? '3' : '7';
    const NamedPosition left = positionFromName(name);
    const NamedPosition right = positionFromName(other);
    return left.step != right.step || left.epoch != right.epoch;
}

NumberKind kindOf(std::string_view name, const names::DigitRun& run) {
    if (isFraction(name, run)) {
        return NumberKind::Metric;
    }
    if (hasPositionInName(name, run)) {
        return names::wordBefore(name, run.begin) == "model" ? NumberKind::MaybePosition
                                                             : NumberKind::Position;
    }
    const std::size_t sign = run.begin > 0 && name[run.begin - 1] == '-' ? 2 : 1;
    return run.begin >= sign && name[run.begin - sign] == '=' ? NumberKind::Metric
                                                              : NumberKind::Other;
}

/// Words decide first, then the position recorded in the checkpoint; in "model_3" the number counts
/// models if another number can be the position.
void settle(std::vector<NumberKind>& kinds, std::string_view name,
            const std::vector<names::DigitRun>& runs, std::optional<std::int64_t> step,
            std::optional<double> epoch) {
    if (std::ranges::find(kinds, NumberKind::Position) != kinds.end()) {
        std::ranges::replace(kinds, NumberKind::MaybePosition, NumberKind::Other);
        return;
    }
    for (std::size_t i = runs.size(); i-- > 0;) {
        const auto number = names::decimal(name.substr(runs[i].begin, runs[i].end - runs[i].begin));
        const bool isEpoch = number && epoch && static_cast<double>(*number) == *epoch;
        if (kinds[i] != NumberKind::Metric && number && (number == step || isEpoch)) {
            std::ranges::replace(kinds, NumberKind::MaybePosition, NumberKind::Other);
            kinds[i] = NumberKind::Position;
            return;
        }
    }
    const auto maybe = std::ranges::find(kinds, NumberKind::MaybePosition);
    const bool another = std::find(maybe, kinds.end(), NumberKind::Other) != kinds.end();
    std::ranges::replace(kinds, NumberKind::MaybePosition,
                         another ? NumberKind::Other : NumberKind::Position);
}

} // namespace

std::string seriesOfName(std::string_view name, std::optional<std::int64_t> step,
                         std::optional<double> epoch) {
    const std::vector<names::DigitRun> runs = names::digitRuns(name);
    std::vector<NumberKind> kinds;
    std::size_t digits = 0;
    for (const names::DigitRun& run : runs) {
        kinds.push_back(kindOf(name, run));
        digits += run.end - run.begin;
    }
    settle(kinds, name, runs, step, epoch);
    if (std::ranges::find(kinds, NumberKind::Position) == kinds.end()) {
        if (digits < kDateDigits) {
            return {};
        }
        std::ranges::fill(kinds, NumberKind::Position);
    }
    std::string series;
    std::size_t at = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        series += name.substr(at, runs[i].begin - at);
        at = runs[i].end;
        if (kinds[i] == NumberKind::Other) {
            series += name.substr(runs[i].begin, at - runs[i].begin);
            continue;
        }
        if (kinds[i] == NumberKind::Metric && series.ends_with("=-")) {
            series.pop_back(); // a negative loss
        }
        series += '#';
    }
    return series += name.substr(at);
}

} // namespace cairn
