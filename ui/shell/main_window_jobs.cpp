// SPDX-License-Identifier: GPL-3.0-or-later
// The window's jobs: those of the queue, those that an earlier process left, and closing.
#include "ui/navigator/navigator.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/job_words.h"
#include "ui/pages/consolidate/unfinished_bar.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/file_manager.h"
#include "ui/shell/job_chip.h"
#include "ui/shell/job_popover.h"
#include "ui/shell/main_window.h"
#include "ui/shell/top_bar.h"
#include "ui/shell/workspace.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/message_strip.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QMessageBox>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>

namespace cairn::ui {
namespace {

bool hasEnded(const JobSnapshot& job) {
    return job.state == JobState::Done || job.state == JobState::Failed ||
           job.state == JobState::Stopped;
}

MainWindow::Leave ask(QWidget* parent, int active) {
    QMessageBox box(parent);
    box.setIcon(QMessageBox::Question);
    box.setTextFormat(Qt::PlainText);
    box.setText(MainWindow::tr("%Ln jobs are running.", nullptr, active));
    box.setInformativeText(MainWindow::tr(
        "They can finish in the background: the next start shows them again. Or they stop now, and "
        "the running one can be resumed at the next start; queued jobs are cancelled."));
    const QPushButton* finish =
        box.addButton(MainWindow::tr("Finish in Background"), QMessageBox::AcceptRole);
    const QPushButton* keep =
        box.addButton(MainWindow::tr("Stop and Resume Later"), QMessageBox::DestructiveRole);
    box.setDefaultButton(box.addButton(MainWindow::tr("Cancel"), QMessageBox::RejectRole));
    box.exec();
    return box.clickedButton() == keep     ? MainWindow::Leave::KeepAndQuit
           : box.clickedButton() == finish ? MainWindow::Leave::FinishThenQuit
                                           : MainWindow::Leave::Stay;
}

} // namespace

void MainWindow::connectJobActions() {
    askAboutJobs = [this](int active) { return ask(this, active); };
    notify = [this](const QString& title, const QString& body) { m_notices.send(title, body); };
    connect(&m_notices, &DesktopNotices::clicked, this, [this] {
        summon({});
        m_actions.showJobs->trigger();
    });
    m_jobPopover = new JobPopover(m_jobController, m_jobs, *m_services.fileOps, this);
    connect(&m_jobs, &JobsWatcher::updated, this, &MainWindow::updateJobs);
    connect(&m_jobs, &JobsWatcher::ended, this, &MainWindow::jobEnded);
    connect(&m_jobs, &JobsWatcher::started, this,
            [this](JobId id) { announceJob(id, tr("started")); });
    connect(&m_jobs, &JobsWatcher::reached, this,
            [this](JobId id, int percent) { announceJob(id, tr("%1 %").arg(percent)); });
    connect(&m_jobController, &JobController::started, this, [this] {
        m_jobs.wake();
        m_pages.consolidate->scrollToJobs();
    });
    connect(m_unfinishedBar, &UnfinishedBar::resumed, m_actions.showJobs, &QAction::trigger);
    connect(&m_unfinished, &UnfinishedJobs::removed, this, &MainWindow::showStatusMessage);
    connect(&m_unfinished, &UnfinishedJobs::failed, this, [this](const text::ErrorWords& words) {
        m_messages->show({theme::Tone::Broken, words.title, words.detail, {}});
    });
    connect(m_actions.unfinishedJobs, &QAction::triggered, &m_unfinished, &UnfinishedJobs::refresh);
    connect(m_actions.showJobs, &QAction::triggered, this, [this] { showJob(0); });
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
    connectJobResults();
}

void MainWindow::connectJobResults() {
    const auto popUp = [this] {
        for (const JobSnapshot& job : m_jobs.jobs()) {
            if (hasEnded(job)) {
                m_seenJobs.insert(job.id);
            }
        }
        const QWidget* anchor = m_topBar->jobChip();
        m_jobPopover->popUp(anchor->isVisible() ? *anchor : *m_topBar);
    };
    connect(m_topBar->jobChip(), &QAbstractButton::clicked, this, popUp);
    connect(m_actions.jobHistory, &QAction::triggered, this, popUp);
    connect(m_jobPopover, &JobPopover::closed, this, &MainWindow::updateJobChip);
    connect(m_jobPopover, &JobPopover::showRequested, this, &MainWindow::showJob);
    connect(m_jobPopover, &JobPopover::checkpointRequested, this, &MainWindow::openOutput);
    connect(m_jobPopover, &JobPopover::openFolderRequested, this, &MainWindow::openFolderOf);
    ConsolidatePage* page = m_pages.consolidate;
    connect(page, &ConsolidatePage::openFolderRequested, this, &MainWindow::openFolderOf);
    connect(page, &ConsolidatePage::checkpointRequested, this, &MainWindow::openOutput);
    connect(page, &ConsolidatePage::compareRequested, this, &MainWindow::compareWithSource);
    connect(&m_jobController, &JobController::undone, this, [this](JobId, const auto& movedTo) {
        if (movedTo) {
            m_lastChange.forget();
            showStatusMessage(tr("Moved to the wastebasket: %1").arg(text::fromPath(*movedTo)));
            m_navigator->refresh(); // no longer lists it
            m_deployment.replan();
        }
    });
}

/// Shows the page with the jobs, and on it this one, or the newest.
void MainWindow::showJob(JobId id) {
    m_stack->setCurrentWidget(m_workspace);
    m_workspace->showPages(); // also where nothing is opened
    m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.consolidate));
    m_pages.consolidate->scrollToJobs(id);
    updateActions();
}

