// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/queue/job_queue.h"

#include <QObject>

#include <functional>
#include <set>

namespace cairn {
class FileOps;
}

namespace cairn::ui {

class JobController;
class JobPopover;
class JobsWatcher;
class UnfinishedJobs;
class WindowParts;

/// The menu Jobs, the chip in the top bar and its popover: shows the jobs, and pauses, stops and
/// forgets them.
class JobActions : public QObject {
    Q_OBJECT

public:
    /// All of them outlive this.
    JobActions(WindowParts& parts, JobController& jobController, JobsWatcher& jobs,
               UnfinishedJobs& unfinished, FileOps& fileOps);

    /// Shows the page with the jobs, and on it this one; 0: the newest.
    void show(JobId id);
    JobPopover* popover() const { return m_popover; }

private:
    void connectUnfinished(UnfinishedJobs& unfinished);
    void forEach(const std::function<void(const JobSnapshot& job)>& change);
    void popUp();
    void updateActions();
    void updateChip();

    WindowParts& m_parts;
    JobController& m_jobController;
    JobsWatcher& m_jobs;
    JobPopover* m_popover;
    std::set<JobId> m_seen; ///< had ended when the popover was opened
};

} // namespace cairn::ui
