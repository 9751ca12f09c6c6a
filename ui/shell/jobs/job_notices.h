// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/queue/job_queue.h"
#include "ui/shell/jobs/desktop_notice.h"

#include <QObject>
#include <QString>

#include <functional>

class QWidget;

namespace cairn::ui {

class JobsWatcher;

/// Tells of jobs that start, progress and end: screen readers, and the desktop if the window is not
/// seen.
class JobNotices : public QObject {
    Q_OBJECT

public:
    /// Both outlive this.
    JobNotices(QWidget& window, const JobsWatcher& jobs);

    /// A job has ended.
    void tellEnd(const JobSnapshot& job);

    // Replaceable in tests.
    /// Sends a desktop notification; see DesktopNotices.
    std::function<void(const QString& title, const QString& body)> notify;
    double notifyAfterSeconds = 10; ///< a shorter job needs no notification

Q_SIGNALS:
    void clicked(); ///< a notification of the desktop

private:
    void tell(JobId id, const QString& what);

    QWidget& m_window;
    const JobsWatcher& m_jobs;
    DesktopNotices m_desktop;
};

} // namespace cairn::ui
