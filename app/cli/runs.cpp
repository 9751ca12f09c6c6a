// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/report_output.h"
#include "app/cli/run_listing.h"
#include "app/cli/run_table_output.h"
#include "app/cli/text_table.h"
#include "app/cli/value_text.h"
#include "app/cli/verb.h"
#include "app/cli/why_output.h"
#include "core/base/counted.h"
#include "core/base/visible_text.h"
#include "core/runs/rank/best_decision.h"
#include "core/runs/rank/why.h"
#include "core/runs/scan/experiment_scan.h"
#include "core/runs/table/run_table.h"

#include <filesystem>
#include <memory>
#include <set>

namespace cairn::cli::verb_runs {
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
    if (!run.bestIs) {
        json.null();
    } else {
        json.beginObject();
        json.member("from", run.bestIs.because.front().id);
        json.memberOrNull("metric", run.bestMetric);
        json.key("value");
        run.bestValue ? json.number(*run.bestValue) : json.null();
        json.memberOrNull("source", run.bestSource.string());
        if (run.bestIs.isBy(kBestByScore)) {
            json.member("larger_is_better", run.largerIsBetter());
        }
        writeReasons(json, run.bestIs);
        json.endObject();
    }
    writeEvidence(json, "best_against", run.bestIs.against);
    json.key("headline");
    json.beginObject();
    json.memberOrNull("metric", run.scoreMetric());
    writeReasons(json, run.headline);
    json.endObject();
    json.key("direction");
    json.beginObject();
    writeDirection(json, run.direction.value.value_or(names::Direction::Unknown));
    writeReasons(json, run.direction);
    json.endObject();
    json.memberOrNull("undecided_metric", run.undecidedMetric);
    writeEvidence(json, "rows_because", run.rowsBecause);
    writeEvidence(json, "rows_against", run.rowsAgainst);
    json.key("checkpoints");
    json.beginArray();
    for (const ScannedCheckpoint& each : run.checkpoints) {
        writeCheckpoint(json, each, run);
    }
    json.endArray();
    json.key("exports");
    json.beginArray();
    for (const ScannedCheckpoint& each : run.checkpoints) {
        if (each.exportOf) {
            json.beginObject();
            json.member("path", each.path.string());
            json.memberOrNull("of", *each.exportOf.value);
            writeEvidence(json, "because", each.exportOf.because);
            json.endObject();
        }
    }
    json.endArray();
    json.key("resumed_in");
    json.beginArray();
    for (const ResumedIn& each : run.resumedIn) {
        json.beginObject();
        json.member("path", each.path.string());
        writeEvidence(json, "because", each.because);
        json.endObject();
    }
    json.endArray();
    writeHistories(json, row);
    json.endObject();
}

/// A folder argument with its facts.
struct Listed {
    std::string path;
    Experiment experiment;
    std::shared_ptr<const RunTable> table = std::make_shared<const RunTable>();
};

std::vector<Notice> noticesOf(const std::vector<Listed>& all) {
    std::vector<Notice> notices;
    for (const Listed& each : all) {
        notices.insert(notices.end(), each.experiment.notices.begin(),
                       each.experiment.notices.end());
    }
    return notices;
}

void writeJson(const std::vector<Listed>& all, Session& session) {
    JsonDocument document(session.out);
    document->member("path", all.front().path);
    document->key("runs");
    document->beginArray();
    for (const Listed& each : all) {
        for (const ScannedRun& run : each.experiment.runs) {
            writeRun(*document, run, each.table->find(run.id));
        }
    }
    document->endArray();
    writeNotices(*document, "notices", noticesOf(all));
    document.finish();
}

/// A checkpoint of one of the runs.
struct Place {
    const ScannedRun* run = nullptr;
    const ScannedCheckpoint* checkpoint = nullptr;
};

