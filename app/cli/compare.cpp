// SPDX-License-Identifier: Apache-2.0
#include "core/runs/compare.h"

#include "app/cli/json_output.h"
#include "app/cli/run_listing.h"
#include "app/cli/text_table.h"
#include "app/cli/value_text.h"
#include "app/cli/verb.h"
#include "core/runs/history/checkpoint_values/checkpoint_values.h"
#include "core/runs/run_settings.h"

#include <charconv>
#include <cmath>

namespace cairn::cli {
namespace {

struct Side {
    ScannedRun run;
    RunHistory history;
};

Result<Side> openSide(const std::string& path, Session& session) {
    Side side;
    CAIRN_TRY(side.run, openRun(path, session));
    CAIRN_TRY(side.history, readHistory(side.run.path, side.run.path, session.cancel));
    addCheckpointValues(side.history, side.run);
    addCheckpointSettings(side.history, side.run, session.cancel);
    return side;
}

Result<std::vector<Glob>> globsOf(const Arguments& arguments, std::string_view option) {
    std::vector<Glob> globs;
    if (const auto text = arguments.text(option)) {
        CAIRN_TRY(Glob glob, Glob::parse(*text));
        globs.push_back(std::move(glob));
    }
    return globs;
}

Result<CompareOptions> optionsOf(const Arguments& arguments) {
    CompareOptions options;
    CAIRN_TRY(options.metrics, globsOf(arguments, "metric"));
    CAIRN_TRY(options.ignore, globsOf(arguments, "ignore"));
    const auto numberOf = [&](std::string_view option) -> Result<std::optional<double>> {
        const auto text = arguments.text(option);
        double number = 0;
        if (!text) {
            return std::optional<double>();
        }
        const char* end = text->data() + text->size();
        const auto parsed = std::from_chars(text->data(), end, number);
        if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(number)) {
            return fail(ErrorCode::InvalidArgument, "Not a number")
                .inField("--" + std::string(option))
                .butFound(*text);
        }
        return std::optional(number);
    };
    CAIRN_TRY(options.threshold, numberOf("threshold"));
    CAIRN_TRY(const auto tolerance, numberOf("tolerance"));
    options.tolerance = tolerance.value_or(options.tolerance);
    if (options.tolerance < 0) {
        return fail(ErrorCode::InvalidArgument, "A tolerance must be a non-negative number")
            .inField("--tolerance")
            .butFound(*arguments.text("tolerance"));
    }
    return options;
}

void writeTexts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
    json.key(name);
    json.beginArray();
    for (const std::string& text : texts) {
        json.string(text);
    }
    json.endArray();
}

void writeOptional(JsonWriter& json, std::string_view name, const std::optional<double>& value) {
    json.key(name);
    value ? json.number(*value) : json.null();
}

void writePoint(JsonWriter& json, std::string_view name, const std::optional<CurvePoint>& point) {
    json.key(name);
    if (!point) {
        json.null();
        return;
    }
    json.beginObject();
    json.member("step", point->x);
    json.member("value", point->value);
    json.endObject();
}

void writeSide(JsonWriter& json, std::string_view key, const MetricSide& side,
               const RunHistory& history) {
    json.key(key);
    json.beginObject();
    json.member("name", side.name);
    const std::size_t source = history.series.at(side.series).source;
    json.member("source", history.sources.at(source).path.string());
    json.member("points", side.points);
    json.member("nonfinite_points", side.nonFinite);
    writePoint(json, "best", side.best);
    writePoint(json, "last", side.last);
    writeOptional(json, "at_common", side.atCommon);
    writeOptional(json, "area", side.area);
    writeOptional(json, "goal", side.goal);
    writeOptional(json, "reaches", side.reaches);
    writeOptional(json, "wall_seconds", side.wallSeconds);
    json.endObject();
}

void writeMetrics(JsonWriter& json, const RunComparison& result, const Side& left,
                  const Side& right) {
    json.key("metrics");
    json.beginObject();
    for (const MetricComparison& each : result.metrics) {
        json.key(each.name);
        json.beginObject();
        writeDirection(json, each.better);
        writeSide(json, "left", each.left, left.history);
        writeSide(json, "right", each.right, right.history);
        json.member("common", each.common);
        writeOptional(json, "first_common", each.firstCommon);
        writeOptional(json, "last_common", each.lastCommon);
        writeOptional(json, "mean_difference", each.meanDifference);
        writeOptional(json, "last_equal", each.lastEqual);
        writeOptional(json, "first_unequal", each.firstUnequal);
        writeOptional(json, "parting", each.parting);
        json.endObject();
    }
    json.endObject();
    writeTexts(json, "metrics_only_left", result.onlyLeft);
    writeTexts(json, "metrics_only_right", result.onlyRight);
}

