// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/run_listing.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "core/base/absolute_path.h"
#include "core/base/visible_text.h"
#include "core/io/file_ops.h"
#include "core/runs/pins.h"
#include "core/runs/retention/retention_apply.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>
#include <string>

namespace cairn::cli::verb_prune {
namespace {

constexpr std::int64_t kMinute = 60'000'000'000;
constexpr std::size_t kGraceMinutes = 10;
constexpr std::size_t kMaxMinutes = 100'000'000;

struct Moved {
    std::vector<std::filesystem::path> to; ///< parallel to RetentionPlan::remove; empty: not moved
    std::vector<Notice> problems;
    std::uint64_t bytes = 0;
};

struct Outcome {
    RetentionPlan plan;
    std::set<std::filesystem::path> pinned;
    std::vector<Notice> notices;
    bool applied = false;
    Moved moved;
};

Result<std::size_t> wholeNumber(const Arguments& arguments, std::string_view option,
                                std::size_t otherwise) {
    const auto text = arguments.text(option);
    if (!text) {
        return otherwise;
    }
    std::size_t number = 0;
    const char* end = text->data() + text->size();
    const auto parsed = std::from_chars(text->data(), end, number);
    if (parsed.ec != std::errc() || parsed.ptr != end) {
        return fail(ErrorCode::InvalidArgument, "Not a number")
            .inField("--" + std::string(option))
            .butFound(verbatim(*text));
    }
    return number;
}

/// Moves the checkpoints one after another; failures are reported.
Moved apply(const RetentionPlan& plan, const Session& session) {
    Moved moved;
    RealFileOps ops;
    for (auto& to : applyRetention(ops, plan, WastebasketPlaces::ofUser(), session.cancel)) {
        const RetentionPlan::Removal& removal = plan.remove[moved.to.size()];
        moved.to.push_back(to.value_or(std::filesystem::path()));
        moved.bytes += to ? removal.frees : 0;
        if (!to && to.error().code != ErrorCode::Cancelled) {
            moved.problems.push_back({Severity::Error, std::move(to).error()});
        }
    }
    return moved;
}

void writeEntries(JsonWriter& json, std::string_view name,
                  const std::vector<RetentionPlan::Entry>& entries) {
    json.key(name);
    json.beginArray();
    for (const RetentionPlan::Entry& each : entries) {
        json.beginObject();
        json.member("path", each.path.string());
        json.member("why", each.why);
        json.member("bytes", each.bytes);
        json.endObject();
    }
    json.endArray();
}

void writeJson(const Outcome& outcome, const std::string& path, Session& session) {
    const auto& [plan, pinned, notices, applied, moved] = outcome;
    JsonDocument document(session.out);
    document->member("path", path);
    document->member("applied", applied);
    document->key("pinned");
    document->beginArray();
    for (const std::filesystem::path& each : pinned) {
        document->string(each.string());
    }
    document->endArray();
    writeEntries(*document, "keep", plan.keep);
    document->key("remove");
    document->beginArray();
    for (std::size_t i = 0; i < plan.remove.size(); ++i) {
        document->beginObject();
        document->member("path", plan.remove[i].path.string());
        document->member("why", plan.remove[i].why);
        document->member("bytes", plan.remove[i].bytes);
        document->member("frees", plan.remove[i].frees);
        document->member("loses", plan.remove[i].loses);
        if (applied) {
            document->memberOrNull("moved_to", moved.to[i].string());
        }
        document->endObject();
    }
    document->endArray();
    writeEntries(*document, "refused", plan.refused);
    document->member("freed_bytes", applied ? moved.bytes : plan.freedBytes);
    std::vector<Notice> all = moved.problems;
    all.insert(all.end(), notices.begin(), notices.end());
    writeNotices(*document, "notices", all);
    document.finish();
}

void printText(const Outcome& outcome, Session& session) {
    const auto& [plan, pinned, notices, applied, moved] = outcome;
    TextTable table({{""}, {"CHECKPOINT"}, {"SIZE", Align::Right}, {""}});
    const auto add = [&](std::string_view what, const RetentionPlan::Entry& each,
                         const Sentence& why) {
        table.add({std::string(what), each.path.string(), formatBytes(each.bytes), why.text()});
    };
    for (const auto& each : plan.keep) {
        add("keep", each, each.why);
    }
    for (std::size_t i = 0; i < plan.remove.size(); ++i) {
        const bool gone = applied && !moved.to[i].empty();
        add(gone ? "moved" : "remove", plan.remove[i],
            gone ? verbatim(moved.to[i].string()) : plan.remove[i].why);
    }
    for (const auto& each : plan.refused) {
        add("refused", each, each.why);
    }
    table.print(session);
    printNotices(session, notices);
    printNotices(session, moved.problems);
    if (!session.quiet && plan.waitsForDirection) {
        session.out.line("");
        session.out.line("Name the metric and its direction to remove anything: --best-by "
                         "METRIC:min or METRIC:max");
    }
    for (const std::filesystem::path& each : pinned) {
        session.out.line("pinned: " + visibleText(each.string()));
    }
    if (!session.quiet && (!plan.keep.empty() || !plan.remove.empty() || !plan.refused.empty())) {
        session.out.line("");
        session.out.line(applied ? formatBytes(moved.bytes) + " moved to the wastebasket"
                                 : formatBytes(plan.freedBytes) +
                                       " would be freed; nothing was moved. Use --apply to move "
                                       "them to the wastebasket.");
    }
}

/// METRIC:min or METRIC:max.
Result<RankedBy> rankedBy(const Arguments& arguments) {
    const auto text = arguments.text("best-by");
    if (!text) {
        return RankedBy();
    }
    const std::size_t colon = text->rfind(':');
    const std::string word = colon == std::string::npos ? std::string() : text->substr(colon + 1);
    if (colon == 0 || (word != "min" && word != "max")) {
        return fail(ErrorCode::InvalidArgument, "The metric has no direction")
            .inField("--best-by")
            .butFound(verbatim(*text))
            .expecting("METRIC:min or METRIC:max");
    }
    return RankedBy{text->substr(0, colon),
                    word == "max" ? names::Direction::Larger : names::Direction::Smaller};
}

/// The checkpoints that were named, by their names in the run or by their paths, one a line.
Result<std::vector<std::filesystem::path>> namedIn(const ScannedRun& run,
                                                   const std::optional<std::string>& names) {
    std::vector<std::filesystem::path> paths;
    std::istringstream lines(names.value_or(""));
    for (std::string name; std::getline(lines, name);) {
        const auto at = std::ranges::find_if(run.checkpoints, [&](const ScannedCheckpoint& each) {
            return each.name == name || each.path == absolutePath(name);
        });
        if (at == run.checkpoints.end()) {
            return fail(ErrorCode::NotFound, "The run has no checkpoint of this name")
                .inFile(run.path.string())
                .butFound(verbatim(name))
                .withHint("`cairn-cli runs` lists them");
        }
        paths.push_back(at->path);
    }
    return paths;
}

Result<void> changePins(const ScannedRun& run, const Arguments& arguments) {
    RealFileOps ops;
    for (const bool pins : {true, false}) {
        CAIRN_TRY(const auto named, namedIn(run, arguments.text(pins ? "pin" : "unpin")));
        for (const std::filesystem::path& each : named) {
            CAIRN_CHECK(setPinned(ops, each, pins));
        }
    }
    return {};
}

Result<Outcome> plan(const Arguments& arguments, const RetentionRules& rules, const RankedBy& by,
                     Session& session) {
    Outcome outcome;
    CAIRN_TRY(PrunableRun run, examineForPruning(arguments.at(0), session, by));
    CAIRN_CHECK(changePins(run.run, arguments));
    const bool onlyPins = (arguments.has("pin") || arguments.has("unpin")) && rules.keepLast == 0 &&
                          rules.keepBest == 0;
    if (arguments.has("remove")) {
        CAIRN_TRY(const auto chosen, namedIn(run.run, arguments.text("remove")));
        outcome.plan = planChosen(run, chosen);
    } else if (!onlyPins) {
        CAIRN_TRY(outcome.plan, planPruning(run, rules, session.cancel));
    }
    outcome.pinned = pinnedOf(run.run);
    outcome.notices = std::move(run.notices);
    return outcome;
}

Result<int> run(const Arguments& arguments, Session& session) {
    RetentionRules rules;
    CAIRN_TRY(rules.keepLast, wholeNumber(arguments, "keep-last", 0));
    CAIRN_TRY(rules.keepBest, wholeNumber(arguments, "keep-best", 0));
    CAIRN_TRY(const std::size_t minutes, wholeNumber(arguments, "grace", kGraceMinutes));
    rules.graceNs = static_cast<std::int64_t>(std::min(minutes, kMaxMinutes)) * kMinute;
    CAIRN_TRY(const RankedBy by, rankedBy(arguments));
    CAIRN_TRY(Outcome outcome, plan(arguments, rules, by, session));
    outcome.applied = arguments.has("apply");
    outcome.moved = outcome.applied ? apply(outcome.plan, session) : Moved();
    if (session.json) {
        writeJson(outcome, arguments.at(0), session);
    } else {
        printText(outcome, session);
    }
    CAIRN_CHECK(session.cancel.check());
    const auto& problems = outcome.moved.problems;
    return problems.empty() ? kExitOk : exitCode(problems.front().error);
}

constexpr auto kPositionals = std::to_array<Positional>({{"RUN", "The folder of a run"}});
constexpr auto kOptions = std::to_array<Option>({
    {"--keep-last", "N", "Keep the complete checkpoints of the last N steps"},
    {"--keep-best", "K", "Keep the K best by the run's metric"},
    {"--best-by", "METRIC:min|max",
     "Rank by this metric; without it, only a direction that the trainer recorded removes "
     "anything"},
    {"--grace", "MINUTES", "Keep checkpoints that changed within this time (10)"},
    {"--remove", "NAME",
     "Instead of rules: these checkpoints of the run, by name or path, with what is lost", '\n'},
    {"--pin", "NAME", "Keep this checkpoint from now on, whatever the rules are", '\n'},
    {"--unpin", "NAME", "Remove the pin of this checkpoint", '\n'},
    {"--apply", "", "Move the others to the wastebasket; without this option nothing is moved"},
});

} // namespace

extern const Verb kVerb;
const Verb kVerb{
    "prune",
    "List the checkpoints of a run that can be removed, and move them to the wastebasket",
    kPositionals,
    kOptions,
    {"cairn-cli prune outputs/run-1 --keep-last 2",
     "cairn-cli prune outputs/run-1 --keep-last 1 --keep-best 3 --json",
     "cairn-cli prune outputs/run-1 --keep-best 1 --apply"},
    run};

} // namespace cairn::cli::verb_prune
