// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/jobs_watcher.h"

#include "ui/text/plain_text.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kWatchedMs = 100;
constexpr int kPollMs = 250;
constexpr qint64 kWindowMs = 4000;
constexpr double kFirstEstimate = 2.0;

bool isActive(JobState state) {
    return state == JobState::Queued || state == JobState::Running || state == JobState::Paused;
}

std::uint64_t moved(const JobSnapshot& job) {
    return job.progress.written + job.progress.verified;
}

} // namespace

JobsWatcher::JobsWatcher(JobQueue& queue, QObject* parent) : QObject(parent), m_queue(queue) {
    m_clock.start();
    connect(&m_timer, &QTimer::timeout, this, &JobsWatcher::poll);
}

void JobsWatcher::wake() {
    poll();
    if (active() > 0 && !m_timer.isActive()) {
        m_timer.start(kPollMs);
        setWatched(m_watched);
    }
}

void JobsWatcher::setWatched(bool watched) {
    m_watched = watched;
    m_timer.setInterval(watched && !qEnvironmentVariableIsSet("SSH_CONNECTION") ? kWatchedMs
                                                                                : kPollMs);
}

void JobsWatcher::poll() {
    std::vector<JobSnapshot> before = std::move(m_jobs);
    m_jobs = m_queue.snapshot();
    const qint64 now = m_clock.elapsed();
    std::vector<JobId> over;
    for (const JobSnapshot& job : m_jobs) {
        auto& samples = m_samples[job.id];
        if (job.state == JobState::Running) {
            samples.push_back({now, moved(job)});
            while (samples.size() > 2 && samples.front().ms < now - kWindowMs) {
                samples.pop_front();
            }
        } else {
            samples.clear();
        }
        const auto old = std::ranges::find(before, job.id, &JobSnapshot::id);
        if (!isActive(job.state) && (old == before.end() || isActive(old->state))) {
            over.push_back(job.id);
        }
    }
    if (active() == 0) {
        m_timer.stop();
    }
    Q_EMIT updated();
    followProgress();
    for (const JobId id : over) {
        Q_EMIT ended(id);
    }
}

/// A job that ended between two polls is only said to have ended, and one that passed several
/// quarters only to have reached the last one.
void JobsWatcher::followProgress() {
    std::vector<std::pair<JobId, int>> reachedNow;
    for (const JobSnapshot& job : m_jobs) {
        if (!isActive(job.state)) {
            m_quarters.erase(job.id);
        } else if (job.state == JobState::Running) {
            const int quarter = std::min(3, static_cast<int>(4 * job.progress.fraction()));
            const auto [known, isNew] = m_quarters.emplace(job.id, -1);
            if (quarter > known->second) {
                known->second = quarter;
                reachedNow.emplace_back(job.id, quarter);
            }
        }
    }
    for (const auto& [id, quarter] : reachedNow) {
        if (quarter == 0) {
            Q_EMIT started(id);
        } else {
            Q_EMIT reached(id, 25 * quarter);
        }
    }
}

JobsWatcher::Pace JobsWatcher::pace(const JobSnapshot& job) const {
    Pace pace;
    const auto found = m_samples.find(job.id);
    if (found == m_samples.end() || found->second.size() < 2) {
        return pace;
    }
    const Sample& first = found->second.front();
    const Sample& last = found->second.back();
    const double seconds = static_cast<double>(last.ms - first.ms) / 1000.0;
    if (seconds > 0) {
        pace.bytesPerSecond = static_cast<double>(last.bytes - first.bytes) / seconds;
    }
    const std::uint64_t all = 2 * job.progress.total;
    if (job.seconds >= kFirstEstimate && pace.bytesPerSecond > 0 && all > moved(job)) {
        pace.secondsLeft = static_cast<double>(all - moved(job)) / pace.bytesPerSecond;
    }
    return pace;
}

int JobsWatcher::active() const {
    return static_cast<int>(
        std::ranges::count_if(m_jobs, [](const JobSnapshot& job) { return isActive(job.state); }));
}

double JobsWatcher::fraction() const {
    double total = 0;
    double done = 0;
    for (const JobSnapshot& job : m_jobs) {
        if (isActive(job.state)) {
            total += static_cast<double>(job.progress.total);
            done += static_cast<double>(job.progress.total) * job.progress.fraction();
        }
    }
    return total > 0 ? done / total : 0;
}

QStringList JobsWatcher::chipParts() const {
    if (active() == 0) {
        return {};
    }
    bool paused = true;
    double left = 0;
    for (const JobSnapshot& job : m_jobs) {
        if (isActive(job.state)) {
            paused = paused && (job.state == JobState::Paused || job.held);
            left += pace(job).secondsLeft.value_or(0);
        }
    }
    QStringList parts{tr("%Ln jobs", nullptr, active())};
    if (const double done = fraction(); done > 0) {
        parts << tr("%1 %").arg(static_cast<int>(100 * done));
    }
    if (paused) {
        parts << tr("paused");
    } else if (left > 0) {
        parts << tr("%1 left").arg(text::duration(left));
    }
    return parts;
}

} // namespace cairn::ui
