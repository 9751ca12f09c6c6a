// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/job_words.h"

#include "ui/pages/consolidate/strip_roles.h"
#include "ui/text/core_text.h"
#include "ui/text/plain_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

namespace cairn::ui {
namespace {

struct JobWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::JobWords)
};

QString joinedFacts(QStringList parts) {
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

/// Describes the values that a cast could not preserve; empty if nothing was cast.
QString castWords(const JobReport& report) {
    if (report.castTensors == 0) {
        return {};
    }
    QStringList parts{
        JobWords::tr("%Ln tensors cast", nullptr, static_cast<int>(report.castTensors)),
        JobWords::tr("largest error %1").arg(text::number(report.cast.maxAbs))};
    if (report.cast.overflowed > 0) {
        parts << JobWords::tr("%1 overflowed").arg(text::count(report.cast.overflowed));
    }
    return parts.join(QStringLiteral(", "));
}

/// "lora-good × 0.5, other": what was added to the weights.
QString foldedWords(const JobRecord& record) {
    QStringList names;
    for (const RequestAdapter& each :
         record.request ? record.request->adapters : std::vector<RequestAdapter>()) {
        QString name = text::fromPath(each.place.path().filename());
        if (each.scale != 1) {
            name += QStringLiteral(" × ") + text::number(each.scale);
        }
        names << name;
    }
    return names.isEmpty()
               ? QString()
               : JobWords::tr("with %1 folded in").arg(names.join(QStringLiteral(", ")));
}

QString wroteWords(std::uint64_t tensors, std::uint64_t bytes, bool verified) {
    const QString what = JobWords::tr("%Ln tensors", nullptr, static_cast<int>(tensors));
    return verified
               ? JobWords::tr("Wrote %1, %2, every byte compared").arg(what, text::bytes(bytes))
               : JobWords::tr("Wrote %1, %2, not verified").arg(what, text::bytes(bytes));
}

text::ErrorWords doneWords(const JobRecord& record) {
    const JobReport& report = *record.report;
    QStringList details{text::fromPath(record.output), foldedWords(record),
                        text::duration(report.seconds), castWords(report)};
    if (!report.manifest.empty()) {
        details << JobWords::tr("manifest with the checksums of %Ln tensors", nullptr,
                                static_cast<int>(report.written.size()));
    }
    QStringList left;
    for (const OmittedTensors& each : record.omitted) {
        left << countedRole({each.role, each.tensors, each.bytes});
    }
    if (!left.isEmpty()) {
        details << JobWords::tr("left out: %1").arg(left.join(QStringLiteral(", ")));
    }
    const QString what = JobWords::tr("%Ln tensors", nullptr, static_cast<int>(report.tensors));
    const QString bytes = text::bytes(report.bytes);
    const QString title =
        record.subject.isEmpty() ? wroteWords(report.tensors, report.bytes, report.verified)
        : report.verified
            ? JobWords::tr("%1 is ready: %2, %3, every byte compared")
                  .arg(record.subject, what, bytes)
            : JobWords::tr("%1 is written: %2, %3, not verified").arg(record.subject, what, bytes);
    return {title, joinedFacts(details)};
}

text::ErrorWords checkWords(const JobRecord& record) {
    const VerifyResult& check = *record.check;
    const QString files =
        JobWords::tr("%Ln files", nullptr, static_cast<int>(check.compared.size()));
    const QString title =
        check.verified ? JobWords::tr("Verified: %1, %2; sizes and SHA-256 match the manifest")
                             .arg(files, text::bytes(check.bytes))
                       : JobWords::tr("%Ln mismatches with the manifest", nullptr,
                                      static_cast<int>(check.mismatches.size()));
    const QString detail = check.mismatches.empty()
                               ? text::fromPath(record.output)
                               : text::fromCore(check.mismatches.front().name) +
                                     QStringLiteral(": ") +
                                     text::coreText(check.mismatches.front().message);
    return {title, detail};
}

} // namespace

QString phaseWords(const JobSnapshot& job) {
    if (job.state == JobState::Queued) {
        return job.held ? JobWords::tr("queued, paused") : JobWords::tr("queued");
    }
    if (job.state == JobState::Paused) {
        return JobWords::tr("paused");
    }
    switch (job.progress.phase) {
    case JobPhase::Waiting:
        return JobWords::tr("starting");
    case JobPhase::Checking:
        return JobWords::tr("checking the source");
    case JobPhase::Writing:
        return JobWords::tr("writing");
    case JobPhase::Syncing:
        return JobWords::tr("syncing to disk");
    case JobPhase::Verifying:
        return JobWords::tr("verifying");
    case JobPhase::Publishing:
        return JobWords::tr("finalizing");
    case JobPhase::Done:
        break;
    }
    return JobWords::tr("done");
}

