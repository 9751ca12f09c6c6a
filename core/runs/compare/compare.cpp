// SPDX-License-Identifier: Apache-2.0
#include "core/runs/compare/compare.h"

#include "core/runs/compare/compare_summary.h"
#include "core/runs/run_counts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace cairn {
namespace {

bool isSelected(const std::string& name, const std::vector<Glob>& globs) {
    return globs.empty() ||
           std::ranges::any_of(globs, [&](const Glob& glob) { return glob.matches(name); });
}

std::uint32_t indexOf(const RunHistory& history, const MetricSeries& series) {
    return static_cast<std::uint32_t>(&series - history.series.data());
}

struct NamePair {
    std::string left;
    std::string right;
    NameMatch match = NameMatch::Equal;
};

/// Pairs the names of two runs, the best match first.
class NamePairs {
public:
    NamePairs(std::vector<std::string> left, std::vector<std::string> right)
        : m_left(std::move(left)), m_right(std::move(right)) {}

    void pairBy(NameMatch match, std::string (*key)(std::string_view)) {
        const auto left = openBy(m_left, key);
        const auto right = openBy(m_right, key);
        for (const auto& [text, name] : left) {
            const auto other = right.find(text);
            if (name && other != right.end() && other->second) {
                m_pairs.emplace(*name, NamePair{*name, *other->second, match});
                m_taken.insert(*other->second);
            }
        }
    }
    /// In the order of the left run's names.
    [[nodiscard]] std::vector<NamePair> pairs() const {
        std::vector<NamePair> all;
        for (const std::string& name : m_left) {
            if (const auto pair = m_pairs.find(name); pair != m_pairs.end()) {
                all.push_back(pair->second);
            }
        }
        return all;
    }
    [[nodiscard]] std::vector<std::string> onlyLeft() const {
        return without(m_left, [this](const std::string& name) { return m_pairs.contains(name); });
    }
    [[nodiscard]] std::vector<std::string> onlyRight() const {
        return without(m_right, [this](const std::string& name) { return m_taken.contains(name); });
    }

private:
    template <class IsGone>
    static std::vector<std::string> without(std::vector<std::string> names, const IsGone& isGone) {
        std::erase_if(names, isGone);
        return names;
    }

    /// The name that is not paired yet, by key; none where two names of the run have the key, of
    /// which one may be paired: which of them is meant is not known.
    [[nodiscard]] std::map<std::string, std::optional<std::string>>
    openBy(const std::vector<std::string>& names, std::string (*key)(std::string_view)) const {
        std::map<std::string, std::optional<std::string>> open;
        for (const std::string& name : names) {
            const bool isPaired = m_pairs.contains(name) || m_taken.contains(name);
            const auto [at, isNew] = open.emplace(key(name), name);
            if (!isNew || isPaired) {
                at->second.reset();
            }
        }
        return open;
    }

    std::vector<std::string> m_left;
    std::vector<std::string> m_right;
    std::map<std::string, NamePair> m_pairs; ///< by the left run's name
    std::set<std::string> m_taken;           ///< the right run's names
};

struct Placed {
    Number position;
    std::size_t index = 0;
};

/// One checkpoint for each position, the most complete one.
std::vector<Placed> placedOf(const ScannedRun& run, bool bySteps) {
    std::map<Number, std::size_t> at;
    const auto rank = [&](std::size_t i) {
        const ScannedCheckpoint& each = run.checkpoints[i];
        const bool broken = each.state == CheckpointState::Damaged ||
                            each.state == CheckpointState::Incomplete ||
                            each.state == CheckpointState::BeingWritten;
        return std::tuple(each.state == CheckpointState::Complete, !broken,
                          !each.hasRecordedPosition());
    };
    const RunSaves saves(run);
    for (std::size_t i = 0; i < run.checkpoints.size(); ++i) {
        const ScannedCheckpoint& each = run.checkpoints[i];
        std::optional<Number> position;
        if (bySteps && each.step) {
            position = *each.step;
        } else if (!bySteps && each.epoch) {
            position = *each.epoch;
        }
        if (!saves.has(each) || !position || position->isNothing()) {
            continue;
        }
        const auto [known, isNew] = at.emplace(*position, i);
        if (!isNew && rank(i) > rank(known->second)) {
            known->second = i;
        }
    }
    std::vector<Placed> placed;
    for (const auto& [position, index] : at) {
        placed.push_back({position, index});
    }
    return placed;
}

double smallestInterval(const std::vector<Placed>& placed) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < placed.size(); ++i) {
        least = std::min(least, placed[i].position - placed[i - 1].position);
    }
    return least;
}

class Pairing {
public:
    Pairing(const ScannedRun& left, const ScannedRun& right) : m_left(left), m_right(right) {
        const auto hasSteps = [](const ScannedRun& run) {
            const RunSaves saves(run);
            return std::ranges::any_of(run.checkpoints, [&](const ScannedCheckpoint& each) {
                return each.step && saves.has(each);
            });
        };
        const bool bySteps = hasSteps(left) && hasSteps(right);
        m_a = placedOf(left, bySteps);
        m_b = placedOf(right, bySteps);
        m_partner.assign(m_a.size(), kNone);
        m_taken.assign(m_b.size(), false);
    }

