// SPDX-License-Identifier: Apache-2.0
#include "app/cli/compare_output.h"
#include "app/cli/text_table.h"
#include "app/cli/value_text.h"
#include "core/base/counted.h"
#include "core/base/visible_text.h"

namespace cairn::cli {
namespace {

std::string textOf(const std::optional<double>& value) {
    return value ? figureText(*value) : "";
}

void printMetrics(const RunComparison& result, Session& session) {
    TextTable table({{"METRIC"},
                     {"BEST A", Align::Right},
                     {"AT", Align::Right},
                     {"BEST B", Align::Right},
                     {"AT", Align::Right},
                     {"LAST A", Align::Right},
                     {"LAST B", Align::Right},
                     {"B-A MEAN", Align::Right},
                     {"DIVERGE AT", Align::Right}});
    const auto value = [](const std::optional<CurvePoint>& point) {
        return point ? figureText(point->value) : std::string();
    };
    const auto place = [](const std::optional<CurvePoint>& point) {
        return point ? numberText(point->x) : std::string();
    };
    for (const MetricComparison& each : result.metrics) {
        table.add({shownName(each), value(each.left.best), place(each.left.best),
                   value(each.right.best), place(each.right.best), value(each.left.last),
                   value(each.right.last), textOf(each.meanDifference), textOf(each.parting)});
    }
    table.print(session);
}

void printSettings(const SettingsComparison& settings, Session& session) {
    session.out.line("");
    TextTable table({{"SETTING"}, {"A"}, {"B"}});
    for (const SettingDifference& each : settings.different) {
        table.add({each.key, settingText(each.left), settingText(each.right)});
    }
    for (const Setting& each : settings.onlyLeft) {
        table.add({each.key, settingText(each.value), "-"});
    }
    for (const Setting& each : settings.onlyRight) {
        table.add({each.key, "-", settingText(each.value)});
    }
    table.print(session);
    if (settings.count() == 0) {
        session.out.line("Neither run recorded its settings");
        return;
    }
    session.out.line(counting(settings.same, "setting").text() +
                     (settings.same == 1 ? " is the same" : " are the same"));
    std::string sources;
    for (const std::string& each : settingSources(settings)) {
        sources += (sources.empty() ? "" : ", ") + visibleText(each);
    }
    session.out.line("read from " + sources);
}

void printCheckpoints(const RunComparison& result, const Side& left, const Side& right,
                      Session& session) {
    session.out.line("");
    TextTable table({{"STEP", Align::Right}, {"A"}, {"B"}, {""}});
    for (const CheckpointPair& pair : result.checkpoints) {
        const auto name = [](const Side& side, const std::optional<std::size_t>& index) {
            return index ? side.run.checkpoints[*index].name : std::string("-");
        };
        table.add({pair.step ? std::to_string(*pair.step) : "", name(left, pair.left),
                   name(right, pair.right), pair.exact ? "" : "nearest"});
    }
    table.print(session);
}

/// One row a metric, one column a run; the best values, else the last ones.
void printAllMetrics(std::span<const RunComparison> pairs, Session& session) {
    std::vector<std::string> titles{"METRIC", "A"};
    for (std::size_t i = 1; i <= pairs.size(); ++i) {
        titles.push_back(runLetter(i));
    }
    std::vector<Column> columns;
    for (const std::string& title : titles) {
        columns.push_back({title, columns.empty() ? Align::Left : Align::Right});
    }
    TextTable table(columns);
    const auto text = [](const MetricSide& side) {
        return side.best   ? figureText(side.best->value)
               : side.last ? figureText(side.last->value)
                           : std::string();
    };
    for (const MetricComparison& each : pairs.front().metrics) {
        std::vector<std::string> cells{each.name, text(each.left)};
        for (const RunComparison& pair : pairs) {
            const auto at = std::ranges::find(pair.metrics, each.name, &MetricComparison::name);
            cells.push_back(at != pair.metrics.end() ? text(at->right) : "");
        }
        table.add(std::move(cells));
    }
    table.print(session);
    session.out.line("");
    titles.front() = "SETTING";
    std::vector<Column> left;
    for (const std::string& title : titles) {
        left.push_back({title});
    }
    TextTable settings(left);
    for (const SettingOfRuns& each : settingsOfRuns(pairs)) {
        std::vector<std::string> cells{each.key};
        for (const std::optional<Value>& value : each.values) {
            cells.push_back(value ? settingText(*value) : "-");
        }
        settings.add(std::move(cells));
    }
    settings.print(session);
}

} // namespace

void printComparison(std::span<const Side> sides, std::span<const RunComparison> pairs,
                     Session& session) {
    if (pairs.size() > 1) {
        for (std::size_t i = 0; i < sides.size(); ++i) {
            printField(session, runLetter(i), sides[i].argument);
        }
        session.out.line(visibleText(summaryText(summaryOfRuns(pairs, runsOf(sides)))));
        session.out.line("");
        printAllMetrics(pairs, session);
        return;
    }
    const Side& left = sides[0];
    const Side& right = sides[1];
    session.out.line(visibleText(summaryText(summaryOf(pairs[0], &left.run, &right.run))));
    session.out.line("");
    printMetrics(pairs[0], session);
    printSettings(pairs[0].settings, session);
    printCheckpoints(pairs[0], left, right, session);
}

} // namespace cairn::cli