void MainWindow::openOutput(const std::filesystem::path& output) {
    if (m_navigator->select(output)) {
        choose(output);
    } else {
        openPaths({output});
    }
    m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.summary));
}

void MainWindow::compareWithSource(const std::filesystem::path& source,
                                   const std::filesystem::path& output) {
    m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.diff));
    m_pages.diff->compare(source, output);
    if (m_navigator->select(source)) {
        choose(source);
    } else {
        openPaths({source});
    }
}

void MainWindow::openFolderOf(const std::filesystem::path& path) {
    showInFileManager(path, [this, path] {
        m_messages->show({theme::Tone::Attention,
                          tr("This computer has no file manager that Cairn can open"),
                          text::fromPath(path),
                          {{tr("Copy Path"), [this, path] {
                                QGuiApplication::clipboard()->setText(
                                    QString::fromLocal8Bit(path.c_str()));
                                showStatusMessage(tr("Path copied to the clipboard"));
                            }}}});
    });
}

/// What depends on jobs and on the plan; called at every progress of a job.
void MainWindow::updateJobs() {
    const bool shown = m_checkpoint != nullptr && m_stack->currentWidget() == m_workspace;
    const bool taken = m_deployment.isTaken();
    m_actions.consolidate->setEnabled(shown && !m_deployment.isPlanning() && !taken);
    m_actions.consolidate->setText(startText(shown));
    const QString tip = shown ? m_deployment.forecastTip() : QString();
    m_actions.consolidate->setToolTip(
        taken ? tip : tr("Write one verified, loadable checkpoint from all shards"));
    m_topBar->setForecast(shown ? m_deployment.forecastParts() : QStringList(), tip,
                          shown && m_deployment.warns());
    const int active = m_jobs.active();
    m_actions.pauseJobs->setEnabled(active > 0);
    m_actions.pauseJobs->setChecked(
        active > 0 && std::ranges::all_of(m_jobs.jobs(), [](const JobSnapshot& job) {
            return job.state != JobState::Running && (job.state != JobState::Queued || job.held);
        }));
    m_actions.stopJobs->setEnabled(active > 0);
    m_actions.forgetJobs->setEnabled(static_cast<int>(m_jobs.jobs().size()) > active);
    updateJobChip();
}

