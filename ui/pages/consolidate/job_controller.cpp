// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/job_controller.h"

#include "core/jobs/engine/output_place.h"
#include "core/jobs/queue/output_undo.h"
#include "core/jobs/request/run_request.h"
#include "core/plan/request_words.h"
#include "ui/pages/consolidate/command_text.h"
#include "ui/pages/consolidate/job_choices.h"
#include "ui/text/plain_text.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

std::shared_ptr<JobRecord> recordFor(JobRequest request, bool isAdapter = false) {
    auto record = std::make_shared<JobRecord>();
    record->command = commandText(request);
    record->output = request.output.path();
    record->commands = serveCommands(request, !record->output.has_extension(), isAdapter);
    record->request = std::move(request);
    return record;
}

} // namespace

JobController::JobController(Services& services, QObject* parent)
    : QObject(parent), m_services(services) {}

Result<JobId> JobController::submit(const std::shared_ptr<JobRecord>& record,
                                    const std::string& title, JobQueue::Work work) {
    CAIRN_TRY(const JobId id, m_services.jobs->submitFor(record->place, title, std::move(work)));
    m_records[id] = record;
    Q_EMIT started(id);
    return id;
}

Result<JobId> JobController::run(JobRecord record, const std::string& digest,
                                 const QString& title) {
    record.command = commandText(*record.request);
    const auto shared = std::make_shared<JobRecord>(std::move(record));
    return submit(shared, title.toStdString(), workOf(shared, digest));
}

Result<JobId> JobController::pack(const std::filesystem::path& source,
                                  const std::filesystem::path& output) {
    JobRequest request;
    request.kind = JobKind::Pack;
    request.sources = {source};
    request.output = output;
    const auto record = recordFor(std::move(request));
    record->source = source;
    record->place = canonicalOutput(output).string();
    const QString title = tr("Pack %1, %2")
                              .arg(text::fromPath(source.parent_path().filename()),
                                   text::fromPath(source.filename()));
    return submit(record, title.toStdString(), workOf(record, {}));
}

JobQueue::Work JobController::workOf(const std::shared_ptr<JobRecord>& record,
                                     const std::string& digest) const {
    return [record, digest, fileOps = m_services.fileOps](JobContext& context) -> Result<void> {
        CAIRN_TRY(auto outcome, runRequest(*record->request, {digest}, *fileOps, context));
        record->report = std::move(outcome.report);
        return {};
    };
}

Result<JobId> JobController::resume(const StartedJob& job) {
    CAIRN_TRY(JobRequest request, requestOfWords(job.command));
    request.part = job.part;
    const auto record = recordFor(std::move(request));
    record->output = job.output;
    record->place = job.output.string();
    record->resumed = true;
    const QString title = tr("Resume %1").arg(text::fromPath(job.output.filename()));
    return submit(record, title.toStdString(), workOf(record, job.digest));
}

void JobController::runAgain(JobId id) {
    const auto before = record(id);
    const auto shot = m_services.jobs->snapshot(id);
    if (!before || !before->request || !shot) {
        return;
    }
    using Named = std::pair<std::filesystem::path, std::filesystem::path>;
    m_naming.start(
        [output = before->output](const CancelToken&) -> Result<Named> { // on a worker
            const std::filesystem::path named = freeOutput(output);
            return Named(named, canonicalOutput(named));
        },
        [this, before, title = shot->title](const Result<Named>& named) {
            if (!named) {
                return;
            }
            JobRequest request = *before->request;
            request.output = named->first;
            const auto record = recordFor(std::move(request), before->isAdapter);
            record->isAdapter = before->isAdapter;
            record->source = before->source;
            record->shown = before->shown;
            record->subject = before->subject;
            record->loads = before->loads;
            record->place = named->second.string();
            (void)submit(record, title, workOf(record, {})); // refused: it is running already
        });
}

Result<JobId> JobController::retry(JobId id) {
    const auto before = record(id);
    const auto shot = m_services.jobs->snapshot(id);
    if (!before || !shot) {
        return fail(ErrorCode::InvalidArgument, "The job cannot be run again");
    }
    if (!before->request) {
        return verifyAgain(*before);
    }
    const auto record = recordFor(*before->request, before->isAdapter);
    record->isAdapter = before->isAdapter;
    record->source = before->source;
    record->shown = before->shown;
    record->subject = before->subject;
    record->loads = before->loads;
    record->place = before->place;
    return submit(record, shot->title, workOf(record, {}));
}

bool JobController::isInUse(const JobRecord& record) const {
    const std::vector<JobSnapshot> jobs = m_services.jobs->snapshot();
    return std::ranges::any_of(jobs, [&](const JobSnapshot& job) {
        const auto other = this->record(job.id);
        const bool ended = job.state == JobState::Done || job.state == JobState::Failed ||
                           job.state == JobState::Stopped;
        return !ended && other &&
               (other->output == record.output || other->source == record.output);
    });
}

bool JobController::undo(JobId id) {
    const auto done = record(id);
    if (!done || !done->report || isInUse(*done)) {
        return false;
    }
    m_undoing.erase(id);
    m_undoing.try_emplace(id, AsyncRunner::Pool::Long)
        .first->second.start(
            [done, fileOps = m_services.fileOps](const CancelToken&) {
                return undoOutput(*fileOps, done->output, done->report->stamp,
                                  WastebasketPlaces::ofUser());
            },
            [this, id](const Result<std::filesystem::path>& moved) { Q_EMIT undone(id, moved); });
    return true;
}

JobId JobController::verifyAgain(const JobRecord& record) {
    const auto again = std::make_shared<JobRecord>();
    again->command = commandText({"verify", record.output.string()});
    again->commands = record.commands;
    again->source = record.source;
    again->shown = record.shown;
    again->subject = record.subject;
    again->output = record.output;
    const QString title = tr("Verify %1").arg(text::fromPath(record.output.filename()));
    const JobId id =
        m_services.jobs->submit(title.toStdString(), [again](JobContext& context) -> Result<void> {
            CAIRN_TRY(again->check, verifyAgainstManifest(again->output, context));
            return {};
        });
    m_records[id] = again;
    Q_EMIT started(id);
    return id;
}

std::shared_ptr<const JobRecord> JobController::record(JobId id) const {
    const auto found = m_records.find(id);
    return found != m_records.end() ? found->second : nullptr;
}

} // namespace cairn::ui
