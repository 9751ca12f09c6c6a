// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/run_charts.h"

#include "core/runs/history/checkpoint_values/checkpoint_values.h"
#include "core/runs/table/curve_groups.h"
#include "ui/pages/compare/compare_charts.h"
#include "ui/pages/history/history_charts.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::ui {
namespace {

QString letterOf(int slot) {
    return slot < 26 ? QString(QChar::fromLatin1(static_cast<char>('A' + slot))) : QString();
}

/// What the chart of a group lacks, as its notes.
struct GroupNotes {
    int leftOut = 0; ///< curves
    int rounded = 0;
    QStringList lines; ///< "run: reason"
};

/// Mean with its band; nothing if no run has the metric on that axis.
std::optional<ChartCurve> groupCurve(const CurveSet& set, const CancelToken& cancel) {
    const auto curves = aggregateCurves(set.curves, {Aggregate::Mean, Aggregate::Std}, {}, cancel);
    if (!curves || curves->x.empty()) {
        return std::nullopt;
    }
    const std::vector<double>& mean = curves->of(Aggregate::Mean);
    std::vector<double> low = mean;
    std::vector<double> high = mean;
    for (std::size_t i = 0; i < mean.size(); ++i) {
        const double deviation = curves->of(Aggregate::Std)[i];
        low[i] -= std::isnan(deviation) ? 0 : deviation; // a single run has none
        high[i] += std::isnan(deviation) ? 0 : deviation;
    }
    ChartCurve curve;
    curve.data = std::make_shared<CurveData>(curves->x, mean);
    curve.low = std::make_shared<CurveData>(curves->x, std::move(low));
    curve.high = std::make_shared<CurveData>(curves->x, std::move(high));
    curve.count = std::make_shared<CurveData>(
        curves->x, std::vector<double>(curves->n.begin(), curves->n.end()));
    return curve;
}

} // namespace

/// What the contents are made of; shared with workers.
struct RunCharts::Inputs {
    std::vector<Line> lines;
    std::map<std::filesystem::path, HistoryPtr> histories;
    AxisChoice axis;

    [[nodiscard]] std::optional<ChartCurve> curveOfLine(const Line& line, const std::string& name,
                                                        GroupNotes& notes,
                                                        const CancelToken& cancel) const {
        std::vector<const MetricSeries*> series;
        std::vector<QString> owners;
        for (const RunPlace& run : line.runs) {
            const auto history = histories.find(run.path);
            const MetricSeries* found =
                history != histories.end() ? history->second->primary(name) : nullptr;
            if (found != nullptr) {
                series.push_back(found);
                owners.push_back(run.name);
            }
        }
        if (series.empty()) {
            return std::nullopt;
        }
        std::optional<ChartCurve> curve;
        if (line.isGroup) {
            const CurveSet set = curvesOf(series, compareAxis(axis));
            curve = groupCurve(set, cancel);
            for (const CurveLimit& limit : limitsOf(set, series, compareAxis(axis))) {
                const QString reason = text::describe(limit.error).title;
                (limit.isLeftOut ? notes.leftOut : notes.rounded) += 1;
                notes.lines << owners[limit.series] + QStringLiteral(": ") + reason;
                if (curve && !curve->warnings.contains(reason)) {
                    curve->warnings << reason;
                }
            }
        } else {
            const HistoryPtr& history = histories.at(line.runs.front().path);
            ChartedRun run{history,
                           line.runs.front(),
                           {},
                           line.slot,
                           std::make_shared<RunAxis>(*history, axis)};
            curve = chartCurve(run, name);
        }
        if (curve) {
            curve->letter = line.isMarked ? letterOf(line.slot) : QString();
            curve->series = line.slot;
            curve->run = line.isGroup ? RunCharts::tr("%1, mean ± std of %Ln runs", nullptr,
                                                      static_cast<int>(series.size()))
                                            .arg(line.name)
                                      : line.name;
            if (line.isGroup) {
                curve->source = curve->run;
            }
        }
        return curve;
    }

    /// As the first history that has the metric states it.
    [[nodiscard]] names::Direction betterOf(const std::string& name) const {
        for (const auto& [path, history] : histories) {
            if (history->primary(name) != nullptr) {
                return history->direction(name).value.value_or(names::Direction::Unknown);
            }
        }
        return names::Direction::Unknown;
    }

    [[nodiscard]] ChartContent make(const QString& shown, const std::string& name,
                                    const CancelToken& cancel) const {
        ChartContent content;
        content.name = shown;
        content.better = betterOf(name);
        GroupNotes notes;
        for (const Line& line : lines) {
            if (cancel.cancelled()) {
                break;
            }
            if (auto curve = curveOfLine(line, name, notes, cancel)) {
                content.curves.push_back(std::move(*curve));
            }
        }
        QStringList shortNotes;
        if (notes.leftOut > 0) {
            shortNotes << RunCharts::tr("%Ln curves left out", nullptr, notes.leftOut);
        }
        if (notes.rounded > 0) {
            shortNotes << RunCharts::tr("rounded steps");
        }
        content.note = shortNotes.join(QStringLiteral(" · "));
        content.noteFull = notes.lines.join(QLatin1Char('\n'));
        return content;
    }
};

RunCharts::RunCharts(QObject* parent) : QObject(parent) {}

