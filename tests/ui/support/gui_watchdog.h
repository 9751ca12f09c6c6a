// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractEventDispatcher>
#include <QElapsedTimer>
#include <QObject>
#include <QThread>

#include <algorithm>
#include <ctime>
#include <vector>

namespace cairn::ui::test {

/// Measures for how long the GUI thread did not return to its event loop while the object lives.
/// Times depend on the machine: tests print them and assert on counts, or on the time that the
/// processor spent on the thread, which other programs hardly change.
///
/// A turn of "work" is what the thread computed from one look at its input to the next: queued
/// calls, timers and painting. Waiting costs no processor time, so that it does not matter when the
/// loop tells that it waits; the clock, which it does matter for, counts queued calls only.
class GuiWatchdog : public QObject {
public:
    explicit GuiWatchdog(const char* what) : m_what(what) {
        QAbstractEventDispatcher* loop = QThread::currentThread()->eventDispatcher();
        connect(loop, &QAbstractEventDispatcher::awake, this, [this] {
            lookAtClock();
            lookAtWork();
        });
        connect(loop, &QAbstractEventDispatcher::aboutToBlock, this, [this] {
            lookAtClock();
            m_clock.invalidate(); // nothing to do
        });
        m_clock.start();
    }
    ~GuiWatchdog() override {
        lookAtClock();
        lookAtWork();
        qInfo("  %s: longest time away from the event loop %.1f ms (%.1f ms of work), %zu turns",
              m_what, longestMs(), longestWorkMs(), m_work.size());
    }

    double longestMs() const { return static_cast<double>(m_longest) / 1e6; }
    double longestWorkMs() const {
        return m_work.empty() ? 0 : *std::max_element(m_work.begin(), m_work.end());
    }
    /// The work of each turn that did more than look, in ms.
    const std::vector<double>& work() const { return m_work; }
    /// Turns longer than what a frame leaves for them (8 ms), by the clock.
    int longTurns() const { return m_longTurns; }

private:
    static constexpr qint64 kLongNs = 8'000'000;
    static constexpr qint64 kLookNs = 100'000; ///< a turn without anything to do takes less

    void lookAtClock() {
        if (m_clock.isValid()) {
            const qint64 spent = m_clock.nsecsElapsed();
            m_longest = std::max(m_longest, spent);
            m_longTurns += spent > kLongNs ? 1 : 0;
        }
        m_clock.start();
    }

    void lookAtWork() {
        const qint64 work = workOfThread();
        if (work - m_workBefore > kLookNs) {
            m_work.push_back(static_cast<double>(work - m_workBefore) / 1e6);
        }
        m_workBefore = work;
    }

    static qint64 workOfThread() { // ns
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
    }

    const char* m_what;
    QElapsedTimer m_clock;
    qint64 m_longest = 0;
    qint64 m_workBefore = workOfThread();
    std::vector<double> m_work;
    int m_longTurns = 0;
};

/// The value that a share of them does not exceed; 0 of none.
inline double quantile(std::vector<double> values, double share) {
    if (values.empty()) {
        return 0;
    }
    const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at),
                     values.end());
    return values[at];
}

} // namespace cairn::ui::test
