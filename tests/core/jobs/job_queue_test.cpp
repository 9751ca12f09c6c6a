// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/queue/job_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>

namespace cairn {
namespace {

/// Runs until it is cancelled.
Result<void> endless(JobContext& context) {
    while (true) {
        CAIRN_CHECK(context.proceed());
        context.addWritten(1);
        std::this_thread::yield();
    }
}

TEST(JobQueue, RunsInOrderOfPriorityThenSubmission) {
    JobQueue queue;
    std::latch started(1);
    std::latch go(1);
    std::mutex mutex;
    std::string order;
    const auto note = [&](char letter) {
        return [&, letter](JobContext&) -> Result<void> {
            const std::scoped_lock lock(mutex);
            order += letter;
            return {};
        };
    };
    queue.submit("first", [&](JobContext&) -> Result<void> {
        started.count_down();
        go.wait();
        return {};
    });
    started.wait();
    queue.submit("a", note('a'));
    queue.submit("b", note('b'));
    const JobId last = queue.submit("c", note('c'), -1);
    queue.submit("d", note('d'), 5);
    go.count_down();
    EXPECT_EQ(queue.wait(last)->state, JobState::Done);
    EXPECT_EQ(order, "dabc");
}

TEST(JobQueue, WaitingJobsCanBeMoved) {
    JobQueue queue;
    const JobId block = queue.submit("block", endless);
    while (queue.snapshot(block)->progress.written == 0) {
        std::this_thread::yield();
    }
    std::mutex mutex;
    std::string order;
    const auto note = [&](char letter) {
        return [&, letter](JobContext&) -> Result<void> {
            const std::scoped_lock lock(mutex);
            order += letter;
            return {};
        };
    };
    const JobId a = queue.submit("a", note('a'));
    const JobId b = queue.submit("b", note('b'));
    const JobId c = queue.submit("c", note('c'), 3);
    EXPECT_FALSE(queue.move(c, JobQueue::Shift::Earlier)); // is first already
    EXPECT_FALSE(queue.move(b, JobQueue::Shift::Later));
    EXPECT_FALSE(queue.move(block, JobQueue::Shift::Later)); // is running
    EXPECT_TRUE(queue.move(b, JobQueue::Shift::Earlier));
    EXPECT_TRUE(queue.move(b, JobQueue::Shift::Earlier)); // even before the one of higher priority
    const std::vector<JobSnapshot> shots = queue.snapshot();
    EXPECT_EQ(shots.at(1).id, b);
    EXPECT_EQ(shots.at(2).id, c);
    EXPECT_EQ(shots.at(3).id, a);
    queue.cancel(block);
    queue.wait(a);
    EXPECT_EQ(order, "bca");
}

TEST(JobQueue, TellsErrorsAndCatchesExceptions) {
    JobQueue queue(2);
    const JobId failed = queue.submit(
        "f", [](JobContext&) { return Result<void>(fail(ErrorCode::NoSpace, "Full")); });
    const JobId memory =
        queue.submit("m", [](JobContext&) -> Result<void> { throw std::bad_alloc(); });
    const JobId odd =
        queue.submit("o", [](JobContext&) -> Result<void> { throw std::runtime_error("odd"); });
    EXPECT_EQ(queue.wait(failed)->error->code, ErrorCode::NoSpace);
    EXPECT_EQ(queue.wait(memory)->error->code, ErrorCode::OutOfMemory);
    EXPECT_EQ(queue.wait(odd)->error->found, "odd");
    EXPECT_EQ(queue.wait(odd)->state, JobState::Failed);
}

TEST(JobQueue, CancelIsAStateAndNoError) {
    JobQueue queue;
    const JobId running = queue.submit("r", endless);
    const JobId queued = queue.submit("q", endless);
    while (queue.snapshot(running)->progress.written == 0) {
        std::this_thread::yield();
    }
    EXPECT_TRUE(queue.cancel(queued));
    EXPECT_EQ(queue.snapshot(queued)->state, JobState::Stopped);
    EXPECT_TRUE(queue.cancel(running));
    const auto end = queue.wait(running);
    EXPECT_EQ(end->state, JobState::Stopped);
    EXPECT_FALSE(end->error.has_value());
    EXPECT_FALSE(queue.cancel(running));
    EXPECT_FALSE(queue.cancel(99));
}

TEST(JobQueue, PausesAndResumes) {
    JobQueue queue;
    const JobId id = queue.submit("p", endless);
    while (queue.snapshot(id)->progress.written == 0) {
        std::this_thread::yield();
    }
    EXPECT_TRUE(queue.pause(id));
    EXPECT_EQ(queue.snapshot(id)->state, JobState::Paused);
    const double paused = queue.snapshot(id)->seconds;
    EXPECT_EQ(queue.snapshot(id)->seconds, paused);
    EXPECT_TRUE(queue.resume(id));
    const auto before = queue.snapshot(id)->progress.written;
    while (queue.snapshot(id)->progress.written <= before + 1) {
        std::this_thread::yield();
    }
    queue.pause(id);
    queue.cancel(id); // also wakes a paused job
    EXPECT_EQ(queue.wait(id)->state, JobState::Stopped);
}

TEST(JobQueue, APausedJobDoesNotStart) {
    JobQueue queue;
    const JobId block = queue.submit("block", endless);
    const JobId waiting = queue.submit("waiting", [](JobContext&) -> Result<void> { return {}; });
    const JobId other = queue.submit("other", [](JobContext&) -> Result<void> { return {}; });
    EXPECT_TRUE(queue.pause(waiting));
    queue.cancel(block);
    EXPECT_EQ(queue.wait(other)->state, JobState::Done);
    EXPECT_EQ(queue.snapshot(waiting)->state, JobState::Queued);
    queue.resume(waiting);
    EXPECT_EQ(queue.wait(waiting)->state, JobState::Done);
}

TEST(JobQueue, OneWriterForEachOutput) {
    JobQueue queue;
    const auto first = queue.submitFor("/out", "first", endless);
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(queue.writerOf("/out"), *first);
    const auto second = queue.submitFor("/out", "second", endless);
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().code, ErrorCode::JobIsRunning);
    EXPECT_EQ(second.error().found.text(), "first");
    const auto queued = queue.submitFor("/other", "queued", endless);
    ASSERT_TRUE(queued.has_value());
    EXPECT_FALSE(queue.submitFor("/other", "also a queued one counts", endless).has_value());
    EXPECT_TRUE(queue.submitFor({}, "unknown", endless).has_value());
    EXPECT_TRUE(queue.submitFor({}, "unknown", endless).has_value());
    queue.cancel(*first);
    queue.wait(*first);
    EXPECT_EQ(queue.writerOf("/out"), std::nullopt);
    EXPECT_TRUE(queue.submitFor("/out", "third", endless).has_value());
}

TEST(JobQueue, ForgetsWhatHasEnded) {
    JobQueue queue;
    const JobId done = queue.submit("d", [](JobContext&) -> Result<void> { return {}; });
    queue.wait(done);
    const JobId running = queue.submit("r", endless);
    EXPECT_TRUE(queue.forget(done));
    EXPECT_FALSE(queue.forget(running));
    EXPECT_EQ(queue.snapshot().size(), 1U);
}

TEST(JobQueue, DestructionStopsEverything) {
    std::atomic<int> begun = 0;
    std::atomic<int> ended = 0;
    auto queue = std::make_unique<JobQueue>(2);
    for (int i = 0; i < 5; ++i) {
        queue->submit("e", [&](JobContext& context) {
            ++begun;
            const auto result = endless(context);
            ++ended;
            return result;
        });
    }
    while (begun < 2) {
        std::this_thread::yield();
    }
    queue.reset();
    EXPECT_EQ(begun, 2) << "those that waited never begin";
    EXPECT_EQ(ended, 2);
}

TEST(JobQueue, ManyThreadsMayAskAtOnce) {
    JobQueue queue(3);
    std::vector<std::jthread> users;
    for (int user = 0; user < 4; ++user) {
        users.emplace_back([&queue] {
            for (int i = 0; i < 50; ++i) {
                const JobId id = queue.submit("j", [](JobContext& context) -> Result<void> {
                    context.log("line");
                    context.setPhase(JobPhase::Writing);
                    return context.proceed();
                });
                queue.pause(id);
                static_cast<void>(queue.snapshot());
                queue.resume(id);
                if (i % 3 == 0) {
                    queue.cancel(id);
                }
                queue.wait(id);
            }
        });
    }
    users.clear();
    EXPECT_EQ(queue.snapshot().size(), 200U);
}

TEST(JobContext, KeepsTheLastLinesAndMakesThemVisible) {
    JobContext context;
    for (std::size_t i = 0; i < JobContext::kMaxLogLines + 5; ++i) {
        context.log(sentence("line %1", i));
    }
    EXPECT_EQ(context.logLines().size(), JobContext::kMaxLogLines);
    EXPECT_EQ(context.logLines().back().text(),
              "line " + std::to_string(JobContext::kMaxLogLines + 4));
}

} // namespace
} // namespace cairn
