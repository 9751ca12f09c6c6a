// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/context/job_context.h"

#include "core/base/visible_text.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace cairn {

std::string_view phaseName(JobPhase phase) {
    static constexpr std::array<std::string_view, 7> kNames = {
        "waiting", "checking", "writing", "syncing", "verifying", "publishing", "done"};
    return kNames.at(static_cast<std::size_t>(phase));
}

double JobContext::Progress::fraction() const {
    if (phase == JobPhase::Done) {
        return 1.0;
    }
    return total == 0 ? 0.0
                      : std::min(1.0, static_cast<double>(written + verified) /
                                          (2.0 * static_cast<double>(total)));
}

JobContext::Progress JobContext::progress() const {
    Progress now;
    now.phase = m_phase.load(std::memory_order_relaxed);
    now.total = m_total.load(std::memory_order_relaxed);
    now.read = m_read.load(std::memory_order_relaxed);
    now.written = m_written.load(std::memory_order_relaxed);
    now.verified = m_verified.load(std::memory_order_relaxed);
    return now;
}

void JobContext::cancel() {
    m_token.cancel();
    {
        const std::scoped_lock lock(m_mutex);
    } // a thread that is about to wait sees the flag or the notification
    m_gate.notify_all();
}

void JobContext::suspend() {
    m_suspended.store(
        true); // before cancelling: a thread that sees the cancelled token must also see this
    cancel();
}

void JobContext::pause() {
    m_paused.store(true, std::memory_order_relaxed);
}

void JobContext::resume() {
    m_paused.store(false, std::memory_order_relaxed);
    { const std::scoped_lock lock(m_mutex); }
    m_gate.notify_all();
}

bool JobContext::paused() const {
    return m_paused.load(std::memory_order_relaxed);
}

Result<void> JobContext::proceed() {
    while (m_paused.load(std::memory_order_relaxed) && !m_token.cancelled()) {
        m_waited.store(true);
        std::unique_lock lock(m_mutex);
        // The token may be cancelled by others, so check it from time to time.
        m_gate.wait_for(lock, std::chrono::milliseconds(50));
    }
    return m_token.check();
}

void JobContext::log(Sentence line) {
    const std::scoped_lock lock(m_mutex);
    if (m_log.size() == kMaxLogLines) {
        m_log.erase(m_log.begin());
    }
    m_log.push_back(std::move(line));
}

std::vector<Sentence> JobContext::logLines() const {
    const std::scoped_lock lock(m_mutex);
    return m_log;
}

} // namespace cairn
