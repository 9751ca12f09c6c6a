// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/queue/job_queue.h"

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace cairn::ui {

/// Polls the queue ten times a second while a page shows it, otherwise and over SSH four times, and
/// never while no job is active. Jobs do not call into the window.
class JobsWatcher : public QObject {
    Q_OBJECT

public:
    struct Pace {
        double bytesPerSecond = 0;
        std::optional<double> secondsLeft; ///< nothing in the first two seconds
    };

    explicit JobsWatcher(JobQueue& queue, QObject* parent = nullptr);

    /// A job was submitted or changed by the user: poll now, and repeat while something runs.
    void wake();
    void setWatched(bool watched);

    const std::vector<JobSnapshot>& jobs() const { return m_jobs; }
    Pace pace(const JobSnapshot& job) const;
    int active() const;            ///< queued, running or paused
    double fraction() const;       ///< of the active jobs, by their bytes
    QStringList chipParts() const; ///< "2 jobs", "41 %", "3 min left"; empty if none is active

Q_SIGNALS:
    void updated();
    void started(cairn::JobId id);
    void reached(cairn::JobId id,
                 int percent);   ///< 25, 50 or 75 of a running job; each at most once
    void ended(cairn::JobId id); ///< once for each job that has ended

private:
    void poll();
    void followProgress();
    struct Sample {
        qint64 ms = 0;
        std::uint64_t bytes = 0;
    };
    JobQueue& m_queue;
    QTimer m_timer;
    QElapsedTimer m_clock;
    bool m_watched = false;
    std::vector<JobSnapshot> m_jobs;
    std::map<JobId, std::deque<Sample>> m_samples; ///< of the last seconds
    std::map<JobId, int> m_quarters;               ///< of running jobs, that were signalled
};

} // namespace cairn::ui
