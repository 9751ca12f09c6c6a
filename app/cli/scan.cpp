// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/pickle_scan.h"
#include "app/cli/text_table.h"
#include "app/cli/verbs.h"
#include "core/base/visible_text.h"
#include "core/formats/format.h"

namespace cairn::cli {
namespace {

void writeJson(const PathScan& scan, const std::string& path, Session& session) {
    JsonDocument document(session.out);
    document->member("path", path);
    document->member("verdict", pickle::verdictName(scan.verdict));
    document->key("globals");
    document->beginArray();
    for (const FoundGlobal& global : scan.globals) {
        document->beginObject();
        document->member("module", global.module);
        document->member("name", global.name);
        document->member("kind", pickle::verdictName(global.risk));
        document->member("called", global.called);
        document->member("file", global.file);
        document->member("offset", global.offset);
        document->endObject();
    }
    document->endArray();
    document->key("reasons");
    document->beginArray();
    for (const std::string& reason : scan.reasons) {
        document->string(reason);
    }
    document->endArray();
    document->member("files", scan.files);
    document->member("pickles", scan.pickles);
    document.finish();
}

void printText(const PathScan& scan, Session& session) {
    session.out.line(std::string(pickle::verdictName(scan.verdict)));
    for (const std::string& reason : scan.reasons) {
        session.out.line(visibleText(reason));
    }
    TextTable table({{"NAME"}, {"KIND"}, {"OFFSET", Align::Right}, {"FILE"}});
    for (const FoundGlobal& global : scan.globals) {
        if (session.verbose || global.risk != pickle::Verdict::Inert) {
            table.add({global.module + "." + global.name,
                       std::string(pickle::verdictName(global.risk)), std::to_string(global.offset),
                       global.file});
        }
    }
    table.print(session);
    if (!session.quiet) {
        session.out.line(std::to_string(scan.pickles) + " pickles in " +
                         std::to_string(scan.files) + " files; nothing was executed");
    }
}

Result<int> run(const Arguments& arguments, Session& session) {
    const MemberPath split = splitMember(arguments.at(0));
    CAIRN_TRY(const PathScan scan, scanPath(split.path, session.cancel));
    if (session.json) {
        writeJson(scan, split.path.string(), session);
    } else {
        printText(scan, session);
    }
    const bool harmless =
        scan.verdict == pickle::Verdict::Inert || scan.verdict == pickle::Verdict::UnknownClass;
    return harmless ? kExitOk : kExitDiffers;
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"PATH", "Any file or folder; it need not be a checkpoint"}});

} // namespace

const Verb kScanVerb{
    "scan",
    "Tell what the pickles in it would do if Python loaded them; nothing is executed",
    kPositionals,
    {},
    {"cairn-cli scan downloaded.pt", "cairn-cli scan step-400 --json",
     "cairn-cli scan pytorch_model.bin -v"},
    run};

} // namespace cairn::cli
