// SPDX-License-Identifier: Apache-2.0
#include "app/python/watched.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <nanobind/nanobind.h>
#include <thread>

namespace nb = nanobind;

namespace cairn::python {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(50);

/// The end of the work.
class Finish {
public:
    void set() {
        {
            const std::lock_guard lock(m_mutex);
            m_set = true;
        }
        m_wake.notify_all();
    }
    [[nodiscard]] bool waitFor(std::chrono::milliseconds time) {
        std::unique_lock lock(m_mutex);
        return m_wake.wait_for(lock, time, [this] { return m_set; });
    }

private:
    std::mutex m_mutex; ///< guards m_set
    std::condition_variable m_wake;
    bool m_set = false;
};

void checkPython(const std::function<void()>& poll) {
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) {
        throw nb::python_error();
    }
    if (poll) {
        poll();
    }
}

} // namespace

void runWatched(const CancelToken& cancel, const std::function<void()>& work,
                const std::function<void()>& poll) {
    Finish finish;
    std::exception_ptr thrown;
    std::exception_ptr raised;
    {
        const nb::gil_scoped_release release;
        std::thread worker([&] {
            try {
                work();
            } catch (...) {
                thrown = std::current_exception();
            }
            finish.set();
        });
        while (!finish.waitFor(kInterval)) {
            if (raised) {
                continue; // cancelled: waits for the work to notice
            }
            try {
                checkPython(poll);
            } catch (...) {
                raised = std::current_exception();
                cancel.cancel();
            }
        }
        worker.join();
    }
    if (raised) {
        std::rethrow_exception(raised);
    }
    if (thrown) {
        std::rethrow_exception(thrown);
    }
}

} // namespace cairn::python