void writeSettings(JsonWriter& json, const SettingsComparison& settings) {
    json.key("config");
    json.beginObject();
    json.member("same_count", settings.same);
    json.member("ignored_count", settings.ignored);
    json.member("cut", settings.cut);
    json.key("different");
    json.beginArray();
    for (const SettingDifference& each : settings.different) {
        json.beginObject();
        json.member("key", each.key);
        writeSetting(json, "left", each.left);
        writeSetting(json, "right", each.right);
        writeTexts(json, "left_sources", each.leftSources);
        writeTexts(json, "right_sources", each.rightSources);
        json.endObject();
    }
    json.endArray();
    const auto only = [&](std::string_view key, const std::vector<Setting>& list) {
        json.key(key);
        json.beginArray();
        for (const Setting& each : list) {
            json.beginObject();
            json.member("key", each.key);
            writeSetting(json, "value", each.value);
            writeTexts(json, "sources", each.sources);
            json.endObject();
        }
        json.endArray();
    };
    only("only_left", settings.onlyLeft);
    only("only_right", settings.onlyRight);
    json.endObject();
}

void writeCheckpoints(JsonWriter& json, const RunComparison& result, const Side& left,
                      const Side& right) {
    json.key("checkpoints");
    json.beginArray();
    for (const CheckpointPair& pair : result.checkpoints) {
        json.beginObject();
        json.key("step");
        pair.step ? json.integer(*pair.step) : json.null();
        json.key("epoch");
        writeEpoch(json, pair.epoch);
        const auto side = [&](std::string_view key, const Side& of,
                              const std::optional<std::size_t>& index) {
            json.key(key);
            index ? json.string(of.run.checkpoints[*index].path.string()) : json.null();
        };
        side("left", left, pair.left);
        side("right", right, pair.right);
        json.member("exact", pair.exact);
        json.endObject();
    }
    json.endArray();
}

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
        table.add({each.name, value(each.left.best), place(each.left.best), value(each.right.best),
                   place(each.right.best), value(each.left.last), value(each.right.last),
                   textOf(each.meanDifference), textOf(each.parting)});
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
    session.out.line(std::to_string(settings.same) + " settings are the same");
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

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const CompareOptions options, optionsOf(arguments));
    CAIRN_TRY(const Side left, openSide(arguments.at(0), session));
    CAIRN_TRY(const Side right, openSide(arguments.at(1), session));
    const RunComparison result =
        compareRuns(left.history, right.history, &left.run, &right.run, options);
    if (!session.json) {
        printMetrics(result, session);
        printSettings(result.settings, session);
        printCheckpoints(result, left, right, session);
        return kExitOk;
    }
    JsonDocument document(session.out);
    document->member("left", arguments.at(0));
    document->member("right", arguments.at(1));
    writeMetrics(*document, result, left, right);
    writeSettings(*document, result.settings);
    writeCheckpoints(*document, result, left, right);
    document.finish();
    return kExitOk;
}

constexpr auto kPositionals = std::to_array<Positional>(
    {{"RUN_A", "The folder of a run"}, {"RUN_B", "The folder of the other run"}});
constexpr auto kOptions = std::to_array<Option>({
    {"--metric", "GLOB", "Only metrics whose name matches (*, ?, {a,b})"},
    {"--ignore", "GLOB", "Ignore settings whose dotted key, or its last part, matches"},
    {"--threshold", "VALUE", "Report where each curve first reaches this value"},
    {"--tolerance", "PART", "Relative difference from which curves diverge (0.01)"},
});

} // namespace

extern const Verb kCompareVerb;
const Verb kCompareVerb{"compare",
                        "Compare two runs: curves, settings, checkpoints",
                        kPositionals,
                        kOptions,
                        {"cairn-cli compare outputs/a outputs/b",
                         "cairn-cli compare a b --metric '*loss*' --threshold 2.0",
                         "cairn-cli compare a b --ignore '{name,seed,*_dir}' --json"},
                        run};

} // namespace cairn::cli