void MainWindow::updateJobChip() {
    JobChip* chip = m_topBar->jobChip();
    if (m_jobs.active() > 0) {
        const bool paused = m_actions.pauseJobs->isChecked();
        chip->showProgress(m_jobs.fraction(), m_jobs.chipParts(), paused);
        chip->show();
        return;
    }
    int done = 0;
    int failed = 0;
    theme::Tone worst = theme::Tone::Good;
    for (const JobSnapshot& job : m_jobs.jobs()) {
        if (!m_seenJobs.contains(job.id) && job.state != JobState::Stopped) { // seen, or by hand
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

/// The effect of the button now; with … if it would only show why the job is not possible.
QString MainWindow::startText(bool shown) const {
    const Deployment::Planned* planned = m_deployment.planned();
    const JobKind kind = planned != nullptr ? planned->request.kind : JobKind::Consolidate;
    const QString text = kind == JobKind::Average   ? tr("Average Checkpoin&ts")
                         : kind == JobKind::Reshard ? tr("Reshar&d")
                                                    : tr("Consolidate for &Deployment");
    const bool click = m_deployment.isReady() || m_deployment.isPlanning() || !shown;
    return click ? text : text + QStringLiteral("…");
}

void MainWindow::consolidate(bool evenIfWarned) {
    m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.consolidate));
    if (!m_deployment.isReady() && !(evenIfWarned && m_deployment.isRunnable())) {
        m_pages.consolidate->scrollToProblem();
        return;
    }
    const QWidget* focus = QApplication::focusWidget();
    if (const auto started = m_deployment.start(); !started) {
        const text::ErrorWords words = text::describe(started.error());
        m_messages->show({theme::Tone::Attention, words.title, words.detail, {}});
        return;
    }
    m_deployment.replan();
    if (focus != nullptr && !focus->isEnabled()) {
        m_pages.consolidate->focusJob(); // not the next widget after the button
    }
}

void MainWindow::announceJob(JobId id, const QString& what) {
    const auto job = std::ranges::find(m_jobs.jobs(), id, &JobSnapshot::id);
    if (job != m_jobs.jobs().end()) {
        announce(this, tr("%1: %2").arg(text::fromCore(job->title), what));
    }
}

void MainWindow::notifyJobEnded(const JobSnapshot& job) {
    if (job.state == JobState::Stopped) {
        return; // by hand
    }
    const QString how = job.state == JobState::Done
                            ? tr("Finished in %1").arg(text::duration(job.seconds))
                            : text::describe(job.error.value_or(Error())).title;
    announce(this, tr("%1: %2").arg(text::fromCore(job.title), how));
    if (!isActiveWindow() && job.seconds >= notifyAfterSeconds) { // it is not seen and was long
        notify(text::fromCore(job.title), how);
    }
}

void MainWindow::jobEnded(JobId id) {
    const auto record = m_jobController.record(id);
    if (const auto job = m_services.jobs->snapshot(id)) {
        notifyJobEnded(*job);
    }
    if (m_leaving && m_jobs.active() == 0) {
        close();
        QCoreApplication::quit(); // closing a hidden window does not end the program
        return;
    }
    if (record && record->report) {
        if (const auto job = m_services.jobs->snapshot(id); job && !record->report->stamp.empty()) {
            m_lastChange.offer(text::fromCore(job->title), [this, id] { undoJob(id); });
        }
        m_navigator->refresh(); // lists the new checkpoint
        m_deployment.replan();
    }
}

void MainWindow::summon(const Opening& opening) {
    const bool hidden = m_leaving;
    m_leaving = false;
    if (isMinimized()) {
        setWindowState(windowState() & ~Qt::WindowMinimized);
    }
    show();
    raise();
    activateWindow();
    open(opening);
    if (opening.isEmpty() && hidden) {
        m_actions.showJobs->trigger(); // what it was hidden for
    }
}

bool MainWindow::mayClose() {
    m_jobs.wake();
    if (m_leaving || m_jobs.active() == 0) {
        return true;
    }
    const Leave leave = askAboutJobs(m_jobs.active());
    if (leave == Leave::FinishThenQuit && m_jobs.active() > 0) {
        m_leaving = true;
        for (const JobSnapshot& job : m_jobs.jobs()) {
            m_services.jobs->resume(job.id); // a paused one would keep the process for ever
        }
        m_jobPopover->hide();
        hide();
    }
    if (leave == Leave::KeepAndQuit) {
        for (const JobSnapshot& job : m_jobs.jobs()) {
            m_services.jobs->suspend(job.id);
        }
    }
    return leave != Leave::Stay && !m_leaving;
}

} // namespace cairn::ui
