// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/close_guard.h"

#include "ui/pages/consolidate/jobs_watcher.h"

#include <QMessageBox>
#include <QPushButton>

namespace cairn::ui {

CloseGuard::CloseGuard(QWidget& window, JobQueue& queue, JobsWatcher& jobs)
    : ask([&window](int active) {
          QMessageBox box(&window);
          box.setIcon(QMessageBox::Question);
          box.setTextFormat(Qt::PlainText);
          box.setText(tr("%Ln jobs are running.", nullptr, active));
          box.setInformativeText(
              tr("They can finish in the background: the next start shows them again. Or they stop "
                 "now, and the running one can be resumed at the next start; queued jobs are "
                 "cancelled."));
          const QPushButton* finish =
              box.addButton(tr("Finish in Background"), QMessageBox::AcceptRole);
          const QPushButton* keep =
              box.addButton(tr("Stop and Resume Later"), QMessageBox::DestructiveRole);
          box.setDefaultButton(box.addButton(tr("Cancel"), QMessageBox::RejectRole));
          box.exec();
          return box.clickedButton() == keep     ? Leave::KeepAndQuit
                 : box.clickedButton() == finish ? Leave::FinishThenQuit
                                                 : Leave::Stay;
      }),
      m_window(window), m_queue(queue), m_jobs(jobs) {}

bool CloseGuard::mayClose() {
    m_jobs.wake();
    if (m_leaving || m_jobs.active() == 0) {
        return true;
    }
    const Leave leave = ask(m_jobs.active());
    if (leave == Leave::FinishThenQuit && m_jobs.active() > 0) {
        m_leaving = true;
        for (const JobSnapshot& job : m_jobs.jobs()) {
            m_queue.resume(job.id); // a paused one would keep the process for ever
        }
        m_window.hide();
    }
    if (leave == Leave::KeepAndQuit) {
        for (const JobSnapshot& job : m_jobs.jobs()) {
            m_queue.suspend(job.id);
        }
    }
    return leave != Leave::Stay && !m_leaving;
}

bool CloseGuard::hasFinished() const {
    return m_leaving && m_jobs.active() == 0;
}

bool CloseGuard::showWindow() {
    const bool hidden = std::exchange(m_leaving, false);
    if (m_window.isMinimized()) {
        m_window.setWindowState(m_window.windowState() & ~Qt::WindowMinimized);
    }
    m_window.show();
    m_window.raise();
    m_window.activateWindow();
    return hidden;
}

} // namespace cairn::ui
