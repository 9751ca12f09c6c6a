// SPDX-License-Identifier: Apache-2.0
#include "core/report/make_report.h"

#include "core/base/counted.h"
#include "core/runs/compare/compare_summary.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace cairn {
namespace {

constexpr std::size_t kMostCharts = 6;
constexpr std::size_t kMostSettings = 200;
constexpr std::size_t kMostReportedFindings = 500;

ReportBlock heading(std::string text) {
    return {ReportBlock::Kind::Heading, std::move(text)};
}

ReportBlock paragraph(std::string text) {
    return {ReportBlock::Kind::Text, std::move(text)};
}

ReportBlock tableOf(TextGrid grid) {
    ReportBlock block{ReportBlock::Kind::Table, {}};
    block.grid = std::move(grid);
    return block;
}

std::string pointText(const std::optional<CurvePoint>& point) {
    return point ? exactNumber(point->value) + " at " + exactNumber(point->x) : std::string();
}

std::string nameOfRun(std::span<const ReportedRun> runs, std::size_t i) {
    return runLetter(i) + " " + runs[i].name;
}

/// "loss": best and last of every run that has it.
TextGrid metricTable(std::span<const ReportedRun> runs, std::span<const RunComparison> pairs) {
    TextGrid grid;
    grid.titles = {"metric", "run", "best", "last", "points"};
    grid.isNumber = {false, false, true, true, true};
    const auto add = [&](const std::string& metric, std::size_t run, const MetricSide& side) {
        grid.rows.push_back({metric, nameOfRun(runs, run), pointText(side.best),
                             pointText(side.last), std::to_string(side.points)});
    };
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        for (const MetricComparison& metric : pairs[i].metrics) {
            if (i == 0) {
                add(shownName(metric), 0, metric.left);
            }
            add(shownName(metric), i + 1, metric.right);
        }
    }
    std::ranges::stable_sort(grid.rows, {}, [&](const std::vector<std::string>& row) {
        const auto& metrics = pairs.front().metrics;
        return std::ranges::find(metrics, row.front(), shownName) - metrics.begin();
    });
    return grid;
}

ReportCurve curveOf(const RunHistory& history, const MetricSide& side, std::string name) {
    ReportCurve curve;
    curve.name = std::move(name);
    if (side.series < history.series.size()) {
        const MetricSeries& series = history.series[side.series];
        curve.x.assign(series.steps.begin(), series.steps.end());
        curve.y.assign(series.values.begin(), series.values.end());
    }
    return curve;
}

void addCharts(Report& report, std::span<const ReportedRun> runs,
               std::span<const RunComparison> pairs) {
    for (const MetricComparison& first : pairs.front().metrics) {
        if (first.left.points < 2 && first.right.points < 2) {
            continue;
        }
        const auto charts =
            std::ranges::count(report.blocks, ReportBlock::Kind::Chart, &ReportBlock::kind);
        if (std::cmp_greater_equal(charts, kMostCharts)) {
            break;
        }
        ReportBlock chart{ReportBlock::Kind::Chart, shownName(first)};
        chart.axis = "step";
        chart.curves.push_back(curveOf(*runs[0].history, first.left, nameOfRun(runs, 0)));
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto same =
                std::ranges::find(pairs[i].metrics, first.name, &MetricComparison::name);
            if (same != pairs[i].metrics.end()) {
                chart.curves.push_back(
                    curveOf(*runs[i + 1].history, same->right, nameOfRun(runs, i + 1)));
            }
        }
        report.blocks.push_back(std::move(chart));
    }
}

TextGrid settingsTable(std::span<const ReportedRun> runs, std::span<const RunComparison> pairs) {
    TextGrid grid;
    grid.titles = {"setting"};
    grid.isNumber = {false};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        grid.titles.push_back(nameOfRun(runs, i));
        grid.isNumber.push_back(false);
    }
    for (const SettingOfRuns& setting : settingsOfRuns(pairs)) {
        std::vector<std::string> row{setting.key};
        for (const std::optional<Value>& value : setting.values) {
            row.push_back(value ? settingText(*value) : "–");
        }
        grid.rows.push_back(std::move(row));
    }
    return grid;
}

