// SPDX-License-Identifier: Apache-2.0
//
// First the sources, once: which are of one training (a chain), and in which order they were
// written (source_chains.h). Then each metric: its pieces of one chain one after the other, as one
// writing.
#include "core/runs/history/join_series.h"

#include "core/runs/history/repeated_curves.h"
#include "core/runs/history/source_chains.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace cairn {
namespace {

/// All pieces of one metric in one chain, in sequence.
class Writing {
public:
    Writing(const RunHistory& history, const SourceChains& chains)
        : m_history(history), m_chains(chains) {}

    void add(MetricSeries&& piece) {
        if (m_all.values.empty()) {
            m_all = std::move(piece);
            m_of.assign(m_all.size(), m_all.source);
            return;
        }
        const std::size_t before = m_all.size();
        const auto append = [&](std::vector<double>& to, const std::vector<double>& more) {
            if (to.empty() && more.empty()) {
                return;
            }
            to.resize(before, std::nan(""));
            to.insert(to.end(), more.begin(), more.end());
            to.resize(before + piece.size(), std::nan(""));
        };
        const auto appendRests = [&](Column<std::int16_t>& to, const Column<std::int16_t>& more) {
            if (to.empty() && more.empty()) {
                return;
            }
            std::vector<std::int16_t>& all = to.edit();
            all.resize(before);
            all.insert(all.end(), more.begin(), more.end());
            all.resize(before + piece.size());
        };
        appendRests(m_all.stepRests, piece.stepRests);
        appendRests(m_all.valueRests, piece.valueRests);
        append(m_all.epochs.edit(), piece.epochs);
        append(m_all.wall.edit(), piece.wall);
        append(m_all.steps.edit(), piece.steps);
        append(m_all.values.edit(), piece.values);
        m_all.source = piece.source;
        m_all.stepsStrength = std::min(m_all.stepsStrength, piece.stepsStrength);
        m_all.stepsKey = m_all.stepsKey == piece.stepsKey ? m_all.stepsKey : std::string_view();
        m_starts.push_back(before);
        m_of.resize(m_all.size(), piece.source);
    }

    MetricSeries finish() {
        purge();
        bool inOrder = std::ranges::find(m_purged, true) == m_purged.end();
        for (std::size_t i = 1; inOrder && i < m_all.steps.size(); ++i) {
            inOrder = m_all.stepAt(i - 1) < m_all.stepAt(i);
        }
        if (!inOrder) {
            settle();
        }
        const bool several = std::ranges::adjacent_find(m_of, std::not_equal_to<>()) != m_of.end();
        m_all.from = several ? std::move(m_of) : std::vector<std::uint32_t>();
        return std::move(m_all);
    }

private:
    /// A later file of the training may invalidate points of earlier ones, even if it does not
    /// contain this metric.
    void purge() {
        m_purged.assign(m_all.size(), false);
        for (const std::uint32_t later : m_chains.sourcesWith(m_all.source)) {
            const auto& from = m_history.sources[later].purgesFrom;
            for (std::size_t i = 0; from && i < m_of.size(); ++i) {
                const bool before = m_chains.placeOf(m_of[i]) < m_chains.placeOf(later);
                m_purged[i] = m_purged[i] || (before && m_all.stepAt(i) >= *from);
            }
        }
    }

    void settle() {
        std::vector<std::size_t> order(m_all.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { // points without a step come last
            const Number step = m_all.stepAt(i);
            return std::isnan(step.nearest) ? std::pair(true, Number{}) : std::pair(false, step);
        });
        std::vector<bool> isRestart(m_all.size(), false);
        for (const std::size_t at : restartsOf(m_all)) {
            isRestart[at] = true;
        }
        for (const std::size_t at : m_starts) { // the same step in another file is logged again
            isRestart[at] = isRestart[at] || m_all.stepAt(at) <= m_all.stepAt(at - 1);
        }
        std::vector<std::uint32_t> attempts(m_all.size());
        for (std::size_t i = 1; i < attempts.size(); ++i) {
            // A step that is repeated with another value may be the first row after a restart.
            const bool mayBeRestart =
                m_all.stepAt(i) == m_all.stepAt(i - 1) && m_all.values[i] != m_all.values[i - 1];
            attempts[i] = attempts[i - 1] + (isRestart[i] || mayBeRestart ? 1U : 0U);
        }
        MetricSeries joined;
        joined.name = m_all.name;
        joined.source = m_all.source;
        joined.stepsFrom = m_all.stepsFrom;
        joined.stepsStrength = m_all.stepsStrength;
        joined.stepsKey = m_all.stepsKey;
        std::vector<std::uint32_t> of;
        for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
            std::size_t counts = order.size(); // the last valid point of this step
            bool restarted = false;
            const Number step = m_all.stepAt(order[begin]);
            for (end = begin;
                 end < order.size() && (end == begin || m_all.stepAt(order[end]) == step); ++end) {
                counts = m_purged[order[end]] ? counts : end;
                restarted = restarted || isRestart[order[end]];
            }
            for (std::size_t k = begin; k < end; ++k) {
                if (k != counts) {
                    joined.replaced.steps.push_back(m_all.steps[order[k]]);
                    joined.replaced.values.push_back(m_all.values[order[k]]);
                    joined.replaced.sources.push_back(m_of[order[k]]);
                    joined.replaced.attempts.push_back(attempts[order[k]]);
                    appendRests(joined.replaced.stepRests, joined.replaced.valueRests, order[k]);
                }
            }
            if (counts < order.size()) {
                if (restarted) {
                    joined.restarts.push_back(joined.size());
                }
                joined.attempts.push_back(attempts[order[counts]]);
                append(joined, order[counts]);
                of.push_back(m_of[order[counts]]);
            }
        }
        m_all = std::move(joined);
        m_of = std::move(of);
    }