/// Finds a checkpoint by its path, else by its name if that is unique.
Result<Place> findCheckpoint(const std::vector<Listed>& all, const std::string& wanted) {
    std::error_code error;
    const auto real = std::filesystem::weakly_canonical(wanted, error);
    std::vector<Place> named;
    std::size_t count = 0;
    for (const Listed& each : all) {
        for (const ScannedRun& run : each.experiment.runs) {
            for (const ScannedCheckpoint& checkpoint : run.checkpoints) {
                ++count;
                std::error_code none;
                const auto parent = std::filesystem::weakly_canonical(
                    checkpoint.path.has_parent_path() ? checkpoint.path.parent_path() : ".", none);
                if (parent / checkpoint.path.filename() == real ||
                    (!checkpoint.isLink() &&
                     std::filesystem::weakly_canonical(checkpoint.path, none) == real)) {
                    return Place{&run, &checkpoint};
                }
                if (checkpoint.name == wanted || run.id + "/" + checkpoint.name == wanted) {
                    named.push_back({&run, &checkpoint});
                }
            }
        }
    }
    if (named.size() == 1) {
        return named.front();
    }
    return fail(named.empty() ? ErrorCode::NotFound : ErrorCode::InvalidArgument,
                named.empty() ? Sentence("The folder does not contain a checkpoint with this name")
                              : "Several runs have a checkpoint with this name")
        .inFile(wanted)
        .butFound(named.empty() ? counting(count, "checkpoint")
                                : sentence("%1, %2", named[0].checkpoint->path.string(),
                                           named[1].checkpoint->path.string()))
        .withHint("Specify it by its path; `cairn-cli runs` lists all");
}

Result<int> printExplanation(const std::vector<Listed>& all, const std::string& wanted,
                             Session& session) {
    CAIRN_TRY(const Place place, findCheckpoint(all, wanted));
    const std::vector<Explanation> chain = explainCheckpoint(*place.run, *place.checkpoint);
    if (!session.json) {
        printField(session, "run", place.run->name);
        printField(session, "checkpoint", place.checkpoint->path.string());
        printChain(session, chain);
        return kExitOk;
    }
    JsonDocument document(session.out);
    document->member("path", place.checkpoint->path.string());
    document->member("run", place.run->id);
    document->member("best", place.checkpoint->best);
    document->member("latest", place.checkpoint->latest);
    writeChain(*document, chain);
    document.finish();
    return kExitOk;
}

/// "the curve in metrics.csv", "the record in step-400".
std::string bestSourceText(const ScannedRun& run) {
    const std::string source = run.bestSource.filename().string();
    if (run.bestIs.isBy(kBestInRecord)) {
        return "the record in " + source;
    }
    if (run.bestIs.isBy(kBestInName)) {
        return "the name " + source;
    }
    return source.empty() ? "their values" : "the curve in " + source;
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
        remark += ", from " + bestSourceText(run);
    }
    add(checkpoint.latest ? "latest" : "");
    add(checkpoint.isLink() ? "link to " + checkpoint.linkTo : "");
    if (checkpoint.exportOf) {
        const std::string& of = *checkpoint.exportOf.value;
        add(of.empty() ? "an export" : "export of " + of);
    }
    for (const std::string& pointer : checkpoint.pointedBy) {
        add("named by " + pointer);
    }
    add(checkpoint.exports.empty() ? "" : "exported");
    add(checkpoint.reason.text());
    return remark;
}

void addRows(TextTable& table, const ScannedRun& run) {
    for (const ScannedCheckpoint& checkpoint : run.checkpoints) {
        table.add({run.name, checkpoint.name,
                   checkpoint.step ? std::to_string(*checkpoint.step) : "",
                   checkpoint.epoch ? numberText(*checkpoint.epoch) : "",
                   checkpoint.isLink() ? "" : formatBytes(checkpoint.bytes), checkpoint.format,
                   checkpoint.isLink() ? "link" : std::string(stateName(checkpoint.state)),
                   remarkOf(checkpoint, run)});
    }
    if (run.checkpoints.empty()) {
        table.add({run.name, "", "", "", "", "", "", "no checkpoints: only logs"});
    }
}

/// Curves that no checkpoint has a value of, because nothing shows which row is whose; and runs
/// whose best checkpoint may be in logs that were not read.
void printUndecided(const std::vector<Listed>& all, Session& session) {
    for (const Listed& each : all) {
        for (const ScannedRun& run : each.experiment.runs) {
            if (!run.undecidedMetric.empty() && !session.quiet) {
                session.out.line(run.name + ": " + run.undecidedMetric +
                                 " is not matched with checkpoints: nothing shows which row is a "
                                 "checkpoint's (see --why)");
            }
            const auto unread = std::ranges::find(run.rowsAgainst, kLogsNotRead, &Evidence::id);
            if (unread != run.rowsAgainst.end() && !run.bestIs && !session.quiet) {
                session.out.line(run.name + ": no checkpoint is the best by " + run.scoreMetric() +
                                 ": " + unread->says.text());
            }
        }
    }
}

