// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractEventDispatcher>
#include <QElapsedTimer>
#include <QObject>
#include <QThread>

#include <algorithm>
#include <ctime>

namespace cairn::ui::test {

/// Measures for how long the GUI thread did not return to its event loop while the object lives.
/// Times depend on the machine: tests print them and assert on counts, or on the time that the
/// processor spent on the thread, which other programs hardly change.
class GuiWatchdog : public QObject {
public:
    explicit GuiWatchdog(const char* what) : m_what(what) {
        QAbstractEventDispatcher* loop = QThread::currentThread()->eventDispatcher();
        connect(loop, &QAbstractEventDispatcher::awake, this, [this] { look(); });
        connect(loop, &QAbstractEventDispatcher::aboutToBlock, this, [this] {
            look();
            m_clock.invalidate(); // nothing to do
        });
        m_clock.start();
    }
    ~GuiWatchdog() override {
        look();
        qInfo("  %s: longest time away from the event loop %.1f ms (%.1f ms of work), %d turns",
              m_what, longestMs(), longestWorkMs(), m_turns);
    }

    double longestMs() const { return static_cast<double>(m_longest) / 1e6; }
    double longestWorkMs() const { return static_cast<double>(m_longestWork) / 1e6; }
    int turns() const { return m_turns; }
    /// Turns longer than what a frame leaves for them (8 ms).
    int longTurns() const { return m_longTurns; }

private:
    static constexpr qint64 kLongNs = 8'000'000;

    void look() {
        const qint64 work = workOfThread();
        if (m_clock.isValid()) {
            const qint64 spent = m_clock.nsecsElapsed();
            m_longest = std::max(m_longest, spent);
            m_longTurns += spent > kLongNs ? 1 : 0;
            m_longestWork = std::max(m_longestWork, work - m_workBefore);
        }
        m_clock.start();
        m_workBefore = work;
        ++m_turns;
    }

    static qint64 workOfThread() { // ns
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
    }

    const char* m_what;
    QElapsedTimer m_clock;
    qint64 m_longest = 0;
    qint64 m_longestWork = 0;
    qint64 m_workBefore = workOfThread();
    int m_turns = 0;
    int m_longTurns = 0;
};

} // namespace cairn::ui::test
