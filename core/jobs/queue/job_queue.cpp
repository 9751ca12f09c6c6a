// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/queue/job_queue.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <thread>

namespace cairn {
namespace {

using Clock = std::chrono::steady_clock;

struct Job {
    JobId id = 0;
    std::string title;
    std::string output; ///< empty: unknown
    JobQueue::Work work;
    int priority = 0;
    JobState state = JobState::Queued;
    std::optional<Error> error;
    JobContext context;
    Clock::time_point resumedAt{}; ///< start of the current running period
    Clock::duration ran{};         ///< total of earlier periods
};

bool ended(JobState state) {
    return state == JobState::Done || state == JobState::Failed || state == JobState::Stopped;
}

/// The last handler: no exception of a job leaves the thread.
Result<void> guarded(const JobQueue::Work& work, JobContext& context) {
    try {
        return work(context);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "Out of memory");
    } catch (const std::exception& exception) {
        return fail(ErrorCode::Internal, "The job ended unexpectedly")
            .butFound(verbatim(exception.what()));
    } catch (...) {
        return fail(ErrorCode::Internal, "The job ended unexpectedly");
    }
}

JobSnapshot snapshotOf(const Job& job) {
    JobSnapshot shot;
    shot.id = job.id;
    shot.title = job.title;
    shot.state = job.state;
    shot.held = job.state == JobState::Queued && job.context.paused();
    shot.progress = job.context.progress();
    const auto ran = job.ran + (job.state == JobState::Running ? Clock::now() - job.resumedAt
                                                               : Clock::duration{});
    shot.seconds = std::chrono::duration<double>(ran).count();
    shot.error = job.error;
    shot.log = job.context.logLines();
    return shot;
}

} // namespace

std::string_view jobStateName(JobState state) {
    static constexpr std::array<std::string_view, 6> kNames = {"queued", "running", "paused",
                                                               "done",   "failed",  "stopped"};
    return kNames.at(static_cast<std::size_t>(state));
}

struct JobQueue::State {
    mutable std::mutex mutex;                ///< guards everything here except the contexts
    mutable std::condition_variable changed; ///< a job was added, resumed, cancelled, or has ended
    std::deque<std::shared_ptr<Job>> jobs;
    JobId lastId = 0;
    bool closing = false;
    std::vector<std::thread> threads;

    std::shared_ptr<Job> find(JobId id) const {
        const auto found =
            std::ranges::find_if(jobs, [id](const auto& job) { return job->id == id; });
        return found == jobs.end() ? nullptr : *found;
    }

    std::shared_ptr<Job> writer(const std::string& output) const {
        const auto found = std::ranges::find_if(jobs, [&](const auto& job) {
            return !output.empty() && job->output == output && !ended(job->state);
        });
        return found == jobs.end() ? nullptr : *found;
    }

    JobId add(std::shared_ptr<Job> job) {
        job->id = ++lastId;
        jobs.push_back(std::move(job));
        changed.notify_all();
        return lastId;
    }

    std::shared_ptr<Job> next() const {
        std::shared_ptr<Job> best;
        for (const auto& job : jobs) {
            if (job->state == JobState::Queued && !job->context.paused() &&
                (best == nullptr || job->priority > best->priority)) {
                best = job;
            }
        }
        return best;
    }

    void finish(Job& job, Result<void> result) {
        if (job.state == JobState::Running) {
            job.ran += Clock::now() - job.resumedAt;
        }
        job.work = nullptr;
        if (result) {
            job.state = JobState::Done;
            job.context.setPhase(JobPhase::Done);
        } else if (result.error().code == ErrorCode::Cancelled) {
            job.state = JobState::Stopped;
        } else {
            job.state = JobState::Failed;
            job.error = std::move(result).error();
        }
        changed.notify_all();
    }

    void run() {
        std::unique_lock lock(mutex);
        while (true) {
            changed.wait(lock, [this] { return closing || next() != nullptr; });
            if (closing) {
                return;
            }
            const std::shared_ptr<Job> job = next();
            job->state = JobState::Running;
            job->resumedAt = Clock::now();
            const Work work = std::move(job->work);
            lock.unlock();
            auto result = guarded(work, job->context);
            lock.lock();
            finish(*job, std::move(result));
        }
    }
};

JobQueue::JobQueue(std::size_t width) : m_state(std::make_unique<State>()) {
    for (std::size_t i = 0; i < std::max<std::size_t>(width, 1); ++i) {
        m_state->threads.emplace_back([state = m_state.get()] { state->run(); });
    }
}

JobQueue::~JobQueue() {
    {
        const std::scoped_lock lock(m_state->mutex);
        m_state->closing = true;
        for (const auto& job : m_state->jobs) {
            job->context.cancel();
        }
    }
    m_state->changed.notify_all();
    for (std::thread& thread : m_state->threads) {
        thread.join();
    }
}