void RunCharts::setLines(std::vector<Line> lines) {
    m_lines = std::move(lines);
    std::set<std::filesystem::path> wanted;
    for (const Line& line : m_lines) {
        for (const RunPlace& run : line.runs) {
            wanted.insert(run.path);
        }
    }
    std::erase_if(m_histories, [&](const auto& each) { return !wanted.contains(each.first); });
    std::erase_if(m_unreadable, [&](const auto& each) { return !wanted.contains(each); });
    forget();
    updateNames();
    readMissing();
}

void RunCharts::setAxis(const AxisChoice& axis) {
    if (!(axis == m_axis)) {
        m_axis = axis;
        m_contents.clear();
        forget();
    }
}

void RunCharts::reload() {
    m_unreadable.clear();
    m_problems.clear();
    for (const auto& [path, history] : m_histories) {
        m_outdated.insert(path);
    }
    readMissing();
}

void RunCharts::forget() {
    m_maker.cancel();
    m_fresh.clear();
    m_requested.clear();
    if (m_lines.empty()) {
        m_contents.clear();
    }
}

void RunCharts::readMissing() {
    std::vector<RunPlace> missing;
    for (const Line& line : m_lines) {
        for (const RunPlace& run : line.runs) {
            const bool current = m_histories.contains(run.path) && !m_outdated.contains(run.path);
            if (current || m_unreadable.contains(run.path)) {
                continue;
            }
            if (HistoryPtr known = m_known ? m_known(run.path) : nullptr) {
                m_histories[run.path] = std::move(known);
                m_outdated.erase(run.path);
            } else {
                missing.push_back(run);
            }
        }
    }
    if (missing.empty()) {
        m_reader.cancel();
        updateNames();
        return;
    }
    m_reader.start(
        [this, missing](const CancelToken& cancel, const AsyncRunner::Post& post) -> Result<void> {
            for (const RunPlace& run : missing) {
                CAIRN_CHECK(cancel.check());
                Result<RunHistory> history = readHistory(run.path, run.root, cancel);
                if (!history) {
                    post([this, path = run.path, name = run.name, error = history.error()] {
                        m_unreadable.insert(path);
                        m_problems << name + QStringLiteral(": ") + text::describe(error).title;
                    });
                    continue;
                }
                auto joined = std::make_shared<RunHistory>(std::move(*history));
                addCheckpointValues(*joined, run.run);
                post([this, path = run.path, read = HistoryPtr(std::move(joined))] {
                    m_histories[path] = read;
                    m_outdated.erase(path);
                });
            }
            return {};
        },
        [this](const Result<void>&) {
            forget();
            updateNames();
        });
}

void RunCharts::updateNames() {
    m_names.clear();
    m_loneNames.clear();
    m_written.clear();
    std::map<std::string, std::size_t> points; // of each metric, most in a run
    for (const auto& [path, history] : m_histories) {
        for (const MetricSeries& series : history->series) {
            std::size_t& most = points[series.name];
            most = std::max(most, series.size());
        }
    }
    std::vector<std::string> order;
    for (const auto& [name, most] : points) {
        order.push_back(name);
    }
    std::ranges::sort(order, [](const std::string& a, const std::string& b) {
        const int left = metricRank(a);
        const int right = metricRank(b);
        return left != right ? left < right : metricNameLess(a, b);
    });
    for (const std::string& name : order) {
        const QString shown = text::fromCore(name);
        if (m_written.emplace(shown, name).second) {
            (points[name] > 1 || m_names.empty() ? m_names : m_loneNames).push_back(shown);
        }
    }
    Q_EMIT namesChanged();
}

std::vector<AxisChoice::Kind> RunCharts::axes() const {
    std::vector<AxisChoice::Kind> kinds{AxisChoice::Kind::Step};
    for (const AxisChoice::Kind kind : {AxisChoice::Kind::Epoch, AxisChoice::Kind::Elapsed}) {
        const bool possible = std::ranges::any_of(m_histories, [kind](const auto& each) {
            const std::vector<AxisChoice::Kind> of = possibleAxes(*each.second);
            return std::ranges::find(of, kind) != of.end();
        });
        if (possible) {
            kinds.push_back(kind);
        }
    }
    return kinds;
}

ChartContent RunCharts::content(const QString& name) {
    if (!m_fresh.contains(name)) {
        m_requested.insert(name);
        QMetaObject::invokeMethod(this, &RunCharts::makeRequested, Qt::QueuedConnection);
    }
    if (const auto known = m_contents.find(name); known != m_contents.end()) {
        return known->second;
    }
    ChartContent empty;
    empty.name = name;
    return empty;
}

void RunCharts::makeRequested() {
    if (m_requested.empty() || m_maker.isRunning()) {
        return;
    }
    std::vector<std::pair<QString, std::string>> names;
    for (const QString& name : m_requested) {
        if (const auto written = m_written.find(name); written != m_written.end()) {
            names.emplace_back(name, written->second);
        }
    }
    m_requested.clear();
    m_maker.start(
        [this, names, inputs = Inputs{m_lines, m_histories, m_axis}](
            const CancelToken& cancel, const AsyncRunner::Post& post) -> Result<void> {
            for (const auto& [shown, written] : names) {
                CAIRN_CHECK(cancel.check());
                post([this, shown = shown, content = inputs.make(shown, written, cancel)] {
                    m_contents[shown] = content;
                    m_fresh.insert(shown);
                    Q_EMIT made(shown);
                });
            }
            return {};
        },
        [this](const Result<void>&) { makeRequested(); });
}

} // namespace cairn::ui
