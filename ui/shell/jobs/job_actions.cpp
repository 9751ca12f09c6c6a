// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/jobs/job_actions.h"

#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/job_controller.h"
#include "ui/pages/consolidate/job_words.h"
#include "ui/pages/consolidate/jobs_watcher.h"
#include "ui/pages/consolidate/unfinished_bar.h"
#include "ui/pages/consolidate/unfinished_jobs.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/job_chip.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/status_line.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/jobs/job_popover.h"
#include "ui/text/error_text.h"
#include "ui/widgets/message_strip.h"

#include <QAction>

#include <algorithm>

namespace cairn::ui {
namespace {

bool hasEnded(const JobSnapshot& job) {
    return job.state == JobState::Done || job.state == JobState::Failed ||
           job.state == JobState::Stopped;
}

bool isHeld(const JobSnapshot& job) {
    return job.state != JobState::Running && (job.state != JobState::Queued || job.held);
}

} // namespace

JobActions::JobActions(WindowParts& parts, JobController& jobController, JobsWatcher& jobs,
                       UnfinishedJobs& unfinished, FileOps& fileOps)
    : m_parts(parts), m_jobController(jobController), m_jobs(jobs),
      m_popover(new JobPopover(jobController, jobs, fileOps, parts.window)) {
    const Actions& actions = parts.actions;
    JobQueue& queue = jobController.queue();
    connect(&jobController, &JobController::started, this, [this] {
        m_jobs.wake();
        m_parts.pages.consolidate->scrollToJobs();
    });
    connect(actions.showJobs, &QAction::triggered, this, [this] { show(0); });
    connect(actions.pauseJobs, &QAction::triggered, this, [this, &queue](bool pause) {
        forEach(
            [&](const JobSnapshot& job) { pause ? queue.pause(job.id) : queue.resume(job.id); });
    });
    connect(actions.stopJobs, &QAction::triggered, this,
            [this, &queue] { forEach([&](const JobSnapshot& job) { queue.cancel(job.id); }); });
    connect(actions.forgetJobs, &QAction::triggered, this, [this, &queue] {
        forEach([&](const JobSnapshot& job) { queue.forget(job.id); }); // refuses what still runs
    });
    connect(actions.jobHistory, &QAction::triggered, this, &JobActions::popUp);
    connect(parts.topBar->jobChip(), &QAbstractButton::clicked, this, &JobActions::popUp);
    connect(m_popover, &JobPopover::closed, this, &JobActions::updateChip);
    connect(m_popover, &JobPopover::showRequested, this, &JobActions::show);
    connect(m_popover, &JobPopover::copied, parts.status, &StatusLine::showMessage);
    connect(&jobs, &JobsWatcher::updated, this, &JobActions::updateActions);
    connect(&parts, &WindowParts::changed, this, &JobActions::updateActions);
    connectUnfinished(unfinished);
}

/// Jobs that ended with their process.
void JobActions::connectUnfinished(UnfinishedJobs& unfinished) {
    const Actions& actions = m_parts.actions;
    connect(actions.unfinishedJobs, &QAction::triggered, &unfinished, &UnfinishedJobs::refresh);
    connect(m_parts.unfinishedBar, &UnfinishedBar::resumed, actions.showJobs, &QAction::trigger);
    connect(&unfinished, &UnfinishedJobs::removed, m_parts.status, &StatusLine::showMessage);
    connect(&unfinished, &UnfinishedJobs::failed, this, [this](const text::ErrorWords& words) {
        m_parts.messages->show({theme::Tone::Broken, words.title, words.detail, {}});
    });
}

void JobActions::forEach(const std::function<void(const JobSnapshot& job)>& change) {
    std::ranges::for_each(m_jobs.jobs(), change);
    m_jobs.wake();
}

void JobActions::show(JobId id) {
    m_parts.showWorkspace();
    m_parts.workspace->showPages(); // also where nothing is opened
    m_parts.workspace->showPage(m_parts.pages.consolidate);
    m_parts.pages.consolidate->scrollToJobs(id);
    Q_EMIT m_parts.changed();
}

void JobActions::popUp() {
    for (const JobSnapshot& job : m_jobs.jobs()) {
        if (hasEnded(job)) {
            m_seen.insert(job.id);
        }
    }
    const QWidget* anchor = m_parts.topBar->jobChip();
    m_popover->popUp(anchor->isVisible() ? *anchor : *m_parts.topBar);
}

/// Called at every progress of a job.
void JobActions::updateActions() {
    const Actions& actions = m_parts.actions;
    const int active = m_jobs.active();
    actions.pauseJobs->setEnabled(active > 0);
    actions.pauseJobs->setChecked(active > 0 && std::ranges::all_of(m_jobs.jobs(), isHeld));
    actions.stopJobs->setEnabled(active > 0);
    actions.forgetJobs->setEnabled(static_cast<int>(m_jobs.jobs().size()) > active);
    updateChip();
}

void JobActions::updateChip() {
    JobChip* chip = m_parts.topBar->jobChip();
    if (m_jobs.active() > 0) {
        const bool paused = m_parts.actions.pauseJobs->isChecked();
        chip->showProgress(m_jobs.fraction(), m_jobs.chipParts(), paused);
        chip->show();
        return;
    }
    int done = 0;
    int failed = 0;
    theme::Tone worst = theme::Tone::Good;
    for (const JobSnapshot& job : m_jobs.jobs()) {
        if (!m_seen.contains(job.id) && job.state != JobState::Stopped) { // seen, or by hand
            const theme::Tone tone = endTone(job, m_jobController.record(job.id).get());
            const bool broken = tone == theme::Tone::Broken;
            broken ? ++failed : ++done;
            worst = broken || worst == theme::Tone::Good ? tone : worst;
        }
    }
    if (failed > 0) {
        chip->showOutcome(theme::Tone::Broken, tr("%Ln jobs failed", nullptr, failed));
    } else if (done > 0) {
        chip->showOutcome(worst, tr("%Ln jobs done", nullptr, done));
    }
    chip->setVisible(failed + done > 0);
}

} // namespace cairn::ui
