// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/jobs/job_notices.h"

#include "ui/pages/consolidate/jobs_watcher.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/accessible.h"

#include <QWidget>

#include <algorithm>

namespace cairn::ui {

JobNotices::JobNotices(QWidget& window, const JobsWatcher& jobs)
    : notify([this](const QString& title, const QString& body) { m_desktop.send(title, body); }),
      m_window(window), m_jobs(jobs) {
    connect(&m_desktop, &DesktopNotices::clicked, this, &JobNotices::clicked);
    connect(&jobs, &JobsWatcher::started, this, [this](JobId id) { tell(id, tr("started")); });
    connect(&jobs, &JobsWatcher::reached, this,
            [this](JobId id, int percent) { tell(id, tr("%1 %").arg(percent)); });
}

void JobNotices::tell(JobId id, const QString& what) {
    const auto job = std::ranges::find(m_jobs.jobs(), id, &JobSnapshot::id);
    if (job != m_jobs.jobs().end()) {
        announce(&m_window, tr("%1: %2").arg(text::fromCore(job->title), what));
    }
}

void JobNotices::tellEnd(const JobSnapshot& job) {
    if (job.state == JobState::Stopped) {
        return; // by hand
    }
    const QString how = job.state == JobState::Done
                            ? tr("Finished in %1").arg(text::duration(job.seconds))
                            : text::describe(job.error.value_or(Error())).title;
    announce(&m_window, tr("%1: %2").arg(text::fromCore(job.title), how));
    if (!m_window.isActiveWindow() && job.seconds >= notifyAfterSeconds) { // not seen, and long
        notify(text::fromCore(job.title), how);
    }
}

} // namespace cairn::ui
