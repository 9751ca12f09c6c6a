// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/engine/engine.h"
#include "core/jobs/queue/job_queue.h"
#include "core/jobs/queue/job_registry.h"
#include "core/jobs/verify/verify.h"
#include "core/plan/copy_plan.h"
#include "core/plan/request.h"
#include "ui/bridge/async_runner.h"
#include "ui/pages/consolidate/serve_commands.h"
#include "ui/services.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn::ui {

/// The window's data of a job in addition to the queue's snapshot. The worker sets `report` or
/// `check` before the queue reports Done; the GUI reads them only after that. The other members are
/// constant.
struct JobRecord {
    std::optional<JobRequest> request;  ///< empty for a verification
    QString command;                    ///< the same for a shell
    bool resumed = false;               ///< continues a job of another process
    std::vector<ServeCommand> commands; ///< that use the output; may be empty
    std::filesystem::path source;       ///< may be empty
    std::filesystem::path shown;        ///< the checkpoint whose page started it; may be empty
    QString subject;                    ///< "run, checkpoint"; empty: see the job's title
    bool isAdapter = false;             ///< the output is an adapter of PEFT
    bool loads = false;                 ///< a program is known to load the output
    std::filesystem::path output;
    std::string place;                   ///< canonicalOutput() of it
    std::vector<OmittedTensors> omitted; ///< empty for a resumed job: its manifest has them
    std::optional<JobReport> report;     ///< of a job that wrote
    std::optional<VerifyResult> check;   ///< of a verification
};

/// Submits jobs to the queue and keeps their records. While a job that writes is running, it is in
/// the user's list of jobs, so that it can be resumed after a restart. GUI thread.
class JobController : public QObject {
    Q_OBJECT

public:
    explicit JobController(Services& services, QObject* parent = nullptr);

    /// Submits the job of record.request, which is planned when it starts; it fails with
    /// ChangedOnDisk if the plan's digest is then a different one. Fails: JobIsRunning if a job is
    /// writing record.place.
    Result<JobId> run(JobRecord record, const std::string& digest, const QString& title);
    /// Packs a checkpoint of `source` into the .cairnz file `output`. Fails: JobIsRunning.
    Result<JobId> pack(const std::filesystem::path& source, const std::filesystem::path& output);
    /// Resumes a job that was killed or suspended; its command must still make the same plan.
    /// Fails: InvalidArgument for a command that is not a job's, JobIsRunning.
    Result<JobId> resume(const StartedJob& job);
    JobId verifyAgain(const JobRecord& record);
    /// Runs the same job again under the next free name, which a worker finds.
    void runAgain(JobId id);
    /// Runs a failed job again under the same name.
    Result<JobId> retry(JobId id);
    /// Moves the output of a finished job to the wastebasket, if it is as the job left it; ends
    /// with undone(). False: a job is reading or writing it, or this one has no output.
    bool undo(JobId id);

    std::shared_ptr<const JobRecord> record(JobId id) const;
    JobQueue& queue() const { return *m_services.jobs; }
    FileOps& fileOps() const { return *m_services.fileOps; }

Q_SIGNALS:
    void started(cairn::JobId id);
    void undone(cairn::JobId id, const cairn::Result<std::filesystem::path>& movedTo);

private:
    Result<JobId> submit(const std::shared_ptr<JobRecord>& record, const std::string& title,
                         JobQueue::Work work);
    bool isInUse(const JobRecord& record) const;
    JobQueue::Work workOf(const std::shared_ptr<JobRecord>& record,
                          const std::string& digest) const;

    Services& m_services;
    AsyncRunner m_naming;
    std::map<JobId, AsyncRunner> m_undoing;
    std::map<JobId, std::shared_ptr<const JobRecord>> m_records;
};

} // namespace cairn::ui
