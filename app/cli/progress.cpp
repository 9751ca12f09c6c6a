// SPDX-License-Identifier: Apache-2.0
#include "app/cli/progress.h"

#include "core/base/visible_text.h"

#include <chrono>
#include <cstdio>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace cairn::cli {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);

void writeError(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

} // namespace

void Session::message(const std::string& line) const {
    if (onMessage) {
        onMessage(line);
    } else {
        writeError(line + "\n");
    }
}

ProgressPrinter::ProgressPrinter(const Session& session, std::function<ProgressState()> poll)
    : m_report(session.onProgress), m_json(session.progress == ProgressMode::Json),
      m_poll(std::move(poll)) {
    const bool terminal =
        session.progress == ProgressMode::Auto && !session.quiet && ::isatty(STDERR_FILENO) == 1;
    if (m_report || m_json || terminal) {
        m_thread = std::thread([this] { loop(); });
    }
}

ProgressPrinter::~ProgressPrinter() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    if (!m_thread.joinable()) {
        return;
    }
    m_thread.join();
    if (m_json || m_report) {
        print(); // the final state, so that even a short job prints once
    } else if (m_printed) {
        writeError("\r\x1b[K");
    }
}

void ProgressPrinter::loop() {
    std::unique_lock lock(m_mutex);
    while (!m_wake.wait_for(lock, kInterval, [this] { return m_stop; })) {
        print();
    }
}

void ProgressPrinter::print() {
    const ProgressState state = m_poll();
    if (m_report) {
        m_report(state);
        return;
    }
    m_printed = true;
    if (m_json) {
        writeError("{\"phase\": \"" + state.phase + "\", \"done\": " + std::to_string(state.done) +
                   ", \"total\": " + std::to_string(state.total) + "}\n");
        return;
    }
    std::string line = "\r" + state.phase + " " + formatBytes(state.done);
    if (state.total > 0) {
        const std::uint64_t percent =
            state.done >= state.total ? 100 : state.done / (state.total / 100 + 1);
        line += " of " + formatBytes(state.total) + ", " + std::to_string(percent) + " %";
    }
    writeError(line + "\x1b[K");
}

} // namespace cairn::cli
