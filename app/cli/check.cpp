// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/opened.h"
#include "app/cli/progress.h"
#include "app/cli/report_output.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "app/cli/why_output.h"
#include "core/analysis/health.h"
#include "core/base/counted.h"
#include "core/base/visible_text.h"
#include "core/jobs/bundle/model_health.h"
#include "core/report/make_report.h"

namespace cairn::cli::verb_check {
namespace {

void writeJson(const Opened& opened, const HealthReport& report, Session& session) {
    JsonDocument document(session.out);
    document->member("path", opened.path);
    document->member("format", opened.checkpoint->format());
    // A sound file with parts that Cairn does not support is read incompletely, which scripts that
    // know five verdicts understand.
    const bool unread = report.verdict == HealthVerdict::Unread;
    document->member("verdict", verdictName(unread ? HealthVerdict::Incomplete : report.verdict));
    document->member("unread", unread);
    document->member("complete", completenessName(opened.checkpoint->completeness()));
    writeNotices(*document, "findings", report.findings);
    writeValuesSaved(*document, report.valuesSaved);
    document->key("checked");
    document->beginObject();
    document->member("tensors", report.tensorsRead);
    document->member("bytes", report.bytesRead);
    document->member("checksums", report.checksums);
    document->endObject();
    document.finish();
}

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const Opened opened, openPath(arguments.at(0), session.cancel));
    std::atomic<std::uint64_t> done{0};
    const bool readData = !arguments.has("quick");
    const HealthOptions options{session.cancel, readData, &done, {}};
    const std::uint64_t total = readData ? healthCheckBytes(*opened.checkpoint) : 0;
    Result<HealthReport> report = [&] {
        const ProgressPrinter progress(session, [&] {
            return ProgressState{"checking", done.load(), total};
        });
        return checkWithConfig(*opened.checkpoint, options);
    }();
    CAIRN_CHECK(report);
    CAIRN_CHECK(writeReports(
        arguments, [&] { return healthReport(*opened.checkpoint, *report); }, session));
    if (printsMarkdown(arguments)) {
        // the report is the output
    } else if (session.json) {
        writeJson(opened, *report, session);
    } else {
        session.out.line(std::string(verdictName(report->verdict)));
        printNotices(session, report->findings);
        if (!session.quiet) {
            session.out.line(counted(report->tensorsRead, "tensor") + " read, " +
                             formatBytes(report->bytesRead) + ", " +
                             std::to_string(report->checksums) + " stored checksums compared");
            const Decided<bool>& saved = report->valuesSaved;
            if (saved.value && !saved.isAtLeast(Strength::Proven)) {
                for (const Evidence& each : saved.because) {
                    session.out.line("values: " + each.says.text());
                }
            }
        }
    }
    return report->failed(arguments.has("strict")) || opened.newestIsDamaged ? kExitDiffers
                                                                             : kExitOk;
}

constexpr auto kPositionals = std::to_array<Positional>({{"PATH", "A checkpoint"}});
constexpr auto kOptions =
    std::to_array<Option>({{"--quick", "", "Check the index, sizes and names only; read no data"},
                           {"--strict", "", "Also exit with 1 for warnings"},
                           kHtmlOption,
                           kMarkdownOption});

} // namespace

extern const Verb kVerb;
const Verb kVerb{
    "check",
    "Check the health of a checkpoint: completeness, coverage, mixed saves, checksums, NaN",
    kPositionals,
    kOptions,
    {"cairn-cli check step-400", "cairn-cli check step-300 --json",
     "cairn-cli check model.safetensors --quick"},
    run};

} // namespace cairn::cli::verb_check
