// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/checkpoint_tools.h"

#include "core/analysis/fingerprint.h"
#include "core/analysis/health.h"
#include "core/formats/code_scan.h"
#include "core/jobs/bundle/model_health.h"
#include "core/jobs/verify/verify.h"
#include "core/runs/scan/open_named.h"
#include "ui/pages/summary/pickle_words.h"
#include "ui/text/core_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"

#include <QCoreApplication>

namespace cairn::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::CheckpointTools)
};

void addFinding(ToolResult& result, ToolFinding finding) {
    result.copied += finding.title + QLatin1Char('\t') + finding.detail + QLatin1Char('\n');
    if (result.findings.size() < ToolResult::kMaxFindings) {
        result.findings.push_back(std::move(finding));
    } else {
        ++result.more;
    }
}

Result<ToolResult> check(const Checkpoint& checkpoint, const CancelToken& cancel,
                         ToolProgress& progress) {
    progress.total = healthCheckBytes(checkpoint);
    CAIRN_TRY(const HealthReport report,
              checkWithConfig(checkpoint, HealthOptions{cancel, true, &progress.done, {}}));
    ToolResult result;
    result.tone = report.failed()       ? theme::Tone::Broken
                  : report.failed(true) ? theme::Tone::Attention
                                        : theme::Tone::Good;
    const QString read =
        Words::tr("%Ln tensors read", nullptr, static_cast<int>(report.tensorsRead)) +
        QStringLiteral(" · ") + text::bytes(report.bytesRead) + QStringLiteral(" · ") +
        Words::tr("%Ln stored checksums compared", nullptr, static_cast<int>(report.checksums));
    result.headline = (report.failed()       ? Words::tr("Problems found")
                       : report.failed(true) ? Words::tr("Warnings only")
                                             : Words::tr("No problems found")) +
                      QStringLiteral(" · ") + read;
    for (const Notice& notice : report.findings) {
        const text::ErrorWords words = text::describe(notice.error);
        const theme::Tone tone = notice.severity == Severity::Error     ? theme::Tone::Broken
                                 : notice.severity == Severity::Warning ? theme::Tone::Attention
                                                                        : theme::Tone::Dim;
        addFinding(result, {tone, words.title, words.detail});
    }
    return result;
}

Result<ToolResult> scanPickles(const Checkpoint& checkpoint, const CancelToken& cancel) {
    CAIRN_TRY(const formats::CodeScan scan,
              formats::scanForCode(checkpoint, cancel, formats::ScanBounds{}));
    ToolResult result;
    result.tone = words::tone(scan);
    const QString verdict = words::pickles(scan);
    result.headline = verdict.isEmpty() ? Words::tr("The files contain no pickle")
                                        : Words::tr("%Ln pickles examined", nullptr,
                                                    static_cast<int>(scan.pickles)) +
                                              QStringLiteral(" · ") + verdict;
    for (const Sentence& reason : scan.reasons) {
        addFinding(result, {result.tone, text::coreText(reason), {}});
    }
    return result;
}

Result<ToolResult> hash(const Checkpoint& checkpoint, const CancelToken& cancel,
                        ToolProgress& progress) {
    std::vector<TensorIndex> all;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < checkpoint.tensors().size(); ++i) {
        all.emplace_back(static_cast<std::uint32_t>(i));
        bytes += checkpoint.tensor(all.back()).bytes();
    }
    progress.total = bytes;
    CAIRN_TRY(const Fingerprint print,
              fingerprint(checkpoint, all, FingerprintOptions{cancel, 0, &progress.done}));
    ToolResult result;
    for (const TensorHash& each : print.tensors) {
        const QString name = text::fromCore(checkpoint.tensor(each.tensor).name);
        if (each.error) {
            addFinding(result, {theme::Tone::Broken, name, text::describe(*each.error).title});
        } else {
            result.copied += text::fromCore(hexText(each.sha256)) + QStringLiteral("  ") + name +
                             QLatin1Char('\n');
        }
    }
    if (print.whole) {
        result.headline = Words::tr("Fingerprint %1").arg(text::fromCore(hexText(*print.whole)));
    } else {
        result.tone = theme::Tone::Broken;
        result.headline = Words::tr("No fingerprint: a tensor could not be read");
        if (result.findings.empty() && print.firstError) {
            const text::ErrorWords words = text::describe(*print.firstError);
            addFinding(result, {theme::Tone::Broken, words.title, words.detail});
        }
    }
    return result;
}

ToolResult verified(const VerifyResult& compared) {
    ToolResult result;
    const QString what =
        Words::tr("%Ln compared", nullptr, static_cast<int>(compared.compared.size())) +
        QStringLiteral(" · ") + text::bytes(compared.bytes);
    result.tone = compared.verified ? theme::Tone::Good : theme::Tone::Broken;
    result.headline =
        (compared.verified ? Words::tr("The same bytes") : Words::tr("Not the same")) +
        QStringLiteral(" · ") + what;
    for (const Mismatch& mismatch : compared.mismatches) {
        addFinding(result, {theme::Tone::Broken, text::fromCore(mismatch.name),
                            text::coreText(mismatch.message)});
    }
    return result;
}

} // namespace

QString toolTitle(const ToolRequest& request) {
    switch (request.tool) {
    case CheckpointTool::Check:
        return Words::tr("Check");
    case CheckpointTool::ScanPickles:
        return Words::tr("Pickle scan");
    case CheckpointTool::Hash:
        return Words::tr("Hash");
    case CheckpointTool::VerifyManifest:
        return Words::tr("Verify with the manifest");
    case CheckpointTool::VerifyAgainst:
        break;
    }
    return Words::tr("Verify against %1").arg(text::fromPath(request.other.filename()));
}

Result<ToolResult> runTool(const ToolRequest& request, const CancelToken& cancel,
                           const std::shared_ptr<ToolProgress>& progress) {
    const Checkpoint& checkpoint = *request.checkpoint;
    switch (request.tool) {
    case CheckpointTool::Check:
        return check(checkpoint, cancel, *progress);
    case CheckpointTool::ScanPickles:
        return scanPickles(checkpoint, cancel);
    case CheckpointTool::Hash:
        return hash(checkpoint, cancel, *progress);
    case CheckpointTool::VerifyManifest:
    case CheckpointTool::VerifyAgainst:
        break;
    }
    JobContext context(cancel);
    if (request.tool == CheckpointTool::VerifyManifest) {
        CAIRN_TRY(const VerifyResult result, verifyAgainstManifest(checkpoint.path(), context));
        return verified(result);
    }
    CAIRN_TRY(const NamedCheckpoint other, openNamed(request.other, cancel));
    CAIRN_TRY(const VerifyResult result, verifyCheckpoints(other.checkpoint, checkpoint, context));
    return verified(result);
}

} // namespace cairn::ui
