// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/context/worker_threads.h"

#include <system_error>

#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

namespace cairn {
namespace {

struct Outcome {
    std::mutex mutex;
    std::atomic<bool> stop{false};
    Result<void> first;

    void add(Result<void> result) {
        if (result) {
            return;
        }
        const std::scoped_lock lock(mutex);
        if (first) {
            first = std::move(result);
        }
        stop.store(true);
    }
};

} // namespace

Result<void> runOnThreads(
    std::size_t threads,
    const std::function<Result<void>(std::size_t worker, const std::atomic<bool>& stop)>& work) {
    Outcome outcome;
    const auto guarded = [&](std::size_t worker) {
        try {
            outcome.add(work(worker, outcome.stop));
        } catch (const std::bad_alloc&) {
            outcome.add(fail(ErrorCode::OutOfMemory, "Out of memory"));
        } catch (const std::exception& exception) {
            outcome.add(fail(ErrorCode::Internal, "The job ended unexpectedly")
                            .butFound(verbatim(exception.what())));
        }
    };
    std::vector<std::jthread> workers;
    try {
        for (std::size_t worker = 1; worker < threads; ++worker) {
            workers.emplace_back(guarded, worker);
        }
    } catch (const std::system_error&) {
        // Fewer threads than requested: the work is distributed dynamically.
    }
    guarded(0);
    workers.clear(); // joins
    return std::move(outcome.first);
}

} // namespace cairn
