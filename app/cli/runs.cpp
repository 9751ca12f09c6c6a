// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/run_listing.h"
#include "app/cli/text_table.h"
#include "app/cli/value_text.h"
#include "app/cli/verbs.h"
#include "core/base/counted.h"
#include "core/base/visible_text.h"
#include "core/runs/run_table.h"

namespace cairn::cli {
namespace {

void writeHistories(JsonWriter& json, const RunRow* row) {
    json.key("histories");
    json.beginArray();
    for (std::size_t i = 0; row != nullptr && i < row->sources.size(); ++i) {
        json.beginObject();
        json.member("source", row->sources[i].kind);
        json.member("path", row->sources[i].path.string());
        json.member("bytes", row->sources[i].bytes);
        json.key("metrics");
        json.beginArray();
        for (const std::uint32_t metric : row->sources[i].metrics) {
            json.string((*row->names)[metric]);
        }
        json.endArray();
        json.endObject();
    }
    json.endArray();
}

void writeRun(JsonWriter& json, const ScannedRun& run, const RunRow* row) {
    json.beginObject();
    json.member("id", run.id);
    json.member("name", run.name);
    json.member("path", run.path.string());
    json.member("bytes", run.bytes());
    json.key("best");
    if (run.bestFrom == BestFrom::Nobody) {
        json.null();
    } else {
        json.beginObject();
        json.member("from", bestFromName(run.bestFrom));
        json.memberOrNull("metric", run.bestMetric);
        json.key("value");
        run.bestValue ? json.number(*run.bestValue) : json.null();
        json.memberOrNull("source", run.bestSource.string());
        if (run.bestFrom == BestFrom::History) {
            json.member("larger_is_better", run.largerScoreIsBetter);
        }
        json.endObject();
    }
    json.key("checkpoints");
    json.beginArray();
    for (const ScannedCheckpoint& each : run.checkpoints) {
        writeCheckpoint(json, each, run);
    }
    json.endArray();
    writeHistories(json, row);
    json.endObject();
}

void writeJson(const Experiment& experiment, const RunTable& table, const std::string& path,
               Session& session) {
    JsonDocument document(session.out);
    document->member("path", path);
    document->key("runs");
    document->beginArray();
    for (const ScannedRun& run : experiment.runs) {
        writeRun(*document, run, table.find(run.id));
    }
    document->endArray();
    writeNotices(*document, "notices", experiment.notices);
    document.finish();
}

/// "the curve in metrics.csv", "the record in step-400".
std::string whoSays(const ScannedRun& run) {
    const std::string source = run.bestSource.filename().string();
    switch (run.bestFrom) {
    case BestFrom::Record:
        return "the record in " + source;
    case BestFrom::History:
        return source.empty() ? "what they hold" : "the curve in " + source;
    case BestFrom::Name:
        return "the name " + source;
    case BestFrom::Nobody:
        break;
    }
    return "nobody";
}

std::string remarkOf(const ScannedCheckpoint& checkpoint, const ScannedRun& run) {
    std::string remark;
    const auto add = [&](const std::string& word) {
        remark += remark.empty() || word.empty() ? word : ", " + word;
    };
    if (checkpoint.best) {
        add("best");
        if (run.bestValue) {
            remark += " " + figureText(*run.bestValue);
        }
        if (!run.bestMetric.empty()) {
            remark += " " + run.bestMetric;
        }
        remark += ", says " + whoSays(run);
    }
    add(checkpoint.latest ? "latest" : "");
    add(checkpoint.isLink() ? "link to " + checkpoint.linkTo : "");
    for (const std::string& pointer : checkpoint.pointedBy) {
        add("named by " + pointer);
    }
    add(checkpoint.exports.empty() ? "" : "exported");
    add(checkpoint.reason);
    return remark;
}

void printText(const Experiment& experiment, Session& session) {
    TextTable table({{"RUN"},
                     {"CHECKPOINT"},
                     {"STEP", Align::Right},
                     {"EPOCH", Align::Right},
                     {"SIZE", Align::Right},
                     {"FORMAT"},
                     {"STATE"},
                     {""}});
    for (const ScannedRun& run : experiment.runs) {
        for (const ScannedCheckpoint& checkpoint : run.checkpoints) {
            table.add({run.name, checkpoint.name,
                       checkpoint.step ? std::to_string(*checkpoint.step) : "",
                       checkpoint.epoch ? numberText(*checkpoint.epoch) : "",
                       checkpoint.isLink() ? "" : formatBytes(checkpoint.bytes), checkpoint.format,
                       checkpoint.isLink() ? "link" : std::string(stateName(checkpoint.state)),
                       remarkOf(checkpoint, run)});
        }
    }
    table.print(session);
    printNotices(session, experiment.notices);
    if (!session.quiet) {
        session.out.line("");
        session.out.line(counted(experiment.runs.size(), "run") + ", " +
                         counted(experiment.checkpoints(), "checkpoint"));
    }
}

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(Experiment experiment, scanExperiment(arguments.at(0), session.cancel));
    RunTable table;
    if (!arguments.has("quick")) {
        CAIRN_TRY(table, examineAll(experiment, session));
    }
    if (session.json) {
        writeJson(experiment, table, arguments.at(0), session);
    } else {
        printText(experiment, session);
    }
    return kExitOk;
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"FOLDER", "A folder of any depth, or one checkpoint"}});
constexpr auto kOptions = std::to_array<Option>(
    {{"--quick", "", "Names and sizes only; do not look into the checkpoints"}});

} // namespace

const Verb kRunsVerb{"runs",
                     "List the runs below a folder and their checkpoints",
                     kPositionals,
                     kOptions,
                     {"cairn-cli runs outputs", "cairn-cli runs outputs --json",
                      "cairn-cli runs /data/experiments --quick"},
                     run};

} // namespace cairn::cli
