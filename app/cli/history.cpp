// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/history.h"

#include "app/cli/history_groups.h"
#include "app/cli/json_output.h"
#include "app/cli/run_listing.h"
#include "app/cli/text_table.h"
#include "app/cli/value_text.h"
#include "app/cli/verb.h"
#include "app/cli/why_output.h"
#include "core/base/counted.h"
#include "core/base/glob.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/scan/experiment_scan.h"
#include "core/runs/table/run_settings.h"

#include <algorithm>
#include <cmath>

namespace cairn::cli::verb_history {
namespace {

/// The curves of the run and the metrics in its checkpoints.
Result<RunHistory> readAll(const Arguments& arguments, Session& session) {
    const Location named = arguments.at(0);
    const std::filesystem::path root = arguments.text("root").value_or(named.path().string());
    CAIRN_TRY(RunHistory history, readHistory(named, root, session.cancel));
    auto listed = named.list();
    if (!listed || !listed->place.isFolder()) { // a file, or a run in one
        return history;
    }
    auto experiment = scanExperiment(named, std::move(listed), session.cancel);
    if (!experiment) {
        history.warnings.push_back({Severity::Warning, experiment.error()});
        return history;
    }
    if (experiment->runs.size() > 1) {
        const auto own = std::ranges::find(experiment->runs, ".", &ScannedRun::id);
        if (own == experiment->runs.end()) {
            history.warnings.push_back(
                {Severity::Warning,
                 fail(ErrorCode::HistoryConflict,
                      sentence("The folder contains %1; curves with the same name belong to "
                               "different runs",
                               counting(experiment->runs.size(), "run")))
                     .inFile(named.path().string())
                     .withHint("Specify one of the runs; `cairn-cli runs` lists them")});
        }
        std::erase_if(experiment->runs, [](const ScannedRun& run) { return run.id != "."; });
    }
    CAIRN_CHECK(examineCheckpoints(*experiment, session));
    for (ScannedRun& run : experiment->runs) {
        settleRun(run);
        addCheckpointRecords(history, run, session.cancel);
    }
    return history;
}

void writeReplaced(JsonWriter& json, const ReplacedPoints& replaced, const RunHistory& history) {
    json.key("replaced");
    json.beginObject();
    writeNumbers(json, "steps", replaced.steps, Numbers::Steps, replaced.stepRests);
    writeNumbers(json, "values", replaced.values, Numbers::Reals, replaced.valueRests);
    json.key("sources");
    json.beginArray();
    for (const std::uint32_t source : replaced.sources) {
        json.string(history.sources.at(source).path.string());
    }
    json.endArray();
    json.endObject();
}

void writeSeries(JsonWriter& json, const MetricSeries& series, const RunHistory& history) {
    writeNumbers(json, "steps", series.steps, Numbers::Steps, series.stepRests);
    writeNumbers(json, "values", series.values, Numbers::Reals, series.valueRests);
    if (!series.epochs.empty()) {
        writeNumbers(json, "epochs", series.epochs);
    }
    if (!series.wall.empty()) {
        writeNumbers(json, "wall", series.wall);
    }
    const HistorySource& source = history.sources.at(series.source);
    json.member("source", source.path.string());
    json.member("kind", source.kind);
    json.member("steps_from", stepsFromName(series.stepsFrom));
    json.key("sources"); // in the order of writing
    json.beginArray();
    for (const std::uint32_t each : sourcesOf(series)) {
        json.string(history.sources.at(each).path.string());
    }
    json.endArray();
    json.key("restarts");
    json.beginArray();
    for (const std::size_t at : series.restarts) {
        json.natural(at);
    }
    json.endArray();
    writeReplaced(json, series.replaced, history);
}

void writeMetric(JsonWriter& json, const MetricSeries& primary, const RunHistory& history) {
    json.key(primary.name);
    json.beginObject();
    writeSeries(json, primary, history);
    const Decided<names::Direction> direction = history.direction(primary.name);
    const bool isRecorded = direction.isAtLeast(Strength::Recorded);
    writeDirection(json, direction.value.value_or(names::Direction::Unknown));
    json.memberOrNull("direction_from",
                      isRecorded ? direction.because.front().where.file.string() : std::string());
    writeEvidence(json, "direction_because", direction.because);
    writeEvidence(json, "direction_against", direction.against);
    json.member("measure", names::measureOf(primary.name));
    const names::Split split = names::splitOf(primary.name);
    json.memberOrNull("split", split == names::Split::HeldOut    ? "held-out"
                               : split == names::Split::Training ? "training"
                                                                 : "");
    json.key("others");
    json.beginArray();
    for (const MetricSeries& series : history.named(primary.name)) {
        if (&series != &primary) {
            json.beginObject();
            writeSeries(json, series, history);
            json.endObject();
        }
    }
    json.endArray();
    json.endObject();
}

void writeJson(const RunHistory& history, const std::vector<std::string>& names,
               const std::string& path, Session& session) {
    JsonDocument document(session.out);
    document->member("path", path);
    document->key("metrics");
    document->beginObject();
    for (const std::string& name : names) {
        writeMetric(*document, *history.primary(name), history);
    }
    document->endObject();
    document->key("sources");
    document->beginArray();
    std::vector<Notice> warnings = history.warnings;
    for (const HistorySource& source : history.sources) {
        document->beginObject();
        document->member("kind", source.kind);
        document->member("path", source.path.string());
        document->member("bytes", source.bytes);
        document->member("warnings", source.warnings.size());
        document->endObject();
        warnings.insert(warnings.end(), source.warnings.begin(), source.warnings.end());
    }
    document->endArray();
    document->key("settings");
    writeValue(*document, history.settings, *Checkpoint::make({}), session.cancel);
    writeNotices(*document, "warnings", warnings);
    document.finish();
}

std::string valueText(double value) {
    return std::isnan(value) ? "nan" : figureText(value);
}

struct Summary {
    std::size_t nonFinite = 0;
    std::size_t least = 0; ///< index of the smallest finite value
    std::size_t most = 0;
    bool any = false; ///< at least one value is finite
};

Summary summaryOf(const MetricSeries& series) {
    Summary summary;
    for (std::size_t i = 0; i < series.size(); ++i) {
        const double value = series.values[i];
        if (!std::isfinite(value)) {
            ++summary.nonFinite;
            continue;
        }
        summary.least = !summary.any || value < series.values[summary.least] ? i : summary.least;
        summary.most = !summary.any || value > series.values[summary.most] ? i : summary.most;
        summary.any = true;
    }
    return summary;
}

void printText(const RunHistory& history, const std::vector<std::string>& names,
               const std::filesystem::path& path, Session& session) {
    TextTable table({{"METRIC"},
                     {"POINTS", Align::Right},
                     {"FIRST", Align::Right},
                     {"LAST", Align::Right},
                     {"MIN", Align::Right},
                     {"AT", Align::Right},
                     {"MAX", Align::Right},
                     {"AT", Align::Right},
                     {"NAN, INF", Align::Right},
                     {"RESTARTS", Align::Right},
                     {"SOURCE"}});
    for (const std::string& name : names) {
        for (const MetricSeries& series : history.named(name)) {
            if (series.size() == 0) {
                continue;
            }
            const Summary summary = summaryOf(series);
            const auto value = [&](std::size_t i) {
                return summary.any ? valueText(series.values[i]) : std::string();
            };
            const auto step = [&](std::size_t i) {
                return summary.any && !series.steps.empty() ? exactText(series.stepAt(i))
                                                            : std::string();
            };
            const std::size_t restarts = series.restarts.size();
            const HistorySource& source = history.sources.at(series.source);
            const std::filesystem::path below = source.path.lexically_relative(path);
            table.add({name, std::to_string(series.size()), valueText(series.values.front()),
                       valueText(series.values.back()), value(summary.least), step(summary.least),
                       value(summary.most), step(summary.most),
                       summary.nonFinite > 0 ? std::to_string(summary.nonFinite) : "",
                       restarts > 0 ? std::to_string(restarts) : "",
                       source.kind == "checkpoint_values" ? "the checkpoints"
                       : below.empty() || *below.begin() == "." || *below.begin() == ".."
                           ? source.path.string()
                           : below.string()});
        }
    }
    table.print(session);
    for (const HistorySource& source : history.sources) {
        printNotices(session, source.warnings);
    }
    printNotices(session, history.warnings);
    if (!session.quiet) {
        session.out.line("");
        session.out.line(counted(names.size(), "metric") + " of " +
                         counted(history.sources.size(), "source"));
    }
}

Result<int> run(const Arguments& arguments, Session& session) {
    if (wantsGroups(arguments)) {
        return printGroupedHistories(arguments, session);
    }
    std::optional<Glob> glob;
    if (const auto text = arguments.text("metric")) {
        CAIRN_TRY(glob, Glob::parse(*text));
    }
    CAIRN_TRY(const RunHistory history, readAll(arguments, session));
    std::vector<std::string> names = history.names();
    if (glob) {
        std::erase_if(names, [&](const std::string& name) { return !glob->matches(name); });
    }
    if (session.json) {
        writeJson(history, names, arguments.at(0), session);
    } else {
        printText(history, names, arguments.at(0), session);
    }
    return kExitOk;
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"RUN",
                                "The folder of a run, or a log file; several, or a folder of runs "
                                "with --aggregate: the curves of groups of runs",
                                Words::OneOrMore}});
constexpr auto kOptions = std::to_array<Option>({
    {"--metric", "GLOB", "Only metrics whose name matches (*, ?, {a,b})"},
    {"--root", "FOLDER", "Also search for logs in the folders above the run, up to this one"},
    {"--group-by", "KEYS",
     "Group the runs by settings: 'lr,optimizer', 'all but seed'; without it they are one group"},
    {"--aggregate", "LIST",
     "At each x of any curve of the group, over the runs that have a value there: mean, std (n - "
     "1), sem, min, max, median, q25, q75 (mean,std)"},
    {"--axis", "AXIS", "x of aggregated curves: step, first-step, epoch or time (step)"},
    {"--filter", "EXPR", "Only runs that match, as in `runs --table`"},
});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"history",
                 "Show the curves in a run's logs",
                 kPositionals,
                 kOptions,
                 {"cairn-cli history outputs/a", "cairn-cli history a --metric '*loss*' --json",
                  "cairn-cli history experiment --group-by 'all but seed' --json"},
                 run};

} // namespace cairn::cli::verb_history
