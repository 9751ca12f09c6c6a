// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/session.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace cairn::cli {

/// Reports the progress of some work on standard error ten times a second during its lifetime: a
/// line that is rewritten on a terminal, one JSON object per line with --progress=json, otherwise
/// nothing; or to session.onProgress. `poll` is called on a thread of this object and must be
/// thread-safe.
class ProgressPrinter {
public:
    ProgressPrinter(const Session& session, std::function<ProgressState()> poll);
    ProgressPrinter(const ProgressPrinter&) = delete;
    ProgressPrinter& operator=(const ProgressPrinter&) = delete;
    ~ProgressPrinter();

private:
    void loop();
    void print();

    std::function<void(const ProgressState&)> m_report; ///< instead of standard error
    bool m_json = false;
    bool m_printed = false;
    std::function<ProgressState()> m_poll;
    std::mutex m_mutex; ///< guards m_stop
    std::condition_variable m_wake;
    bool m_stop = false;
    std::thread m_thread;
};

} // namespace cairn::cli