void printText(const std::vector<Listed>& all, Session& session) {
    TextTable table({{"RUN"},
                     {"CHECKPOINT"},
                     {"STEP", Align::Right},
                     {"EPOCH", Align::Right},
                     {"SIZE", Align::Right},
                     {"FORMAT"},
                     {"STATE"},
                     {""}});
    std::size_t runs = 0;
    std::size_t checkpoints = 0;
    for (const Listed& each : all) {
        runs += each.experiment.runs.size();
        checkpoints += each.experiment.checkpoints();
        for (const ScannedRun& run : each.experiment.runs) {
            addRows(table, run);
        }
    }
    table.print(session);
    printNotices(session, noticesOf(all));
    printUndecided(all, session);
    if (!session.quiet) {
        session.out.line("");
        session.out.line(counted(runs, "run") + ", " + counted(checkpoints, "checkpoint"));
    }
}

Result<int> run(const Arguments& arguments, Session& session) {
    std::vector<Listed> all;
    for (const std::optional<std::string>& folder : arguments.positionals) {
        Listed listed;
        listed.path = folder.value_or("");
        CAIRN_TRY(listed.experiment, scanExperiment(listed.path, session.cancel));
        if (!arguments.has("quick")) {
            CAIRN_TRY(RunTable table, examineAll(listed.experiment, session));
            listed.table = std::make_shared<const RunTable>(std::move(table));
        }
        all.push_back(std::move(listed));
    }
    if (const auto wanted = arguments.text("why")) {
        return printExplanation(all, *wanted, session);
    }
    if (wantsTable(arguments)) {
        std::vector<GridSource> sources;
        std::set<std::filesystem::path> seen;
        for (Listed& each : all) {
            if (all.size() > 1) {
                dropRepeatedRuns(each.experiment, seen);
            }
            sources.push_back({&each.experiment, each.table});
        }
        return printTable(sources, noticesOf(all), all.front().path, arguments, session);
    }
    if (session.json) {
        writeJson(all, session);
    } else {
        printText(all, session);
    }
    return kExitOk;
}

constexpr auto kPositionals = std::to_array<Positional>(
    {{"FOLDER", "A folder of any depth, or a checkpoint", Words::OneOrMore}});
constexpr auto kOptions = std::to_array<Option>(
    {{"--quick", "", "Names and sizes only; do not read the checkpoints"},
     {"--why", "CHECKPOINT", "Explain why this checkpoint is or is not complete, best, latest"},
     {"--table", "", "One row a run: settings that differ, metrics, state, size"},
     {"--columns", "A,B",
      "Settings, metrics (loss, loss.last, loss.best, loss.best_step) and facts (state, step, "
      "duration, bytes, newest, best, checkpoints, started) to show; may contain * and ?"},
     {"--filter", "EXPR", "Only runs that match: 'lr < 1e-3 and optimizer == adamw'"},
     {"--group-by", "KEYS",
      "One row a group of runs with equal settings: 'lr,optimizer', 'all but seed'; metrics as "
      "mean "
      "and std"},
     {"--sort", "COL", "Ascending by a column; 'COL desc' descending. Missing values are last"},
     {"--csv", "", "The table as CSV (RFC 4180), without rounding"},
     kHtmlOption,
     kMarkdownOption,
     {"--explain", "METRIC",
      "Settings by how well they separate this metric: rank statistic, n, permutation p-value"}});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"runs",
                 "List the runs below a folder and their checkpoints",
                 kPositionals,
                 kOptions,
                 {"cairn-cli runs outputs --why outputs/a/checkpoint-500",
                  "cairn-cli runs outputs --table --filter 'lr < 1e-3' --sort eval_loss",
                  "cairn-cli runs outputs --table --group-by 'all but seed' --csv"},
                 run};

} // namespace cairn::cli::verb_runs