std::vector<JobStep> jobSteps(const JobSnapshot& job, const JobRecord* record) {
    using State = JobStep::State;
    const JobContext::Progress& progress = job.progress;
    const auto stateOf = [&](JobPhase first, JobPhase last) {
        return job.state == JobState::Queued || progress.phase < first ? State::Ahead
               : progress.phase > last                                 ? State::Done
                                                                       : State::Running;
    };
    const bool checks = record != nullptr && !record->request; // a verification
    std::vector<JobStep> steps;
    if (!checks) {
        const State planned = stateOf(JobPhase::Waiting, JobPhase::Checking);
        steps.push_back(
            {planned, planned == State::Done ? JobWords::tr("planned") : JobWords::tr("plan")});
        const State writing = stateOf(JobPhase::Writing, JobPhase::Syncing);
        const QString written =
            JobWords::tr("%1 of %2")
                .arg(text::bytes(progress.written), text::bytes(progress.total));
        steps.push_back(
            {writing, writing == State::Ahead ? JobWords::tr("read and write")
                      : writing == State::Done
                          ? JobWords::tr("written %1").arg(text::bytes(progress.written))
                      : progress.phase == JobPhase::Syncing
                          ? JobWords::tr("syncing to disk")
                          : JobWords::tr("writing %1").arg(written)});
    }
    const State verifying = stateOf(JobPhase::Verifying, JobPhase::Verifying);
    steps.push_back(
        {verifying, verifying == State::Ahead ? JobWords::tr("verify")
                    : verifying == State::Done
                        ? JobWords::tr("verified")
                        : JobWords::tr("verifying %1 of %2")
                              .arg(text::bytes(progress.verified), text::bytes(progress.total))});
    const RequestTrust trust =
        checks || record == nullptr ? RequestTrust() : record->request->trust;
    if (!(trust == RequestTrust())) {
        const State signing = stateOf(JobPhase::Publishing, JobPhase::Publishing);
        steps.push_back(
            {signing, trust.signKey.empty() ? JobWords::tr("describe") : JobWords::tr("sign")});
    }
    return steps;
}

/// `progress` counts the bytes twice: they are written, then compared.
QString progressWords(const JobSnapshot& job, const JobsWatcher::Pace& pace) {
    const JobContext::Progress& progress = job.progress;
    QStringList figures;
    if (progress.total > 0) {
        figures << JobWords::tr("%1 %").arg(static_cast<int>(100 * progress.fraction()));
    }
    if (pace.bytesPerSecond > 0 && job.state == JobState::Running) {
        figures << text::rate(pace.bytesPerSecond);
    }
    if (pace.secondsLeft && job.state == JobState::Running) {
        figures << JobWords::tr("%1 left").arg(text::duration(*pace.secondsLeft));
    }
    return joinedFacts(figures);
}

/// A resumed job may have ended before it took over the existing files.
QString leftoverText(const JobRecord* record) {
    return record != nullptr && record->resumed
               ? JobWords::tr("Files of an earlier attempt may remain: see Jobs > Unfinished Jobs.")
               : JobWords::tr("No files were left on disk.");
}

text::ErrorWords endWords(const JobSnapshot& job, const JobRecord* record) {
    if (job.state == JobState::Stopped) {
        return {JobWords::tr("Stopped: %1").arg(text::fromCore(job.title)), leftoverText(record)};
    }
    if (job.state == JobState::Failed) {
        text::ErrorWords words = text::describe(job.error.value_or(
            fail(ErrorCode::Internal, "The job failed without an error message")));
        words.detail =
            joinedFacts({text::fromCore(job.title),
                         (words.detail + QLatin1Char(' ') + leftoverText(record)).trimmed()});
        return words;
    }
    if (record != nullptr && record->report) {
        return doneWords(*record);
    }
    return record != nullptr && record->check ? checkWords(*record)
                                              : text::ErrorWords{text::fromCore(job.title), {}};
}

theme::Tone endTone(const JobSnapshot& job, const JobRecord* record) {
    if (job.state == JobState::Stopped) {
        return theme::Tone::Attention;
    }
    const bool mismatch = record != nullptr && record->check && !record->check->verified;
    if (job.state == JobState::Failed || mismatch) {
        return theme::Tone::Broken;
    }
    const bool unverified = record != nullptr && record->report && !record->report->verified;
    return unverified ? theme::Tone::Attention : theme::Tone::Good;
}

text::ErrorWords outputInUseWords(const JobRecord* record) {
    return {JobWords::tr("A job is reading or writing this output; it was not moved"),
            record != nullptr ? text::fromPath(record->output) : QString()};
}

QString toneMark(theme::Tone tone) {
    return tone == theme::Tone::Good        ? QStringLiteral("✓")
           : tone == theme::Tone::Attention ? QStringLiteral("!")
           : tone == theme::Tone::Dim       ? QStringLiteral("–")
                                            : QStringLiteral("✕");
}

text::ErrorWords endWords(const EndedJob& job) {
    const QDateTime ended = QDateTime::fromSecsSinceEpoch(job.ended);
    const QString how = job.outcome == JobOutcome::Done
                            ? wroteWords(job.tensors, job.bytes, job.verified)
                        : job.outcome == JobOutcome::Stopped ? JobWords::tr("Stopped")
                                                             : text::coreText(job.message);
    return {
        text::fromPath(job.output.filename()),
        joinedFacts({how, job.outcome == JobOutcome::Done ? text::duration(job.seconds) : QString(),
                     QLocale().toString(ended, QLocale::ShortFormat)})};
}

theme::Tone endTone(const EndedJob& job) {
    return job.outcome == JobOutcome::Failed                 ? theme::Tone::Broken
           : job.outcome == JobOutcome::Done && job.verified ? theme::Tone::Good
                                                             : theme::Tone::Attention;
}

} // namespace cairn::ui
