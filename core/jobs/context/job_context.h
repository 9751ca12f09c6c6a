// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

enum class JobPhase : std::uint8_t {
    Waiting,
    Checking,
    Writing,
    Syncing,
    Verifying,
    Publishing,
    Done
};
std::string_view phaseName(JobPhase phase); ///< "waiting", "checking", …

/// The connection between a job and its observers: counters, a stop flag, a gate for pausing, a few
/// lines of log. Any thread. Bytes count output bytes: the total once for writing and once more for
/// verifying.
class JobContext {
public:
    struct Progress {
        JobPhase phase = JobPhase::Waiting;
        std::uint64_t total = 0; ///< bytes to be written; 0: not known yet
        std::uint64_t read = 0;  ///< from the source
        std::uint64_t written = 0;
        std::uint64_t verified = 0; ///< re-read from the output and found equal
        /// 0 … 1: written and verified bytes of 2 x total.
        [[nodiscard]] double fraction() const;
    };

    JobContext() = default;
    explicit JobContext(CancelToken token) : m_token(std::move(token)) {}

    [[nodiscard]] Progress progress() const;
    void setPhase(JobPhase phase) { m_phase.store(phase, std::memory_order_relaxed); }
    void setTotal(std::uint64_t bytes) { m_total.store(bytes, std::memory_order_relaxed); }
    void addRead(std::uint64_t bytes) { m_read.fetch_add(bytes, std::memory_order_relaxed); }
    void addWritten(std::uint64_t bytes) { m_written.fetch_add(bytes, std::memory_order_relaxed); }
    void addVerified(std::uint64_t bytes) {
        m_verified.fetch_add(bytes, std::memory_order_relaxed);
    }

    const CancelToken& token() const { return m_token; }
    void cancel();
    /// cancel(), but keeps the written data so that a later process can resume.
    void suspend();
    [[nodiscard]] bool suspended() const { return m_suspended.load(); }
    void pause();
    void resume();
    [[nodiscard]] bool paused() const;
    /// Some worker has waited because of a pause, so the elapsed time is not a measure of the work.
    [[nodiscard]] bool hasWaited() const { return m_waited.load(); }

    /// Workers call it at least once per 16 MiB: waits while paused; fails with Cancelled once
    /// cancelled.
    Result<void> proceed();

    /// Keeps the last kMaxLogLines lines.
    void log(Sentence line);
    [[nodiscard]] std::vector<Sentence> logLines() const;
    static constexpr std::size_t kMaxLogLines = 200;

private:
    CancelToken m_token;
    std::atomic<JobPhase> m_phase{JobPhase::Waiting};
    std::atomic<std::uint64_t> m_total{0};
    std::atomic<std::uint64_t> m_read{0};
    std::atomic<std::uint64_t> m_written{0};
    std::atomic<std::uint64_t> m_verified{0};
    std::atomic<bool> m_paused{false};
    std::atomic<bool> m_suspended{false};
    std::atomic<bool> m_waited{false};
    mutable std::mutex m_mutex; ///< guards m_log; also used by the gate
    std::condition_variable m_gate;
    std::vector<Sentence> m_log;
};

} // namespace cairn
