// SPDX-License-Identifier: Apache-2.0
#include "core/runs/table/run_explain.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <tuple>

namespace cairn {
namespace {

constexpr std::size_t kMostExact = 8; // 8! = 40,320 permutations
constexpr std::size_t kFewestRandom = 999;
constexpr double kMostOperations = 5e7; // for all settings together
constexpr std::size_t kNotTested = static_cast<std::size_t>(-1);
constexpr double kRounding = 1e-12; // equal effects that differ by rounding

/// Ranks from 1; equal values get the mean of their ranks.
std::vector<double> ranksOf(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> ranks(values.size());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i;
        while (end < order.size() && values[order[end]] == values[order[i]]) {
            ++end;
        }
        for (std::size_t k = i; k < end; ++k) {
            ranks[order[k]] = (static_cast<double>(i + end) + 1) / 2;
        }
        i = end;
    }
    return ranks;
}

void center(std::vector<double>& ranks) {
    const double mean = (static_cast<double>(ranks.size()) + 1) / 2;
    for (double& rank : ranks) {
        rank -= mean;
    }
}

double squares(const std::vector<double>& values) {
    return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

/// The share of variance beyond what a random setting accounts for on average.
double adjustedForChance(double share, double chance) {
    return chance < 1 ? std::max(0.0, (share - chance) / (1 - chance)) : 0.0;
}

/// A setting prepared for many permutations of the metric's centered ranks.
class Separation {
public:
    /// `groups`: of each run, the number of its value. `numbers`: empty if not numeric.
    Separation(std::vector<std::uint32_t> groups, const std::vector<double>& numbers)
        : m_groups(std::move(groups)) {
        for (const std::uint32_t group : m_groups) {
            m_sizes.resize(std::max<std::size_t>(m_sizes.size(), group + 1U));
            ++m_sizes[group];
        }
        m_sums.resize(m_sizes.size());
        if (!numbers.empty()) {
            m_ranks = ranksOf(numbers);
            center(m_ranks);
            m_square = squares(m_ranks);
        }
    }

    struct Found {
        RankStatistic statistic = RankStatistic::KruskalWallis;
        double value = 0;
        double effect = 0;
    };

    /// `ranks`: centered; `square`: the sum of their squares, not 0.
    Found of(const std::vector<double>& ranks, double square) {
        const auto n = static_cast<double>(ranks.size());
        std::ranges::fill(m_sums, 0.0);
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            m_sums[m_groups[i]] += ranks[i];
        }
        double between = 0;
        for (std::size_t group = 0; group < m_sums.size(); ++group) {
            between += m_sums[group] * m_sums[group] / static_cast<double>(m_sizes[group]);
        }
        const double epsilon = std::min(1.0, between / square);
        const double chance = static_cast<double>(m_sizes.size() - 1) / (n - 1);
        Found found{RankStatistic::KruskalWallis, epsilon, adjustedForChance(epsilon, chance)};
        if (m_square > 0) {
            const double product =
                std::inner_product(ranks.begin(), ranks.end(), m_ranks.begin(), 0.0);
            const double rho =
                std::clamp(product / std::sqrt(square) / std::sqrt(m_square), -1.0, 1.0);
            const double effect = adjustedForChance(rho * rho, 1 / (n - 1));
            if (effect >= found.effect - kRounding) {
                found = {RankStatistic::Spearman, rho, effect};
            }
        }
        return found;
    }

    [[nodiscard]] std::size_t values() const { return m_sizes.size(); }

private:
    std::vector<std::uint32_t> m_groups;
    std::vector<std::size_t> m_sizes;
    std::vector<double> m_sums;
    std::vector<double> m_ranks; ///< of the numbers, centered
    double m_square = 0;
};

/// The same numbers on every platform, unlike std::shuffle().
void shuffle(std::vector<double>& values, std::mt19937_64& random) {
    for (std::size_t i = values.size(); i > 1; --i) {
        const std::uint64_t limit = std::mt19937_64::max() - std::mt19937_64::max() % i;
        std::uint64_t drawn = random();
        while (drawn >= limit) {
            drawn = random();
        }
        std::swap(values[i - 1], values[drawn % i]);
    }
}

/// The runs that a setting's statistic is about.
struct Sample {
    std::vector<std::uint32_t> groups;
    std::vector<double> numbers;
    std::vector<double> outcomes;
};

Sample sampleOf(const GridSetting& setting, std::span<const std::uint32_t> rows,
                const std::vector<double>& outcomes) {
    std::vector<std::uint32_t> present;
    for (const std::uint32_t row : rows) {
        const std::uint32_t value = setting.ofRow[row];
        if (value != GridSetting::kNoValue && std::ranges::find(present, value) == present.end()) {
            present.push_back(value);
        }
    }
    const bool byNumber =
        present.size() > 1 && std::ranges::all_of(present, [&](std::uint32_t v) {
            return setting.values[v].number && !std::isnan(*setting.values[v].number);
        });
    Sample sample;
    std::vector<std::uint32_t> number(setting.values.size() + 1, GridSetting::kNoValue);
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::uint32_t value = setting.ofRow[rows[i]];
        if (value == GridSetting::kNoValue && byNumber) {
            continue;
        }
        const std::size_t place = value == GridSetting::kNoValue ? setting.values.size() : value;
        if (number[place] == GridSetting::kNoValue) {
            number[place] = count++;
        }
        sample.groups.push_back(number[place]);
        sample.outcomes.push_back(outcomes[i]);
        if (byNumber) {
            sample.numbers.push_back(*setting.values[value].number);
        }
    }
    return sample;
}

