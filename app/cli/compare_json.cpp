// SPDX-License-Identifier: Apache-2.0
#include "app/cli/compare_output.h"
#include "app/cli/json_output.h"
#include "app/cli/run_listing.h"

#include <algorithm>
#include <map>
#include <utility>

namespace cairn::cli {
namespace {

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

void writeSideObject(JsonWriter& json, const MetricSide& side, const RunHistory& history) {
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

void writeSide(JsonWriter& json, std::string_view key, const MetricSide& side,
               const RunHistory& history) {
    json.key(key);
    writeSideObject(json, side, history);
}

void writeMetrics(JsonWriter& json, const RunComparison& result, const Side& left,
                  const Side& right) {
    json.key("metrics");
    json.beginObject();
    for (const MetricComparison& each : result.metrics) {
        json.key(each.name);
        json.beginObject();
        json.member("name_match", nameMatchName(each.match));
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
    writeTexts(json, "left_sources", settings.leftSources);
    writeTexts(json, "right_sources", settings.rightSources);
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

void writeRuns(JsonWriter& json, std::span<const Side> sides) {
    json.key("runs");
    json.beginArray();
    for (const Side& side : sides) {
        json.beginObject();
        json.member("path", side.argument);
        json.member("name", side.run.name);
        json.endObject();
    }
    json.endArray();
}

void writeSummary(JsonWriter& json, const ComparisonSummary& summary) {
    json.key("difference");
    json.beginObject();
    json.member("verdict", verdictName(summary.verdict));
    json.memberOrNull("metric", summary.metric);
    writeDirection(json, summary.better);
    if (!summary.metric.empty()) {
        json.member("of", summary.isBest ? "best" : "last");
        json.member("left", summary.left);
        json.member("right", summary.right);
    }
    writeOptional(json, "change", summary.change);
    writeOptional(json, "parting", summary.parting);
    json.endObject();
}

/// What two runs have always had; `a` and `b` are their names in the sentence.
void writePair(JsonWriter& json, const Side& left, const Side& right, const RunComparison& pair,
               const std::string& a, const std::string& b) {
    json.member("left", left.argument);
    json.member("right", right.argument);
    writeMetrics(json, pair, left, right);
    writeSettings(json, pair.settings);
    writeCheckpoints(json, pair, left, right);
    const ComparisonSummary summary = summaryOf(pair, &left.run, &right.run);
    writeSummary(json, summary);
    json.member("summary", summaryText(summary, a, b));
}

/// A metric of all runs: the first one's side, then each other's, where it has the metric.
void writeAllMetrics(JsonWriter& json, std::span<const Side> sides,
                     std::span<const RunComparison> pairs) {
    std::vector<std::string> names;
    for (const RunComparison& pair : pairs) {
        for (const MetricComparison& each : pair.metrics) {
            if (std::ranges::find(names, each.name) == names.end()) {
                names.push_back(each.name);
            }
        }
    }
    json.key("metrics");
    json.beginObject();
    for (const std::string& name : names) {
        std::vector<const MetricComparison*> found;
        for (const RunComparison& pair : pairs) {
            const auto at = std::ranges::find(pair.metrics, name, &MetricComparison::name);
            found.push_back(at != pair.metrics.end() ? &*at : nullptr);
        }
        const MetricComparison* first =
            *std::ranges::find_if(found, [](const auto* each) { return each != nullptr; });
        json.key(name);
        json.beginObject();
        writeDirection(json, first->better);
        json.key("runs");
        json.beginArray();
        writeSideObject(json, first->left, sides.front().history);
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (found[i] != nullptr) {
                writeSideObject(json, found[i]->right, sides[i + 1].history);
            } else {
                json.null();
            }
        }
        json.endArray();
        json.endObject();
    }
    json.endObject();
}

void writeAllSettings(JsonWriter& json, std::span<const RunComparison> pairs) {
    const std::vector<SettingOfRuns> different = settingsOfRuns(pairs);
    const SettingsComparison& first = pairs.front().settings;
    const std::uint64_t ofFirst = first.same + first.different.size() + first.onlyLeft.size();
    const auto changed = static_cast<std::uint64_t>(std::ranges::count_if(
        different, [](const SettingOfRuns& each) { return each.values.front().has_value(); }));
    const bool cut =
        std::ranges::any_of(pairs, [](const RunComparison& pair) { return pair.settings.cut; });
    json.key("config");
    json.beginObject();
    json.member("same_count", ofFirst - std::min(ofFirst, changed));
    json.member("ignored_count", pairs.front().settings.ignored);
    json.member("cut", cut);
    json.key("different");
    json.beginArray();
    for (const SettingOfRuns& each : different) {
        json.beginObject();
        json.member("key", each.key);
        json.key("values");
        json.beginArray();
        for (const std::optional<Value>& value : each.values) {
            writeSettingValue(json, value.value_or(Value()));
        }
        json.endArray();
        json.key("missing"); // indices of runs without it, whose value is null
        json.beginArray();
        for (std::size_t i = 0; i < each.values.size(); ++i) {
            if (!each.values[i]) {
                json.natural(i);
            }
        }
        json.endArray();
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

/// Checkpoints of the first run with their partners in the others; then those without one.
void writeAllCheckpoints(JsonWriter& json, std::span<const Side> sides,
                         std::span<const RunComparison> pairs) {
    struct Row {
        const CheckpointPair* pair = nullptr;
        std::vector<std::optional<std::size_t>> of;
    };
    std::map<std::size_t, Row> matched; // by index in the first run
    std::vector<Row> alone;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        for (const CheckpointPair& each : pairs[p].checkpoints) {
            Row& row = each.left ? matched[*each.left] : alone.emplace_back();
            row.pair = row.pair != nullptr ? row.pair : &each;
            row.of.resize(sides.size());
            row.of[0] = each.left;
            row.of[p + 1] = each.right;
        }
    }
    const auto write = [&](const Row& row) {
        json.beginObject();
        json.key("step");
        row.pair->step ? json.integer(*row.pair->step) : json.null();
        json.key("epoch");
        writeEpoch(json, row.pair->epoch);
        json.key("paths");
        json.beginArray();
        for (std::size_t i = 0; i < row.of.size(); ++i) {
            row.of[i] ? json.string(sides[i].run.checkpoints[*row.of[i]].path.string())
                      : json.null();
        }
        json.endArray();
        json.endObject();
    };
    json.key("checkpoints");
    json.beginArray();
    for (const auto& [index, row] : matched) {
        write(row);
    }
    std::ranges::for_each(alone, write);
    json.endArray();
}

} // namespace

void writeComparison(std::span<const Side> sides, std::span<const RunComparison> pairs,
                     Session& session) {
    JsonDocument document(session.out);
    writeRuns(*document, sides);
    if (pairs.size() == 1) {
        writePair(*document, sides[0], sides[1], pairs[0], "A", "B");
        document.finish();
        return;
    }
    writeAllMetrics(*document, sides, pairs);
    writeAllSettings(*document, pairs);
    writeAllCheckpoints(*document, sides, pairs);
    document->member("summary", summaryText(summaryOfRuns(pairs, runsOf(sides))));
    document->key("pairs");
    document->beginArray();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        document->beginObject();
        writePair(*document, sides[0], sides[i + 1], pairs[i], runLetter(0), runLetter(i + 1));
        document->endObject();
    }
    document->endArray();
    document.finish();
}

} // namespace cairn::cli
