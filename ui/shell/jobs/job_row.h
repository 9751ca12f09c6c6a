// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/consolidate/job_controller.h"
#include "ui/pages/consolidate/jobs_watcher.h"

#include <QWidget>

namespace cairn::ui {

class Button;
class ByteProgress;
class TextLabel;

/// An active job in few lines: title, bar, rate, time left, and its buttons.
class JobRow : public QWidget {
    Q_OBJECT

public:
    JobRow(JobId id, JobController& jobController, JobsWatcher& watcher, QWidget* parent = nullptr);
    void showJob(const JobSnapshot& job);

Q_SIGNALS:
    void showRequested(cairn::JobId id);

private:
    JobId m_id;
    JobsWatcher& m_watcher;
    TextLabel* m_title;
    TextLabel* m_phase;
    TextLabel* m_figures;
    ByteProgress* m_bar;
    Button* m_pause;
    Button* m_cancel;
    bool m_paused = false;
};

} // namespace cairn::ui
