// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "core/base/visible_text.h"
#include "core/formats/code_scan.h"
#include "core/formats/format.h"

namespace cairn::cli::verb_scan {
namespace {

void writeJson(const formats::CodeScan& scan, const std::string& path, Session& session) {
    JsonDocument document(session.out);
    document->member("path", path);
    document->member("verdict", pickle::verdictName(scan.verdict));
    document->key("globals");
    document->beginArray();
    for (const formats::FoundGlobal& found : scan.globals) {
        document->beginObject();
        document->member("module", found.global.module);
        document->member("name", found.global.name);
        document->member("kind", pickle::verdictName(found.global.risk));
        document->member("called", found.global.called);
        document->member("file", found.file);
        if (!found.member.empty()) {
            document->member("member", found.member);
        }
        document->member("offset", found.global.offset);
        document->endObject();
    }
    document->endArray();
    document->key("reasons");
    document->beginArray();
    for (const Sentence& reason : scan.reasons) {
        document->string(reason.text());
    }
    document->endArray();
    document->member("pickles", scan.pickles);
    document.finish();
}

void printText(const formats::CodeScan& scan, Session& session) {
    session.out.line(std::string(pickle::verdictName(scan.verdict)));
    if (const std::string sentence = formats::describeScan(scan); !sentence.empty()) {
        session.out.line(sentence);
    }
    for (const Sentence& reason : scan.reasons) {
        session.out.line(visibleText(reason.text()));
    }
    TextTable table({{"NAME"}, {"KIND"}, {"OFFSET", Align::Right}, {"FILE"}});
    for (const formats::FoundGlobal& found : scan.globals) {
        if (session.verbose || found.global.risk != pickle::Verdict::Inert) {
            table.add({found.global.module + "." + found.global.name,
                       std::string(pickle::verdictName(found.global.risk)),
                       std::to_string(found.global.offset),
                       found.member.empty() ? found.file : found.file + "!" + found.member});
        }
    }
    table.print(session);
    if (!session.quiet) {
        session.out.line(std::to_string(scan.pickles) + " pickles; nothing was executed");
    }
}

Result<int> run(const Arguments& arguments, Session& session) {
    const MemberPath split = splitMember(arguments.at(0));
    CAIRN_TRY(const formats::CodeScan scan, formats::scanForCode(split.location, session.cancel));
    if (session.json) {
        writeJson(scan, split.location.path().string(), session);
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

extern const Verb kVerb;
const Verb kVerb{
    "scan",
    "Report what the pickles in a file would do if Python loaded them; nothing is executed",
    kPositionals,
    {},
    {"cairn-cli scan downloaded.pt", "cairn-cli scan step-400 --json",
     "cairn-cli scan pytorch_model.bin -v"},
    run};

} // namespace cairn::cli::verb_scan