JobId JobQueue::submit(std::string title, Work work, int priority) {
    auto job = std::make_shared<Job>();
    job->title = std::move(title);
    job->work = std::move(work);
    job->priority = priority;
    const std::scoped_lock lock(m_state->mutex);
    return m_state->add(std::move(job));
}

Result<JobId> JobQueue::submitFor(std::string output, std::string title, Work work) {
    auto job = std::make_shared<Job>();
    job->title = std::move(title);
    job->output = std::move(output);
    job->work = std::move(work);
    const std::scoped_lock lock(m_state->mutex);
    if (const auto other = m_state->writer(job->output)) {
        return fail(ErrorCode::JobIsRunning, "Another job is writing this output")
            .inFile(job->output)
            .butFound(verbatim(other->title))
            .withHint("Wait for that job, or choose a different output");
    }
    return m_state->add(std::move(job));
}

std::optional<JobId> JobQueue::writerOf(const std::string& output) const {
    const std::scoped_lock lock(m_state->mutex);
    const auto job = m_state->writer(output);
    return job == nullptr ? std::nullopt : std::optional(job->id);
}

bool JobQueue::pause(JobId id) {
    const std::scoped_lock lock(m_state->mutex);
    const auto job = m_state->find(id);
    if (job == nullptr || ended(job->state)) {
        return false;
    }
    job->context.pause();
    if (job->state == JobState::Running) {
        job->ran += Clock::now() - job->resumedAt;
        job->state = JobState::Paused;
    }
    return true;
}

bool JobQueue::resume(JobId id) {
    const std::scoped_lock lock(m_state->mutex);
    const auto job = m_state->find(id);
    if (job == nullptr || ended(job->state)) {
        return false;
    }
    job->context.resume();
    if (job->state == JobState::Paused) {
        job->state = JobState::Running;
        job->resumedAt = Clock::now();
    }
    m_state->changed.notify_all();
    return true;
}

bool JobQueue::cancel(JobId id) {
    const std::scoped_lock lock(m_state->mutex);
    const auto job = m_state->find(id);
    if (job == nullptr || ended(job->state)) {
        return false;
    }
    job->context.cancel();
    if (job->state == JobState::Queued) {
        m_state->finish(*job, fail(ErrorCode::Cancelled, "Stopped"));
    }
    return true;
}

bool JobQueue::suspend(JobId id) {
    {
        const std::scoped_lock lock(m_state->mutex);
        const auto job = m_state->find(id);
        if (job == nullptr || ended(job->state)) {
            return false;
        }
        job->context.suspend();
    }
    cancel(id);
    return true;
}

bool JobQueue::move(JobId id, Shift shift) {
    const bool earlier = shift == Shift::Earlier;
    const std::scoped_lock lock(m_state->mutex);
    std::vector<std::size_t> places;
    std::vector<std::shared_ptr<Job>> queued;
    for (std::size_t i = 0; i < m_state->jobs.size(); ++i) {
        if (m_state->jobs[i]->state == JobState::Queued) {
            places.push_back(i);
            queued.push_back(m_state->jobs[i]);
        }
    }
    std::ranges::stable_sort(queued, std::greater(), [](const auto& job) { return job->priority; });
    const auto found =
        std::ranges::find_if(queued, [id](const auto& job) { return job->id == id; });
    if (found == queued.end() || (earlier ? found == queued.begin() : found + 1 == queued.end())) {
        return false;
    }
    const auto beside = earlier ? found - 1 : found + 1;
    std::swap((*found)->priority, (*beside)->priority); // priorities stay at their positions
    std::iter_swap(found, beside);
    for (std::size_t i = 0; i < places.size(); ++i) {
        m_state->jobs[places[i]] = queued[i];
    }
    return true;
}

bool JobQueue::forget(JobId id) {
    const std::scoped_lock lock(m_state->mutex);
    return std::erase_if(m_state->jobs,
                         [id](const auto& job) { return job->id == id && ended(job->state); }) > 0;
}

std::vector<JobSnapshot> JobQueue::snapshot() const {
    const std::scoped_lock lock(m_state->mutex);
    std::vector<JobSnapshot> shots;
    shots.reserve(m_state->jobs.size());
    for (const auto& job : m_state->jobs) {
        shots.push_back(snapshotOf(*job));
    }
    return shots;
}

std::optional<JobSnapshot> JobQueue::snapshot(JobId id) const {
    const std::scoped_lock lock(m_state->mutex);
    const auto job = m_state->find(id);
    return job == nullptr ? std::nullopt : std::optional(snapshotOf(*job));
}

std::optional<JobSnapshot> JobQueue::wait(JobId id) const {
    std::unique_lock lock(m_state->mutex);
    const auto job = m_state->find(id);
    if (job == nullptr) {
        return std::nullopt;
    }
    m_state->changed.wait(lock, [&job] { return ended(job->state); });
    return snapshotOf(*job);
}

} // namespace cairn
