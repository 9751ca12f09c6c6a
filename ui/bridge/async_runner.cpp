// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/async_runner.h"

#include "ui/bridge/release_on_worker.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QPointer>
#include <QThread>
#include <QThreadPool>
#include <sys/resource.h>

#include <algorithm>
#include <unistd.h>

namespace cairn::ui {
namespace {

constexpr int kQuickThreads = 24; ///< most of them sleep; each may be caught on a hung mount
constexpr int kLeastLongThreads = 2;
constexpr std::chrono::seconds kLeaveLimit{10};
constexpr std::chrono::milliseconds kReadersLimit{200}; ///< quick work writes nothing

bool waitForPools(std::chrono::milliseconds readers, std::chrono::milliseconds writers);

constexpr int kBackgroundNice =
    10; ///< a tenth of a processor that others want too, all of an idle one

/// Never destroyed: a thread that does not return must not keep the process from ending.
QThreadPool* makePool(int threads) {
    auto* made = new QThreadPool;
    made->setMaxThreadCount(threads);
    return made;
}

QThreadPool& poolOf(AsyncRunner::Pool pool) {
    static QThreadPool* const quick = [] {
        auto* made = makePool(kQuickThreads);
        qAddPostRoutine([] { waitForPools(kLeaveLimit, kLeaveLimit); }); // as Qt's own pool
        return made;
    }();
    static QThreadPool* const background = makePool(kQuickThreads);
    static QThreadPool* const slow =
        makePool(std::max(kLeastLongThreads, QThread::idealThreadCount()));
    switch (pool) {
    case AsyncRunner::Pool::Quick:
        return *quick;
    case AsyncRunner::Pool::Background:
        return *background;
    case AsyncRunner::Pool::Long:
        break;
    }
    return *slow;
}

/// Most work notices at once that it was cancelled, but not sorting or planning for a million
/// tensors.
bool waitForPools(std::chrono::milliseconds readers, std::chrono::milliseconds writers) {
    const QDeadlineTimer slow(writers);
    const QDeadlineTimer quick(readers);
    const auto wait = [](AsyncRunner::Pool pool, const QDeadlineTimer& limit) {
        return poolOf(pool).waitForDone(static_cast<int>(limit.remainingTime()));
    };
    const bool written = wait(AsyncRunner::Pool::Long, slow);
    const bool read = wait(AsyncRunner::Pool::Quick, quick);
    return wait(AsyncRunner::Pool::Background, quick) && read && written;
}

/// Of a thread alone, on Linux; it cannot be undone, and the threads of a pool stay in it.
void lowerPriority() {
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kBackgroundNice); // refused: as before
}

} // namespace

void runElsewhere(std::function<void()> work) {
    const QCoreApplication* const application = QCoreApplication::instance();
    if (application == nullptr || application->thread() != QThread::currentThread()) {
        work();
        return;
    }
    poolOf(AsyncRunner::Pool::Quick).start(std::move(work));
}

AsyncRunner::AsyncRunner(Pool pool, QObject* parent) : QObject(parent), m_pool(pool) {}

AsyncRunner::~AsyncRunner() {
    m_token.cancel();
}

void AsyncRunner::cancel() {
    m_token.cancel();
    ++m_generation;
    m_running = false;
}

bool AsyncRunner::waitForAll(std::chrono::milliseconds limit) {
    return waitForPools(std::min(limit, kReadersLimit), limit);
}

void AsyncRunner::launch(Task task, std::function<void()> finish) {
    cancel();
    m_token = CancelToken();
    m_running = true;

    // `self` is dereferenced only in closures that run on the GUI thread, so that it cannot be
    // destroyed in between.
    const QPointer<AsyncRunner> self(this);
    const std::uint64_t generation = m_generation;
    const CancelToken token = m_token;
    const Post post = [self, generation, token](std::function<void()> closure) {
        if (token.cancelled()) {
            return; // dropped here, so that a large result is freed on the worker
        }
        QCoreApplication* const application = QCoreApplication::instance();
        if (application == nullptr) {
            return; // the program ends, and this work was on a hung mount
        }
        QMetaObject::invokeMethod(
            application,
            [self, generation, closure = std::move(closure)] {
                if (self && self->m_generation == generation) {
                    closure();
                }
            },
            Qt::QueuedConnection);
    };
    const auto finished = [self, finish = std::move(finish)] {
        self->m_running = false;
        finish();
    };
    poolOf(m_pool).start([task = std::move(task), post, finished, token, pool = m_pool] {
        if (pool == Pool::Background) {
            lowerPriority();
        }
        if (!token.cancelled()) {
            task(token, post);
            post(finished);
        }
    });
}

} // namespace cairn::ui