/// What two settings have in common if no statistic can tell them apart.
using SampleKey = std::tuple<std::vector<bool>, std::vector<std::uint32_t>, std::vector<double>>;

SampleKey keyOf(const GridSetting& setting, std::span<const std::uint32_t> rows,
                const Sample& sample) {
    std::vector<bool> left; // the runs that are left out
    for (const std::uint32_t row : rows) {
        left.push_back(!sample.numbers.empty() && setting.ofRow[row] == GridSetting::kNoValue);
    }
    std::vector<double> ranks = ranksOf(sample.numbers);
    std::vector<double> reversed; // "more" and "less" are the same separation
    for (const double rank : ranks) {
        reversed.push_back(static_cast<double>(ranks.size()) + 1 - rank);
    }
    return {std::move(left), sample.groups, std::min(ranks, reversed)};
}

class Permutations {
public:
    Permutations(std::size_t random, std::uint64_t seed) : m_random(random), m_seed(seed) {}

    Result<void> test(SettingEffect& effect, Separation& separation, std::vector<double> ranks,
                      double square, const CancelToken& cancel) const {
        effect.exact = ranks.size() <= kMostExact;
        std::size_t least = effect.exact ? 0 : 1; // the observed order is one of the random ones
        std::size_t done = least;
        std::mt19937_64 random(m_seed);
        if (effect.exact) {
            std::ranges::sort(ranks);
        }
        const auto count = [&] {
            least += separation.of(ranks, square).effect >= effect.effect - kRounding ? 1U : 0U;
            ++done;
        };
        if (effect.exact) { // equal ranks: each different order is equally likely
            do {
                count();
            } while (std::ranges::next_permutation(ranks).found);
        } else {
            for (std::size_t i = 0; i < m_random; ++i) {
                if (i % 256 == 0) {
                    CAIRN_CHECK(cancel.check());
                }
                shuffle(ranks, random);
                count();
            }
        }
        effect.p = static_cast<double>(least) / static_cast<double>(done);
        effect.permutations = effect.exact ? done : done - 1;
        return {};
    }

private:
    std::size_t m_random;
    std::uint64_t m_seed;
};

std::vector<std::size_t> settingsToTest(const RunGrid& grid) {
    std::vector<std::size_t> settings;
    for (std::size_t i = 0; i < grid.differing(); ++i) {
        if (!grid.settings()[i].isIdentity) {
            settings.push_back(i);
        }
    }
    return settings;
}

std::size_t randomCount(std::size_t runs, std::size_t settings, std::size_t wanted) {
    const double each =
        kMostOperations / static_cast<double>(std::max<std::size_t>(1, runs * settings));
    const auto affordable = static_cast<std::size_t>(std::min(each, 1e9));
    return std::min(wanted, std::max(kFewestRandom, affordable));
}

} // namespace

std::string_view rankStatisticName(RankStatistic statistic) {
    return statistic == RankStatistic::Spearman ? "spearman" : "kruskal-wallis";
}

Result<MetricExplanation> explainColumn(const RunGrid& grid, std::span<const std::uint32_t> rows,
                                        GridColumn column, const ExplainOptions& options,
                                        const CancelToken& cancel) {
    MetricExplanation result;
    result.column = column;
    std::vector<std::uint32_t> known;
    std::vector<double> outcomes;
    for (const std::uint32_t row : rows) {
        const auto value = grid.number(row, column);
        if (value && !std::isnan(*value)) {
            known.push_back(row);
            outcomes.push_back(*value);
        }
    }
    result.runs = known.size();
    result.missing = rows.size() - known.size();
    const std::vector<std::size_t> settings = settingsToTest(grid);
    const Permutations permutations(
        randomCount(known.size(), settings.size(), options.permutations), options.seed);
    std::map<SampleKey, std::size_t> seen; // index into result.settings
    for (const std::size_t index : settings) {
        CAIRN_CHECK(cancel.check());
        Sample sample = sampleOf(grid.settings()[index], known, outcomes);
        const auto [same, isNew] =
            seen.emplace(keyOf(grid.settings()[index], known, sample), result.settings.size());
        if (!isNew) {
            if (same->second < result.settings.size()) {
                result.settings[same->second].alike.push_back(index);
            }
            continue;
        }
        std::vector<double> ranks = ranksOf(sample.outcomes);
        center(ranks);
        const double square = squares(ranks);
        Separation separation(std::move(sample.groups), sample.numbers);
        constexpr std::size_t kFewest = 3;
        if (ranks.size() < kFewest || separation.values() < 2 || square == 0) {
            same->second = kNotTested;
            continue;
        }
        const Separation::Found found = separation.of(ranks, square);
        SettingEffect effect;
        effect.setting = index;
        effect.statistic = found.statistic;
        effect.value = found.value;
        effect.effect = found.effect;
        effect.n = ranks.size();
        effect.values = separation.values();
        CAIRN_CHECK(permutations.test(effect, separation, std::move(ranks), square, cancel));
        result.settings.push_back(std::move(effect));
    }
    std::ranges::stable_sort(result.settings, [](const auto& a, const auto& b) {
        return a.p != b.p ? a.p < b.p : a.effect > b.effect;
    });
    return result;
}

} // namespace cairn
