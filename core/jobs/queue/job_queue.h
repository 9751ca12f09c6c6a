// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/jobs/context/job_context.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn {

using JobId = std::uint64_t; ///< counts from 1; never reused by a queue

/// Stopped is the state of a cancelled job: not an error.
enum class JobState : std::uint8_t { Queued, Running, Paused, Done, Failed, Stopped };
std::string_view jobStateName(JobState state); ///< "queued", "running", …

/// The state of a job at one moment. A value; it does not change afterwards.
struct JobSnapshot {
    JobId id = 0;
    std::string title;
    JobState state = JobState::Queued;
    bool held = false; ///< Queued, and paused before it could start
    JobContext::Progress progress;
    double seconds = 0;         ///< running time, without pauses
    std::optional<Error> error; ///< Failed only
    std::vector<Sentence> log;
};

/// Runs jobs one after another, or `width` at a time, on its own threads. Joins its threads in the
/// destructor, after cancelling running jobs. Any thread; only the destructor and wait() block on a
/// job.
class JobQueue {
public:
    /// The work of a job. Its Result is the job's; ErrorCode::Cancelled after cancel() gives
    /// Stopped; an exception only gives Failed (OutOfMemory for bad_alloc, Internal for others).
    using Work = std::function<Result<void>(JobContext&)>;

    explicit JobQueue(std::size_t width = 1);
    JobQueue(const JobQueue&) = delete;
    JobQueue& operator=(const JobQueue&) = delete;
    ~JobQueue();

    /// Higher priorities start first; equal ones in order of submission.
    JobId submit(std::string title, Work work, int priority = 0);

    /// The same for a job that writes `output`, in a form in which equal places are equal texts.
    /// Fails: JobIsRunning if another one with this output is queued, running or paused.
    Result<JobId> submitFor(std::string output, std::string title, Work work);
    /// That other one.
    [[nodiscard]] std::optional<JobId> writerOf(const std::string& output) const;

    // The following return false if there is no such job or it has ended. A queued job that is
    // paused does not start.
    bool pause(JobId id);
    bool resume(JobId id);
    bool cancel(JobId id);
    /// cancel(), but the job's written data is kept: see JobContext::suspend().
    bool suspend(JobId id);
    enum class Shift : std::uint8_t { Earlier, Later };
    /// Swaps a queued job with the queued one before or after it. False if there is none.
    bool move(JobId id, Shift shift);

    /// Forgets a job that has ended; otherwise false.
    bool forget(JobId id);

    /// All jobs in order of submission; queued ones in the order in which they will start.
    [[nodiscard]] std::vector<JobSnapshot> snapshot() const;
    [[nodiscard]] std::optional<JobSnapshot> snapshot(JobId id) const;

    /// Blocks until the job has ended; empty for an unknown id. Must not be called from a job.
    std::optional<JobSnapshot> wait(JobId id) const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace cairn
