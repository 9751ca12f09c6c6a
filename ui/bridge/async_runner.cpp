// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/async_runner.h"

#include "ui/bridge/release_on_worker.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QPointer>
#include <QThread>
#include <QThreadPool>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kQuickThreads = 24; ///< most of them sleep; each may be caught on a hung mount
constexpr int kLeastLongThreads = 2;
constexpr std::chrono::seconds kLeaveLimit{10};
constexpr std::chrono::milliseconds kReadersLimit{200}; ///< quick work writes nothing

QThreadPool& poolOf(AsyncRunner::Pool pool);

/// Most work notices at once that it was cancelled, but not sorting or planning for a million
/// tensors.
bool waitForPools(QDeadlineTimer quick, QDeadlineTimer slow) {
    const bool done =
        poolOf(AsyncRunner::Pool::Long).waitForDone(static_cast<int>(slow.remainingTime()));
    return poolOf(AsyncRunner::Pool::Quick).waitForDone(static_cast<int>(quick.remainingTime())) &&
           done;
}

/// Never destroyed: a thread that does not return must not keep the process from ending.
QThreadPool& poolOf(AsyncRunner::Pool pool) {
    static QThreadPool* const quick = [] {
        auto* made = new QThreadPool;
        made->setMaxThreadCount(kQuickThreads);
        qAddPostRoutine([] {
            waitForPools(QDeadlineTimer(kLeaveLimit), QDeadlineTimer(kLeaveLimit));
        }); // as Qt's own pool
        return made;
    }();
    static QThreadPool* const slow = [] {
        auto* made = new QThreadPool;
        made->setMaxThreadCount(std::max(kLeastLongThreads, QThread::idealThreadCount()));
        return made;
    }();
    return pool == AsyncRunner::Pool::Quick ? *quick : *slow;
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
    return waitForPools(QDeadlineTimer(std::min(limit, kReadersLimit)), QDeadlineTimer(limit));
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
    poolOf(m_pool).start([task = std::move(task), post, finished, token] {
        if (!token.cancelled()) {
            task(token, post);
            post(finished);
        }
    });
}

} // namespace cairn::ui
