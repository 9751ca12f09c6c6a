// SPDX-License-Identifier: Apache-2.0
//
// NumPy's algorithms, so that results agree to the last bit for the same order of values:
// numpy/_core/src/umath/loops_utils.h.src (pairwise sum), numpy/_core/_methods.py (_mean, _var),
// numpy/lib/_function_base_impl.py (_quantile, _lerp, median).
#include "core/runs/table/run_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr auto kNames =
    std::to_array<std::string_view>({"mean", "std", "sem", "min", "max", "median", "q25", "q75"});
static_assert(kNames.size() == kAggregates);

constexpr std::size_t kBlock = 128;
constexpr std::size_t kLanes = 8;

double pairwiseSum(std::span<const double> values) {
    const std::size_t n = values.size();
    if (n < kLanes) {
        double sum = -0.0;
        for (const double value : values) {
            sum += value;
        }
        return sum;
    }
    if (n > kBlock) {
        const std::size_t half = n / 2 - n / 2 % kLanes;
        return pairwiseSum(values.first(half)) + pairwiseSum(values.subspan(half));
    }
    std::array<double, kLanes> r{};
    std::copy_n(values.begin(), kLanes, r.begin());
    std::size_t i = kLanes;
    for (; i < n - n % kLanes; i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            r[lane] += values[i + lane];
        }
    }
    double sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (; i < n; ++i) {
        sum += values[i];
    }
    return sum;
}

/// REQUIRES: sorted, not empty.
double quantile(std::span<const double> sorted, double part) {
    const double at = static_cast<double>(sorted.size() - 1) * part;
    const double floor = std::floor(at);
    const auto index = static_cast<std::size_t>(floor);
    const double a = sorted[index];
    const double b = sorted[std::min(index + 1, sorted.size() - 1)];
    const double t = at - floor;
    if (a == b || t == 0) { // also equal infinities
        return a;
    }
    if (std::isinf(a) || std::isinf(b)) { // NumPy: NaN, from the difference of infinities
        return std::isinf(a) && std::isinf(b) ? kNone : std::isinf(a) ? a : b;
    }
    const double difference = b - a;
    return t >= 0.5 ? b - difference * (1 - t) : a + difference * t;
}

double median(std::span<const double> sorted) {
    const std::size_t half = sorted.size() / 2;
    if (sorted.size() % 2 == 1 || sorted[half - 1] == sorted[half]) {
        return sorted[half];
    }
    return (sorted[half - 1] + sorted[half]) / 2;
}

double deviation(std::span<const double> values, double mean, std::vector<double>& scratch) {
    scratch.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        scratch[i] = values[i] - mean;
    }
    for (double& each : scratch) { // a loop of its own: no fused multiplication and addition
        each *= each;
    }
    return std::sqrt(pairwiseSum(scratch) / static_cast<double>(values.size() - 1));
}

bool needsOrder(AggregateSet wanted) {
    return wanted.has(Aggregate::Median) || wanted.has(Aggregate::Q25) ||
           wanted.has(Aggregate::Q75);
}

} // namespace

std::string_view aggregateName(Aggregate aggregate) {
    return kNames[static_cast<std::size_t>(aggregate)];
}

std::optional<Aggregate> aggregateNamed(std::string_view name) {
    const auto found = std::ranges::find(kNames, name);
    return found != kNames.end() ? std::optional(static_cast<Aggregate>(found - kNames.begin()))
                                 : std::nullopt;
}

Figures figuresInPlace(std::span<double> values, AggregateSet wanted,
                       std::vector<double>& scratch) {
    Figures figures;
    figures.values.fill(kNone);
    figures.n = static_cast<std::uint32_t>(values.size());
    if (values.empty()) {
        return figures;
    }
    const auto set = [&](Aggregate each, double value) {
        figures.values[static_cast<std::size_t>(each)] = value;
    };
    const auto count = static_cast<double>(values.size());
    const bool spread = wanted.has(Aggregate::Std) || wanted.has(Aggregate::Sem);
    if (wanted.has(Aggregate::Mean) || spread) {
        const double mean = pairwiseSum(values) / count;
        if (wanted.has(Aggregate::Mean)) {
            set(Aggregate::Mean, mean);
        }
        if (spread && values.size() > 1) {
            const double std = deviation(values, mean, scratch);
            if (wanted.has(Aggregate::Std)) {
                set(Aggregate::Std, std);
            }
            if (wanted.has(Aggregate::Sem)) {
                set(Aggregate::Sem, std / std::sqrt(count));
            }
        }
    }
    if (wanted.has(Aggregate::Min)) {
        set(Aggregate::Min, *std::ranges::min_element(values));
    }
    if (wanted.has(Aggregate::Max)) {
        set(Aggregate::Max, *std::ranges::max_element(values));
    }
    if (needsOrder(wanted)) { // last: the sums depend on the order of the values
        std::ranges::sort(values);
        if (wanted.has(Aggregate::Median)) {
            set(Aggregate::Median, median(values));
        }
        if (wanted.has(Aggregate::Q25)) {
            set(Aggregate::Q25, quantile(values, 0.25));
        }
        if (wanted.has(Aggregate::Q75)) {
            set(Aggregate::Q75, quantile(values, 0.75));
        }
    }
    return figures;
}

Figures figuresOf(std::span<const double> values, AggregateSet wanted) {
    std::vector<double> known;
    known.reserve(values.size());
    std::ranges::copy_if(values, std::back_inserter(known),
                         [](double value) { return !std::isnan(value); });
    std::vector<double> scratch;
    Figures figures = figuresInPlace(known, wanted, scratch);
    figures.nan = static_cast<std::uint32_t>(values.size() - known.size());
    return figures;
}

} // namespace cairn
