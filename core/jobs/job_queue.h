// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/jobs/job_context.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn {

using JobId = std::uint64_t; ///< counts from 1; never used twice by one queue

/// Stopped is what a cancelled job ends as: a state, not an error.
enum class JobState : std::uint8_t { Queued, Running, Paused, Done, Failed, Stopped };
std::string_view jobStateName(JobState state); ///< "queued", "running", …

/// What a job looked like at one moment. A value; nothing in it changes afterwards.
struct JobSnapshot {
    JobId id = 0;
    std::string title;
    JobState state = JobState::Queued;
    bool held = false; ///< Queued, and paused before it could start
    JobContext::Progress progress;
    double seconds = 0; ///< since it started, without the time it was paused or after it ended
    std::optional<Error> error; ///< Failed only
    std::vector<std::string> log;
};

/// Runs jobs one after another, or `width` at a time, on threads of its own. Owns every thread that
/// outlives a call and joins them when it is destroyed, after cancelling what still runs. Every
/// member is safe from any thread; none blocks on a job except the destructor and wait().
class JobQueue {
public:
    /// Does the job. Its Result is the job's end; ErrorCode::Cancelled after cancel() ends it as
    /// Stopped; an exception ends it as Failed (OutOfMemory for bad_alloc, Internal for others) and
    /// nothing else.
    using Work = std::function<Result<void>(JobContext&)>;

    explicit JobQueue(std::size_t width = 1);
    JobQueue(const JobQueue&) = delete;
    JobQueue& operator=(const JobQueue&) = delete;
    ~JobQueue();

    /// Higher priority starts first; equal ones in order of submission.
    JobId submit(std::string title, Work work, int priority = 0);

    // False when there is no such job or it has ended. A queued job that is paused does not start.
    bool pause(JobId id);
    bool resume(JobId id);
    bool cancel(JobId id);
    /// cancel(), but what the job has written stays: see JobContext::suspend().
    bool suspend(JobId id);
    /// Lets a queued job start before, or after, the queued one beside it. False when there is
    /// none.
    bool move(JobId id, bool earlier);

    /// Forgets a job that has ended; false otherwise.
    bool forget(JobId id);

    /// All that are known, in order of submission; queued ones in the order in which they start.
    [[nodiscard]] std::vector<JobSnapshot> snapshot() const;
    [[nodiscard]] std::optional<JobSnapshot> snapshot(JobId id) const;

    /// Blocks until the job has ended; nothing for an unknown id. Not from inside a job.
    std::optional<JobSnapshot> wait(JobId id) const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace cairn
