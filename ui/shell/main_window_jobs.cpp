// SPDX-License-Identifier: GPL-3.0-or-later
// The window's jobs: those of the queue, and those that an earlier process left.
#include "ui/navigator/navigator.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/unfinished_bar.h"
#include "ui/shell/main_window.h"
#include "ui/shell/workspace.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/message_strip.h"

#include <QAction>
#include <QCoreApplication>
#include <QStackedWidget>

namespace cairn::ui {

void MainWindow::connectJobActions() {
    connect(&m_desk, &JobDesk::started, this, [this] {
        m_jobs.wake();
        m_pages.consolidate->scrollToJobs();
    });
    connect(m_unfinishedBar, &UnfinishedBar::resumed, m_actions.showJobs, &QAction::trigger);
    connect(&m_unfinished, &UnfinishedJobs::removed, this, &MainWindow::showStatusMessage);
    connect(&m_unfinished, &UnfinishedJobs::failed, this, [this](const text::ErrorWords& words) {
        m_messages->show({theme::Tone::Broken, words.title, words.detail, {}});
    });
    connect(m_actions.unfinishedJobs, &QAction::triggered, &m_unfinished, &UnfinishedJobs::refresh);
    connect(m_actions.showJobs, &QAction::triggered, this, [this] {
        m_stack->setCurrentWidget(m_workspace);
        m_workspace->showPages(); // also where nothing is opened
        m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.consolidate));
        m_pages.consolidate->scrollToJobs();
        updateActions();
    });
    connect(m_actions.pauseJobs, &QAction::triggered, this, [this](bool pause) {
        for (const JobSnapshot& job : m_jobs.jobs()) {
            pause ? m_services.jobs->pause(job.id) : m_services.jobs->resume(job.id);
        }
        m_jobs.wake();
    });
    connect(m_actions.stopJobs, &QAction::triggered, this, [this] {
        for (const JobSnapshot& job : m_jobs.jobs()) {
            m_services.jobs->cancel(job.id);
        }
        m_jobs.wake();
    });
    connect(m_actions.forgetJobs, &QAction::triggered, this, [this] {
        for (const JobSnapshot& job : m_jobs.jobs()) {
            m_services.jobs->forget(job.id); // refuses what still runs
        }
        m_jobs.wake();
    });
}

void MainWindow::notifyJobEnded(const JobSnapshot& job) {
    if (isActiveWindow() || job.seconds < notifyAfterSeconds || job.state == JobState::Stopped) {
        return; // it is seen, or was quick, or was stopped by hand
    }
    const QString how = job.state == JobState::Done
                            ? tr("Finished in %1").arg(text::duration(job.seconds))
                            : text::describe(job.error.value_or(Error())).title;
    notify(text::fromCore(job.title), how);
}

void MainWindow::jobEnded(JobId id) {
    const auto record = m_desk.record(id);
    if (const auto job = m_services.jobs->snapshot(id)) {
        notifyJobEnded(*job);
    }
    if (m_leaving && m_jobs.active() == 0) {
        close();
        QCoreApplication::quit(); // closing a hidden window does not end the program
        return;
    }
    if (record && record->report) {
        m_navigator->refresh(); // lists the new checkpoint
        m_deployment.replan();
    }
}

} // namespace cairn::ui
