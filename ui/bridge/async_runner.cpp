// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/async_runner.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

namespace cairn::ui {

AsyncRunner::AsyncRunner(QObject* parent) : QObject(parent) {}

AsyncRunner::~AsyncRunner() {
    m_token.cancel();
}

void AsyncRunner::cancel() {
    m_token.cancel();
    ++m_generation;
    m_running = false;
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
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
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
    QThreadPool::globalInstance()->start([task = std::move(task), post, finished, token] {
        if (!token.cancelled()) {
            task(token, post);
            post(finished);
        }
    });
}

} // namespace cairn::ui
