// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/repeated_curves.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace cairn {
namespace {

class RepeatedCurves {
public:
    RepeatedCurves(const RunHistory& history, const SourceChains& chains)
        : m_history(history), m_chains(chains) {}

    /// The number of curves that were removed. `series`: sorted by name.
    std::size_t eraseFrom(std::vector<MetricSeries>& series) {
        eachPair(series, [&](const MetricSeries& a, const MetricSeries& b) {
            const auto [known, isNew] = m_areEqual.emplace(keyOf(a, b), true);
            const bool isLess = a.size() < b.size();
            known->second = known->second && contains(isLess ? b : a, isLess ? a : b);
        });
        std::set<const MetricSeries*> repeated;
        eachPair(series, [&](const MetricSeries& a, const MetricSeries& b) {
            if (m_areEqual.at(keyOf(a, b)) && !repeated.contains(&a) && !repeated.contains(&b)) {
                const std::size_t pointsOfA = a.size() + a.replaced.size();
                const std::size_t pointsOfB = b.size() + b.replaced.size();
                const bool keepsSecond = pointsOfA < pointsOfB ||
                                         (pointsOfA == pointsOfB && isRounded(a) && !isRounded(b));
                repeated.insert(keepsSecond ? &a : &b);
            }
        });
        std::vector<MetricSeries> kept;
        for (MetricSeries& each : series) {
            if (!repeated.contains(&each)) {
                kept.push_back(std::move(each));
            }
        }
        series = std::move(kept);
        return repeated.size();
    }

private:
    using Key = std::pair<std::size_t, std::size_t>; ///< two chains

    [[nodiscard]] Key keyOf(const MetricSeries& a, const MetricSeries& b) const {
        return {m_chains.placeOf(a.source).first, m_chains.placeOf(b.source).first};
    }

    /// Calls use() for curves of one name and unit by different writers in one folder, or in one
    /// below it (Stable-Baselines3's "PPO_1").
    template <class Use> void eachPair(const std::vector<MetricSeries>& series, Use&& use) const {
        for (std::size_t i = 0; i < series.size(); ++i) {
            for (std::size_t j = i + 1; j < series.size() && series[j].name == series[i].name;
                 ++j) {
                const auto& a = m_history.sources[series[i].source];
                const auto& b = m_history.sources[series[j].source];
                if (series[i].stepsFrom == series[j].stepsFrom && a.kind != b.kind &&
                    (isIn(a.path, b.path.parent_path()) || isIn(b.path, a.path.parent_path()))) {
                    use(series[i], series[j]);
                }
            }
        }
    }

    /// Directly or in folders below it.
    static bool isIn(const std::filesystem::path& file, const std::filesystem::path& folder) {
        const std::filesystem::path below = file.lexically_relative(folder);
        return !below.empty() && *below.begin() != "..";
    }

    static bool isRounded(const MetricSeries& series) {
        return std::ranges::all_of(series.values, [](double value) {
            return std::isnan(value) || static_cast<double>(static_cast<float>(value)) == value;
        });
    }

    /// All points, which may be rounded to 32 bits (TensorBoard).
    static bool contains(const MetricSeries& all, const MetricSeries& part) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < part.size(); ++i) {
            while (at < all.size() && all.steps[at] < part.steps[i]) {
                ++at;
            }
            const bool isThere = at < all.size() && all.steps[at] == part.steps[i];
            if (!isThere || !isSame(all.values[at], part.values[i])) {
                return false;
            }
        }
        return true;
    }

    static bool isSame(double a, double b) {
        return (std::isnan(a) && std::isnan(b)) || static_cast<float>(a) == static_cast<float>(b);
    }

    const RunHistory& m_history;
    const SourceChains& m_chains;
    std::map<Key, bool> m_areEqual; ///< in all curves that both have
};

} // namespace

void dropRepeatedCurves(RunHistory& history, const SourceChains& chains,
                        const std::filesystem::path& run) {
    const std::size_t count = RepeatedCurves(history, chains).eraseFrom(history.series);
    if (count > 0) {
        history.warnings.push_back(
            {Severity::Info,
             fail(ErrorCode::HistoryConflict,
                  "Files of one folder contain the same curves, which are shown once")
                 .inFile(run.string())
                 .butFound(sentence("%1 repeated curves", count))});
    }
}

} // namespace cairn