std::string summaryOfPairs(std::span<const ReportedRun> runs,
                           std::span<const RunComparison> pairs) {
    if (pairs.size() == 1) {
        return summaryText(summaryOf(pairs.front(), runs[0].run, runs[1].run));
    }
    std::vector<const ScannedRun*> scanned;
    for (const ReportedRun& each : runs) {
        scanned.push_back(each.run);
    }
    return summaryText(summaryOfRuns(pairs, scanned));
}

} // namespace

Report comparisonReport(std::span<const ReportedRun> runs, std::span<const RunComparison> pairs) {
    Report report;
    for (const ReportedRun& each : runs) {
        report.title += (report.title.empty() ? "" : " and ") + each.name;
    }
    report.blocks.push_back(paragraph(summaryOfPairs(runs, pairs)));
    addCharts(report, runs, pairs);
    if (!pairs.front().metrics.empty()) {
        report.blocks.push_back(heading("Metrics"));
        report.blocks.push_back(tableOf(metricTable(runs, pairs)));
    }
    TextGrid settings = settingsTable(runs, pairs);
    const std::size_t differing = settings.rows.size();
    report.blocks.push_back(heading("Settings that differ: " + std::to_string(differing)));
    if (differing > kMostSettings) {
        settings.rows.resize(kMostSettings);
        report.blocks.push_back(
            paragraph("The first " + std::to_string(kMostSettings) + " of them:"));
    }
    if (differing > 0) {
        report.blocks.push_back(tableOf(std::move(settings)));
    }
    return report;
}

Report runsReport(const std::string& title, const RunGrid& grid,
                  std::span<const std::uint32_t> rows, TextGrid table) {
    Report report{title, {}};
    std::string line = counted(rows.size(), "run");
    if (const std::optional<std::size_t> lead = grid.leadMetric()) {
        const GridColumn column = GridColumn::metric(*lead);
        std::vector<std::uint32_t> sorted(rows.begin(), rows.end());
        const names::Direction better = grid.metrics()[*lead].better;
        sortRuns(grid, sorted, column, better == names::Direction::Larger);
        const std::optional<double> best =
            sorted.empty() ? std::nullopt : grid.number(sorted.front(), column);
        if (best && better != names::Direction::Unknown) {
            line += "; the best one by " + grid.metrics()[*lead].name + " is " +
                    grid.rows()[sorted.front()].name + " with " + summaryNumber(*best);
        }
    }
    report.blocks.push_back(paragraph(std::move(line)));
    report.blocks.push_back(tableOf(std::move(table)));
    return report;
}

Report healthReport(const Checkpoint& checkpoint, const HealthReport& health) {
    Report report{"Health of " + checkpoint.path().filename().string(), {}};
    const bool isHealthy = health.verdict == HealthVerdict::Healthy;
    report.blocks.push_back({health.failed() ? ReportBlock::Kind::Bad
                             : isHealthy     ? ReportBlock::Kind::Good
                                             : ReportBlock::Kind::Text,
                             std::string(verdictName(health.verdict))});
    report.blocks.push_back(paragraph(
        counted(health.tensorsRead, "tensor") + " read, " + std::to_string(health.bytesRead) +
        " bytes, " + std::to_string(health.checksums) + " stored checksums compared"));
    if (health.findings.empty()) {
        return report;
    }
    TextGrid grid;
    grid.titles = {"severity", "code", "finding"};
    grid.isNumber = {false, false, false};
    for (const Notice& each : health.findings) {
        if (grid.rows.size() < kMostReportedFindings) {
            grid.rows.push_back({std::string(severityName(each.severity)),
                                 std::string(errorName(each.error.code)), describe(each.error)});
        }
    }
    report.blocks.push_back(heading(counted(health.findings.size(), "finding")));
    report.blocks.push_back(tableOf(std::move(grid)));
    return report;
}

} // namespace cairn