    void appendRests(Column<std::int16_t>& steps, Column<std::int16_t>& values,
                     std::size_t i) const {
        if (!m_all.stepRests.empty()) {
            steps.push_back(m_all.stepRests[i]);
        }
        if (!m_all.valueRests.empty()) {
            values.push_back(m_all.valueRests[i]);
        }
    }

    void append(MetricSeries& to, std::size_t i) const {
        appendRests(to.stepRests, to.valueRests, i);
        to.steps.push_back(m_all.steps[i]);
        to.values.push_back(m_all.values[i]);
        if (!m_all.epochs.empty()) {
            to.epochs.push_back(m_all.epochs[i]);
        }
        if (!m_all.wall.empty()) {
            to.wall.push_back(m_all.wall[i]);
        }
    }

    const RunHistory& m_history;
    const SourceChains& m_chains;
    MetricSeries m_all;
    std::vector<std::uint32_t> m_of; ///< source of each point
    std::vector<bool> m_purged;
    std::vector<std::size_t> m_starts; ///< first points of later pieces
};

/// Distinguishes curves of training and validation data with the same name.
void nameParts(RunHistory& history, const SourceChains& chains) {
    const auto sameName = [](const MetricSeries& a, const MetricSeries& b) {
        return a.name == b.name;
    };
    for (auto begin = history.series.begin(); begin != history.series.end();) {
        auto end = std::ranges::find_if(begin, history.series.end(), [&](const MetricSeries& each) {
            return !sameName(*begin, each);
        });
        std::set<std::string_view> parts;
        for (auto each = begin; each != end; ++each) {
            parts.insert(chains.partOf(each->source));
        }
        parts.erase("");
        for (; parts.size() > 1 && begin != end; ++begin) {
            const std::string& part = chains.partOf(begin->source);
            const bool isHeldOut = names::splitOf(part) == names::Split::HeldOut;
            begin->name = isHeldOut ? part + "/" + begin->name : begin->name;
        }
        begin = end;
    }
}

bool seriesLess(const MetricSeries& a, const MetricSeries& b) {
    return a.name != b.name ? metricNameLess(a.name, b.name) : a.source < b.source;
}

void sortSeries(std::vector<MetricSeries>& series) {
    if (!std::ranges::is_sorted(
            series, seriesLess)) { // readers sort their series; usually there is one source
        std::ranges::stable_sort(series, seriesLess);
    }
}

void noteReplaced(RunHistory& history, const std::filesystem::path& run) {
    std::size_t points = 0;
    for (const MetricSeries& series : history.series) {
        points += series.replaced.size();
    }
    if (points > 0) {
        history.warnings.push_back(
            {Severity::Info,
             fail(ErrorCode::HistoryConflict,
                  "Steps were logged more than once, as after a restart; the last values are shown")
                 .inFile(run.string())
                 .butFound(sentence("%1 replaced points", points))});
    }
}

} // namespace

MetricSeries risingCurve(MetricSeries written) {
    const RunHistory nowhere;
    const SourceChains none(nowhere, {});
    Writing writing(nowhere, none);
    writing.add(std::move(written));
    return writing.finish();
}

void joinSeries(RunHistory& history, const std::filesystem::path& run) {
    sortSeries(history.series);
    const SourceChains chains(history, run);
    nameParts(history, chains);
    const auto key = [&](const MetricSeries& series) {
        const auto [chain, place] = chains.placeOf(series.source);
        return std::tuple(chain, series.stepsFrom, place);
    };
    std::ranges::stable_sort(history.series, [&](const MetricSeries& a, const MetricSeries& b) {
        return a.name != b.name ? metricNameLess(a.name, b.name) : key(a) < key(b);
    });
    std::vector<MetricSeries> joined;
    for (std::size_t begin = 0; begin < history.series.size();) {
        const std::string name = history.series[begin].name;
        const auto chain = chains.placeOf(history.series[begin].source).first;
        const StepsFrom unit = history.series[begin].stepsFrom;
        Writing writing(history, chains);
        std::size_t end = begin;
        for (; end < history.series.size() && history.series[end].name == name &&
               chains.placeOf(history.series[end].source).first == chain &&
               history.series[end].stepsFrom == unit;
             ++end) {
            writing.add(std::move(history.series[end]));
        }
        joined.push_back(writing.finish());
        begin = end;
    }
    history.series = std::move(joined);
    sortSeries(history.series);
    dropRepeatedCurves(history, chains, run);
    noteReplaced(history, run);
}

} // namespace cairn
