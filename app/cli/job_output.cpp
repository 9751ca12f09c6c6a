// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_output.h"

#include "app/cli/abilities_output.h"
#include "app/cli/json_output.h"
#include "app/cli/precision_output.h"
#include "app/cli/progress.h"
#include "app/cli/request_options.h"
#include "app/cli/text_table.h"
#include "app/cli/transform_options.h"
#include "core/base/counted.h"
#include "core/base/visible_text.h"
#include "core/jobs/context/job_context.h"
#include "core/plan/load_verdict.h"
#include "core/plan/request_words.h"

#include <cstdio>
#include <utility>

namespace cairn::cli {
namespace {

void writeProblem(JsonWriter& json, const PlanProblem& problem) {
    json.beginObject();
    json.member("code", errorName(problem.code));
    json.member("severity", severityName(problem.severity));
    json.member("message", problem.message);
    json.memberOrNull("fix", problem.fix);
    json.key("where");
    json.beginObject();
    json.memberOrNull("file", problem.where.file);
    json.memberOrNull("tensor", problem.where.tensor);
    json.endObject();
    json.endObject();
}

void writeTraining(JsonWriter& json, const CopyPlan& plan) {
    if (!plan.training) {
        return;
    }
    json.key("training_state");
    json.beginObject();
    json.member("for", plan.training->trainer);
    json.member("parameters", plan.training->parameters);
    json.member("with_moments", plan.training->withMoments);
    if (plan.training->step) {
        json.member("step", *plan.training->step);
    }
    json.member("groups", plan.training->groups);
    json.key("lost");
    writeLosses(json, plan.training->lost);
    json.endObject();
}

void writePlan(JsonWriter& json, const PlannedJob& planned, const JobRequest& request) {
    const CopyPlan& plan = planned.plan;
    json.member("job", plan.job);
    json.member("source", plan.source->path().string());
    json.key("output");
    json.beginObject();
    json.member("path", plan.output.string());
    json.member("format", plan.format);
    json.member("files", plan.forecast.files);
    json.member("bytes", plan.forecast.bytes);
    json.endObject();
    json.member("tensors", plan.outputTensors());
    json.member("shared_bytes", plan.forecast.sharedBytes);
    json.member("memory_bytes", plan.forecast.memoryBytes);
    json.member("temporary_bytes", plan.forecast.temporaryBytes);
    json.member("seconds", plan.forecast.seconds);
    json.member("bytes_per_second", static_cast<std::uint64_t>(plan.forecast.rate.bytesPerSecond));
    json.member("rate", rateOriginName(plan.forecast.rate.origin));
    json.member("device", plan.forecast.device);
    json.member("runnable", plan.runnable());
    json.member("digest", planned.digest);
    json.key("command");
    json.beginArray();
    for (const std::string& word : requestWords(absoluteRequest(request))) {
        json.string(word);
    }
    json.endArray();
    json.key("decisions");
    json.beginArray();
    for (const PlanDecision& decision : plan.decisions) {
        json.beginObject();
        json.member("id", idName(decision.id));
        json.member("what", decision.what());
        json.member("value", decision.value);
        json.member("why", decision.why);
        json.endObject();
    }
    json.endArray();
    json.key("problems");
    json.beginArray();
    for (const PlanProblem& problem : plan.problems) {
        writeProblem(json, problem);
    }
    json.endArray();
    writeTraining(json, plan);
    writeAdapters(json, plan.adapters);
    writeOmitted(json, plan);
    writeChecklist(json, plan);
    writeVerdict(json, plan);
}

/// "about 3.6 s on cpu, at 1.05 GB/s as measured on this disk".
std::string timeText(const Forecast& forecast) {
    std::array<char, 32> seconds{};
    std::snprintf(seconds.data(), seconds.size(), "about %.1f s", forecast.seconds);
    const std::string rate =
        formatBytes(static_cast<std::uint64_t>(forecast.rate.bytesPerSecond)) + "/s";
    const std::string text = std::string(seconds.data()) + " on " + forecast.device + ", at ";
    switch (forecast.rate.origin) {
    case RateOrigin::Measured:
        return text + rate + " as measured on this disk";
    case RateOrigin::Inferred:
        return text + rate + ", estimated from other work on this disk";
    case RateOrigin::Assumed:
        break;
    }
    const bool mostlyShared =
        forecast.sharedBytes > forecast.bytes / 2; // the rate for sharing is not measured
    return text + "an assumed " + rate +
           (mostlyShared ? "" : "; the first large job measures this disk");
}

void writeReport(const JobReport& report, const CopyPlan* plan, JobPart part, Session& session) {
    JsonDocument document(session.out);
    document->member("output", report.output.string());
    document->key("files");
    document->beginArray();
    for (const WrittenFile& file : report.files) {
        document->beginObject();
        document->member("path", file.path);
        document->member("bytes", file.bytes);
        document->member("sha256", file.sha256);
        document->endObject();
    }
    document->endArray();
    document->member("tensors", report.tensors);
    document->member("bytes", report.bytes);
    document->member("shared_bytes", report.sharedBytes);
    document->member("verified", report.verified);
    document->member("published", report.published);
    document->member("done_before", report.doneBefore);
    if (!part.whole()) {
        document->key("part");
        document->beginObject();
        document->member("index", part.index);
        document->member("count", part.count);
        document->endObject();
    }
    document->member("seconds", report.seconds);
    document->memberOrNull("manifest", report.manifest.string());
    document->memberOrNull("signature", report.signature.string());
    writeCast(*document, report);
    if (plan != nullptr) {
        document->key("decisions");
        document->beginArray();
        for (const PlanDecision& decision : plan->decisions) {
            document->beginObject();
            document->member("id", idName(decision.id));
            document->member("what", decision.what());
            document->member("value", decision.value);
            document->member("why", decision.why);
            document->endObject();
        }
        document->endArray();
        document->key("problems");
        document->beginArray();
        for (const PlanProblem& problem : plan->problems) {
            writeProblem(*document, problem);
        }
        document->endArray();
        writeTraining(*document, *plan);
        writeAdapters(*document, plan->adapters);
        writeOmitted(*document, *plan);
        writeChecklist(*document, *plan);
        writeVerdict(*document, *plan);
    }
    document.finish();
}

void printReport(const JobReport& report, JobPart part, Session& session) {
    if (!report.published) {
        session.out.line(
            "part " + std::to_string(part.index) + " of " + std::to_string(part.count) +
            (part.leavesPublishing ? " is complete; the last step publishes "
                                   : " is complete; the part that finishes last publishes ") +
            visibleText(report.output.string()));
        return;
    }
    std::array<char, 32> seconds{};
    std::snprintf(seconds.data(), seconds.size(), "%.1f", report.seconds);
    session.out.line(visibleText(report.output.string()));
    if (!session.quiet) {
        session.out.line(counted(report.tensors, "tensor") + ", " + formatBytes(report.bytes) +
                         " in " + counted(report.files.size(), "file") + ", " +
                         (report.verified ? "verified, " : "NOT verified, ") + seconds.data() +
                         " s");
        if (report.castTensors > 0) {
            session.out.line(castText(report));
        }
        if (!report.manifest.empty()) {
            session.out.line("manifest " + visibleText(report.manifest.string()));
        }
        if (!report.signature.empty()) {
            session.out.line("signature " + visibleText(report.signature.string()));
        }
    }
}

} // namespace

void printPlan(const PlannedJob& planned, const JobRequest& request, Session& session,
               std::size_t parts, const PrecisionPreview* precision) {
    const CopyPlan& plan = planned.plan;
    if (session.json) {
        JsonDocument document(session.out);
        writePlan(*document, planned, request);
        document->member("parts", parts);
        if (precision != nullptr) {
            writePrecision(*document, *plan.precision, *precision);
        }
        document.finish();
        return;
    }
    printField(session, "job", plan.job);
    printField(session, "source", plan.source->path().string());
    printField(session, "output", plan.output.string());
    printField(session, "writes",
               counted(plan.outputTensors(), "tensor") + ", " + formatBytes(plan.forecast.bytes) +
                   " in " + counted(plan.forecast.files, "file"));
    printField(session, "memory", formatBytes(plan.forecast.memoryBytes));
    printField(session, "temporary", formatBytes(plan.forecast.temporaryBytes));
    printField(session, "time", timeText(plan.forecast));
    for (const PlanDecision& decision : plan.decisions) {
        printField(session, decision.what().text(),
                   decision.value.text() +
                       (decision.why.empty() ? "" : " (" + decision.why.text() + ")"));
    }
    for (const OmittedTensors& left : plan.omitted) {
        printField(session, "left out", omittedText(left).text());
    }
    for (const PlanProblem& problem : plan.problems) {
        printField(session, severityName(problem.severity),
                   problem.message.text() + (problem.fix.empty() ? "" : "; " + problem.fix.text()));
    }
    for (const ChecklistItem& item : plan.checklist) {
        printField(session, item.state(), item.item().text() + ": " + item.detail.text());
    }
    printField(session, "loads", loadVerdict(plan).text.text());
    if (precision != nullptr) {
        printPrecision(session, *plan.precision, *precision);
    }
}

namespace {

/// The last line for weights whose names are not those of the model.
void printKeptPrefix(const CopyPlan& plan, Session& session) {
    for (const PlanDecision& decision : plan.decisions) {
        if (!session.quiet && decision.id == DecisionId::PrefixKept) {
            session.out.line("names: " + visibleText(decision.why.text()));
        }
    }
}

void printPlanned(const CopyPlan& plan, Session& session) {
    for (const OmittedTensors& left : plan.omitted) {
        session.out.line("left out " + omittedText(left).text());
    }
    for (const PlanProblem& problem : plan.problems) {
        session.out.line(std::string(severityName(problem.severity)) + ": " +
                         visibleText(problem.message.text()));
    }
    for (const ChecklistItem& item : plan.checklist) {
        session.out.line(std::string(item.state()) + " " + item.item().text() + ": " +
                         visibleText(item.detail.text()));
    }
    printKeptPrefix(plan, session);
}

} // namespace

void printOutcome(const FinishedJob& outcome, JobPart part, Session& session) {
    const JobReport& report = outcome.report;
    const CopyPlan* plan = outcome.plan ? &*outcome.plan : nullptr;
    if (session.json) {
        writeReport(report, plan, part, session);
    } else if (plan == nullptr && report.doneBefore) {
        session.out.line(visibleText(report.output.string()));
        session.out.line("done already; the manifest matches");
    } else {
        printReport(report, part, session);
        if (plan != nullptr) {
            printPlanned(*plan, session);
        }
    }
}

Result<FinishedJob>
runWatched(Session& session,
           const std::function<Result<FinishedJob>(FileOps&, JobContext&)>& work) {
    RealFileOps fileOps;
    JobContext context(session.cancel);
    Result<FinishedJob> outcome = [&] {
        const ProgressPrinter progress(session, [&] {
            const JobContext::Progress state = context.progress();
            return ProgressState{std::string(phaseName(state.phase)),
                                 state.written + state.verified, 2 * state.total};
        });
        return work(fileOps, context);
    }();
    if (session.verbose) {
        for (const Sentence& line : context.logLines()) {
            session.message(visibleText(line.text()));
        }
    }
    return outcome;
}

Result<int> runRequestVerb(const JobRequest& request, const std::string& digest, Session& session) {
    CAIRN_TRY(const FinishedJob outcome,
              runWatched(session, [&](FileOps& fileOps, JobContext& context) {
                  RunOptions options;
                  options.digest = digest;
                  return runRequest(request, options, fileOps, context);
              }));
    printOutcome(outcome, request.part, session);
    const bool good = !outcome.plan || outcome.report.verified || !outcome.report.published;
    return good ? kExitOk : kExitDiffers;
}

} // namespace cairn::cli
