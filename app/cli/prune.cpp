// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/run_listing.h"
#include "app/cli/text_table.h"
#include "app/cli/verbs.h"
#include "core/base/visible_text.h"
#include "core/formats/format.h"
#include "core/io/file_ops.h"
#include "core/runs/retention.h"
#include "core/runs/wastebasket.h"

#include <charconv>

namespace cairn::cli {
namespace {

struct Moved {
    std::vector<std::filesystem::path> to; ///< as RetentionPlan::remove; empty: not moved
    std::vector<Notice> problems;
    std::uint64_t bytes = 0;
};

Result<std::size_t> numberOf(const Arguments& arguments, std::string_view option) {
    const auto text = arguments.text(option);
    if (!text) {
        return std::size_t{0};
    }
    std::size_t number = 0;
    const char* end = text->data() + text->size();
    const auto parsed = std::from_chars(text->data(), end, number);
    if (parsed.ec != std::errc() || parsed.ptr != end) {
        return fail(ErrorCode::InvalidArgument, "This is no number of checkpoints")
            .inField("--" + std::string(option))
            .butFound(*text);
    }
    return number;
}

/// Moves one after another; what cannot be moved stays and is told.
Moved apply(const RetentionPlan& plan, const Session& session) {
    Moved moved;
    RealFileOps ops;
    const WastebasketPlaces places = WastebasketPlaces::ofUser();
    std::vector<std::vector<std::filesystem::path>> files; // named by what lies beside them
    for (const RetentionPlan::Entry& each : plan.remove) {
        files.push_back(filesOfSave(each.path));
        if (files.back().empty()) {
            files.back().push_back(each.path);
        }
    }
    for (std::size_t i = 0; i < plan.remove.size(); ++i) {
        moved.to.emplace_back();
        if (session.cancel.cancelled()) {
            continue;
        }
        bool all = true;
        for (const std::filesystem::path& file : files[i]) {
            auto to = moveToWastebasket(ops, file, places);
            if (!to) {
                moved.problems.push_back({Severity::Error, std::move(to).error()});
                all = false;
                break;
            }
            moved.to.back() = moved.to.back().empty() ? std::move(*to) : moved.to.back();
        }
        moved.bytes += all ? plan.remove[i].bytes : 0;
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
        json.endObject();
    }
    json.endArray();
}

void writeJson(const RetentionPlan& plan, const Moved& moved, bool applied, const std::string& path,
               Session& session) {
    JsonDocument document(session.out);
    document->member("path", path);
    document->member("applied", applied);
    writeEntries(*document, "keep", plan.keep);
    document->key("remove");
    document->beginArray();
    for (std::size_t i = 0; i < plan.remove.size(); ++i) {
        document->beginObject();
        document->member("path", plan.remove[i].path.string());
        document->member("bytes", plan.remove[i].bytes);
        if (applied) {
            document->memberOrNull("moved_to", moved.to[i].string());
        }
        document->endObject();
    }
    document->endArray();
    writeEntries(*document, "refused", plan.refused);
    document->member("freed_bytes", applied ? moved.bytes : plan.freedBytes);
    writeNotices(*document, "notices", moved.problems);
    document.finish();
}

void printText(const RetentionPlan& plan, const Moved& moved, bool applied, Session& session) {
    TextTable table({{""}, {"CHECKPOINT"}, {"SIZE", Align::Right}, {""}});
    const auto add = [&](std::string_view what, const RetentionPlan::Entry& each,
                         std::string_view why) {
        table.add(
            {std::string(what), each.path.string(), formatBytes(each.bytes), std::string(why)});
    };
    for (const auto& each : plan.keep) {
        add("keep", each, each.why);
    }
    for (std::size_t i = 0; i < plan.remove.size(); ++i) {
        const bool gone = applied && !moved.to[i].empty();
        add(gone ? "moved" : "remove", plan.remove[i], gone ? moved.to[i].string() : "");
    }
    for (const auto& each : plan.refused) {
        add("refused", each, each.why);
    }
    table.print(session);
    printNotices(session, moved.problems);
    if (!session.quiet) {
        session.out.line("");
        session.out.line(applied ? formatBytes(moved.bytes) + " moved to the wastebasket"
                                 : formatBytes(plan.freedBytes) +
                                       " would be freed; nothing was touched. Add --apply to move "
                                       "them to the wastebasket.");
    }
}

Result<int> run(const Arguments& arguments, Session& session) {
    RetentionRules rules;
    CAIRN_TRY(rules.keepLast, numberOf(arguments, "keep-last"));
    CAIRN_TRY(rules.keepBest, numberOf(arguments, "keep-best"));
    CAIRN_TRY(const ScannedRun scanned, openRun(arguments.at(0), session));
    CAIRN_TRY(const RetentionPlan plan, planRetention(scanned, rules));
    const bool applied = arguments.has("apply");
    const Moved moved = applied ? apply(plan, session) : Moved();
    if (session.json) {
        writeJson(plan, moved, applied, arguments.at(0), session);
    } else {
        printText(plan, moved, applied, session);
    }
    CAIRN_CHECK(session.cancel.check());
    return moved.problems.empty() ? kExitOk : exitCode(moved.problems.front().error);
}

constexpr auto kPositionals = std::to_array<Positional>({{"RUN", "The folder of one run"}});
constexpr auto kOptions = std::to_array<Option>({
    {"--keep-last", "N", "Keep what was saved at the last N steps, whole ones"},
    {"--keep-best", "K", "Keep the K best by the run's own metric"},
    {"--apply", "", "Move the others to the wastebasket; without it nothing is touched"},
});

} // namespace

const Verb kPruneVerb{"prune",
                      "Say which checkpoints of a run may go, and move them to the wastebasket",
                      kPositionals,
                      kOptions,
                      {"cairn-cli prune outputs/run-1 --keep-last 2",
                       "cairn-cli prune outputs/run-1 --keep-last 1 --keep-best 3 --json",
                       "cairn-cli prune outputs/run-1 --keep-best 1 --apply"},
                      run};

} // namespace cairn::cli
