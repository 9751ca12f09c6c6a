// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/queue/job_queue.h"

#include <QCoreApplication>

#include <cstdint>
#include <functional>

class QWidget;

namespace cairn::ui {

class JobsWatcher;

/// Decides whether the window may close while jobs run. Hides it if they are to finish first.
class CloseGuard {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::CloseGuard)

public:
    /// KeepAndQuit: written data stays, and the next start offers to resume. FinishThenQuit: the
    /// window is hidden until the jobs have ended or it is shown again.
    enum class Leave : std::uint8_t { KeepAndQuit, FinishThenQuit, Stay };

    /// All of them outlive this.
    CloseGuard(QWidget& window, JobQueue& queue, JobsWatcher& jobs);

    /// Asks what to do with running jobs. Replaceable in tests.
    std::function<Leave(int active)> ask;

    bool mayClose();
    /// The hidden window waited for the jobs, and none is left.
    bool hasFinished() const;
    /// Brings the window to the front. True: it was hidden to finish jobs.
    bool showWindow();

private:
    QWidget& m_window;
    JobQueue& m_queue;
    JobsWatcher& m_jobs;
    bool m_leaving = false;
};

} // namespace cairn::ui