    std::vector<CheckpointPair> run() {
        pairExact();
        pairNearest();
        std::vector<std::pair<Number, CheckpointPair>> pairs;
        for (std::size_t i = 0; i < m_a.size(); ++i) {
            pairs.emplace_back(m_a[i].position, pairOf(i));
        }
        for (std::size_t i = 0; i < m_b.size(); ++i) {
            if (!m_taken[i]) {
                CheckpointPair alone;
                alone.right = m_b[i].index;
                place(alone, m_right.checkpoints[m_b[i].index]);
                pairs.emplace_back(m_b[i].position, alone);
            }
        }
        std::ranges::stable_sort(pairs, {}, [](const auto& pair) { return pair.first; });
        std::vector<CheckpointPair> result;
        for (auto& [position, pair] : pairs) {
            result.push_back(pair);
        }
        return result;
    }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    void pairExact() {
        for (std::size_t l = 0, r = 0; l < m_a.size() && r < m_b.size();) {
            if (m_a[l].position == m_b[r].position) {
                m_partner[l] = r;
                m_taken[r] = true;
                ++l;
                ++r;
            } else {
                m_a[l].position < m_b[r].position ? ++l : ++r;
            }
        }
    }

    /// Closest pairs first, so that no checkpoint takes a partner from a closer one.
    void pairNearest() {
        const double reach = std::min(smallestInterval(m_a), smallestInterval(m_b)) / 2;
        struct Near {
            double distance;
            std::size_t left;
            std::size_t right;
        };
        std::vector<Near> near;
        for (std::size_t l = 0; l < m_a.size(); ++l) {
            const auto after =
                std::ranges::lower_bound(m_b, m_a[l].position, {}, &Placed::position);
            const auto offer = [&](std::size_t r) {
                const double distance = std::abs(m_b[r].position - m_a[l].position);
                if (m_partner[l] == kNone && !m_taken[r] && std::isfinite(reach) &&
                    distance <= reach) {
                    near.push_back({distance, l, r});
                }
            };
            const auto at = static_cast<std::size_t>(after - m_b.begin());
            if (at < m_b.size()) {
                offer(at);
            }
            if (at > 0) {
                offer(at - 1);
            }
        }
        std::ranges::stable_sort(near, {}, &Near::distance);
        for (const Near& each : near) {
            if (m_partner[each.left] == kNone && !m_taken[each.right]) {
                m_partner[each.left] = each.right;
                m_taken[each.right] = true;
            }
        }
    }

    CheckpointPair pairOf(std::size_t i) const {
        CheckpointPair pair;
        pair.left = m_a[i].index;
        place(pair, m_left.checkpoints[m_a[i].index]);
        if (m_partner[i] != kNone) {
            pair.right = m_b[m_partner[i]].index;
            pair.exact = m_b[m_partner[i]].position == m_a[i].position;
        }
        return pair;
    }

    static void place(CheckpointPair& pair, const ScannedCheckpoint& checkpoint) {
        pair.step = checkpoint.step;
        pair.epoch = checkpoint.epoch;
    }

    const ScannedRun& m_left;
    const ScannedRun& m_right;
    std::vector<Placed> m_a;
    std::vector<Placed> m_b;
    std::vector<std::size_t> m_partner;
    std::vector<bool> m_taken;
};

} // namespace

std::string_view nameMatchName(NameMatch match) {
    switch (match) {
    case NameMatch::Spelling:
        return "spelling";
    case NameMatch::Meaning:
        return "meaning";
    case NameMatch::Equal:
        break;
    }
    return "equal";
}

std::string shownName(const MetricComparison& metric) {
    return metric.match == NameMatch::Meaning ? metric.left.name + " | " + metric.right.name
                                              : metric.name;
}

std::vector<CheckpointPair> pairCheckpoints(const ScannedRun& left, const ScannedRun& right) {
    return Pairing(left, right).run();
}

RunComparison compareRuns(const RunHistory& left, const RunHistory& right,
                          const ScannedRun* leftRun, const ScannedRun* rightRun,
                          const CompareOptions& options) {
    RunComparison result;
    const auto wanted = [&](const RunHistory& history) {
        std::vector<std::string> names = history.names();
        std::erase_if(names,
                      [&](const std::string& name) { return !isSelected(name, options.metrics); });
        return names;
    };
    NamePairs paired(wanted(left), wanted(right));
    paired.pairBy(NameMatch::Equal, [](std::string_view name) { return std::string(name); });
    paired.pairBy(NameMatch::Spelling, plainMetricName);
    if (options.byMeaning) {
        paired.pairBy(NameMatch::Meaning, names::meaningOf);
    }
    result.onlyLeft = paired.onlyLeft();
    result.onlyRight = paired.onlyRight();
    for (const NamePair& pair : paired.pairs()) {
        const MetricSeries* a = left.primary(pair.left);
        const MetricSeries* b = right.primary(pair.right);
        if (a == nullptr || b == nullptr) {
            continue;
        }
        // What one run records applies to both; if they record different ones, neither is better.
        auto claims = left.directionClaims(pair.left);
        std::ranges::move(right.directionClaims(pair.right), std::back_inserter(claims));
        const auto better = decide(std::move(claims)).value.value_or(names::Direction::Unknown);
        MetricComparison metric = compareCurves(*a, *b, options, better);
        metric.match = pair.match;
        metric.left.series = indexOf(left, *a);
        metric.right.series = indexOf(right, *b);
        result.metrics.push_back(std::move(metric));
    }
    if (const MetricComparison* deciding = decidingMetric(result, leftRun, rightRun)) {
        const auto at = result.metrics.begin() + (deciding - result.metrics.data());
        std::rotate(result.metrics.begin(), at, at + 1);
    }
    result.settings = compareSettings(left.settings, right.settings, options);
    static const ScannedRun kNone;
    result.checkpoints = pairCheckpoints(leftRun != nullptr ? *leftRun : kNone,
                                         rightRun != nullptr ? *rightRun : kNone);
    return result;
}

} // namespace cairn
