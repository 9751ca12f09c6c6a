// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/text_table.h"
#include "app/cli/transform_options.h"
#include "app/cli/verb.h"
#include "core/base/counted.h"
#include "core/base/visible_text.h"
#include "core/io/location.h"
#include "core/jobs/header_edit/header_edit.h"

namespace cairn::cli::verb_edit {
namespace {

constexpr char kBetween = '\x1f'; ///< separator for the values of a repeated option

std::vector<std::string> listOf(const Arguments& arguments, std::string_view option) {
    std::vector<std::string> all;
    const auto text = arguments.text(option);
    for (std::size_t from = 0; text && from <= text->size();) {
        const std::size_t end = std::min(text->find(kBetween, from), text->size());
        all.push_back(text->substr(from, end - from));
        from = end + 1;
    }
    return all;
}

Result<HeaderChanges> changesOf(const Arguments& arguments) {
    HeaderChanges changes;
    CAIRN_TRY(changes.rename, renameRules(arguments));
    changes.renameText = changes.rename.text();
    for (const std::string& each : listOf(arguments, "set")) {
        const std::size_t equals = each.find('=');
        if (equals == std::string::npos || equals == 0) {
            return fail(ErrorCode::InvalidArgument, "Not KEY=VALUE")
                .inField("--set")
                .butFound(verbatim(each));
        }
        changes.set.emplace_back(each.substr(0, equals), each.substr(equals + 1));
    }
    changes.unset = listOf(arguments, "unset");
    if (changes.empty()) {
        return fail(ErrorCode::InvalidArgument, "No change was specified")
            .withHint("Use --rename RULES, --set KEY=VALUE or --unset KEY; --recover finishes or "
                      "undoes an interrupted edit");
    }
    return changes;
}

std::string methodText(const HeaderEditPlan& plan) {
    switch (plan.method) {
    case EditMethod::Nothing:
        return "nothing to change";
    case EditMethod::InRoom:
        return "within the existing header: " + formatBytes(plan.dataBefore) + " are written";
    case EditMethod::Insert:
        return "by inserting " + counted(plan.inserted() / plan.unit, "block") + " of " +
               formatBytes(plan.unit) + " before the data: " + formatBytes(plan.dataAfter) +
               " are written";
    case EditMethod::NotInPlace:
        break;
    }
    return "not possible in place: use `cairn-cli rename SRC -o OUT`. " + plan.why.text();
}

void writeText(JsonWriter& json, std::string_view name, const std::optional<std::string>& text) {
    json.key(name);
    if (text) {
        json.string(*text);
    } else {
        json.null();
    }
}

void writeJson(const HeaderEditPlan& plan, const HeaderEditReport* report, const std::string& path,
               Session& session) {
    JsonDocument document(session.out);
    document->member("path", path);
    document->member("format", plan.format);
    document->member("applied", report != nullptr);
    document->key("renamed");
    document->beginArray();
    for (const RenamedTensor& each : plan.edited.renamed) {
        document->beginObject();
        document->member("from", each.from);
        document->member("to", each.to);
        document->endObject();
    }
    document->endArray();
    document->key("entries");
    document->beginArray();
    for (const auto& [key, value] : plan.edited.entries) {
        document->beginObject();
        document->member("key", key);
        document->member("value", value);
        document->endObject();
    }
    document->endArray();
    document->key("metadata");
    document->beginArray();
    for (const MetadataChange& each : plan.edited.metadata) {
        document->beginObject();
        document->member("key", each.key);
        writeText(*document, "before", each.before);
        writeText(*document, "after", each.after);
        document->endObject();
    }
    document->endArray();
    const bool known = plan.method != EditMethod::NotInPlace;
    document->member("method", editMethodName(plan.method));
    document->memberOrNull("why", plan.why);
    document->member("header_bytes_before", plan.dataBefore);
    document->member("header_bytes_after", known ? plan.dataAfter : plan.edited.leastSize);
    document->member("inserted_bytes", known ? plan.inserted() : 0);
    document->member("verified", report != nullptr);
    if (report != nullptr) {
        document->memberOrNull("backup", report->backup.string());
        document->member("seconds", report->seconds);
    }
    std::vector<Notice> notices = plan.notices;
    if (report != nullptr) {
        notices.insert(notices.end(), report->notices.begin(), report->notices.end());
    }
    writeNotices(*document, "notices", notices);
    document.finish();
}

void printChanges(const HeaderEditPlan& plan, Session& session) {
    TextTable names({{"NAME"}, {"NEW NAME"}});
    for (const RenamedTensor& each : plan.edited.renamed) {
        names.add({each.from, each.to});
    }
    if (!plan.edited.renamed.empty()) {
        names.print(session);
        session.out.line("");
    }
    TextTable metadata({{"METADATA"}, {"BEFORE"}, {"AFTER"}});
    for (const MetadataChange& each : plan.edited.metadata) {
        metadata.add({each.key, each.before.value_or("(none)"), each.after.value_or("(none)")});
    }
    if (!plan.edited.metadata.empty()) {
        metadata.print(session);
        session.out.line("");
    }
}

void printText(const HeaderEditPlan& plan, const HeaderEditReport* report, Session& session) {
    if (!session.quiet) {
        printChanges(plan, session);
        const std::uint64_t after =
            plan.method == EditMethod::NotInPlace ? plan.edited.leastSize : plan.dataAfter;
        printField(session, "renamed", counted(plan.edited.renamed.size(), "tensor"));
        printField(session, "header",
                   std::to_string(plan.dataBefore) + " bytes before, " + std::to_string(after) +
                       " after");
        printField(session, "written", methodText(plan));
    }
    printNotices(session, plan.notices);
    if (report != nullptr) {
        printNotices(session, report->notices);
        if (!report->backup.empty()) {
            printField(session, "backup", report->backup.string());
        }
        session.out.line("Done and verified; the tensor data is unchanged.");
    } else if (plan.method == EditMethod::InRoom || plan.method == EditMethod::Insert) {
        session.out.line("Nothing was changed. Use --apply to write the change.");
    }
}

Result<int> recover(const std::string& path, Session& session) {
    RealFileOps ops;
    CAIRN_TRY(const Recovered recovered, recoverHeaderEdit(ops, path));
    const std::string_view what = recovered == Recovered::Nothing  ? "nothing"
                                  : recovered == Recovered::Undone ? "undone"
                                                                   : "finished";
    if (session.json) {
        JsonDocument document(session.out);
        document->member("path", path);
        document->member("recovered", what);
        document.finish();
    } else if (recovered == Recovered::Nothing) {
        session.out.line("No interrupted edit of this file.");
    } else {
        session.out.line(recovered == Recovered::Undone
                             ? "The interrupted edit was undone; the file is unchanged."
                             : "The interrupted edit had already completed; nothing to recover.");
    }
    return kExitOk;
}

Result<int> run(const Arguments& arguments, Session& session) {
    const std::string path = Location(arguments.at(0)).path().string();
    if (arguments.has("recover")) {
        return recover(path, session);
    }
    CAIRN_TRY(const HeaderChanges changes, changesOf(arguments));
    const HeaderEditOptions options{arguments.has("force"), arguments.has("keep-backup")};
    RealFileOps ops;
    CAIRN_TRY(const HeaderEditPlan plan, planHeaderEdit(ops, path, changes, options));
    CAIRN_CHECK(session.cancel.check());
    std::optional<HeaderEditReport> report;
    if (arguments.has("apply")) {
        CAIRN_TRY(report, applyHeaderEdit(ops, plan, options));
    }
    const HeaderEditReport* done = report ? &*report : nullptr;
    if (session.json) {
        writeJson(plan, done, path, session);
    } else {
        printText(plan, done, session);
    }
    return kExitOk;
}

constexpr auto kPositionals = std::to_array<Positional>({{"FILE", "A safetensors file"}});
constexpr auto kOptions = std::to_array<Option>({
    kRenameOption,
    {"--set", "KEY=VALUE", "Set a metadata string; repeatable", kBetween},
    {"--unset", "KEY", "Remove a metadata string; repeatable", kBetween},
    {"--apply", "", "Write the new header; without this option nothing is changed"},
    {"--keep-backup", "", "Keep a copy of the old header beside the file"},
    {"--recover", "", "Finish or undo an interrupted edit"},
    {"--force", "", "Also edit a file with several hard links, or a shard that an index lists"},
});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"edit",
                 "Rename tensors and change metadata in place, without rewriting the data",
                 kPositionals,
                 kOptions,
                 {"cairn-cli edit model.safetensors --rename strip-wrappers",
                  "cairn-cli edit model.safetensors --set format=pt --unset note --apply",
                  "cairn-cli edit model.safetensors --recover"},
                 run};

} // namespace cairn::cli::verb_edit
