// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/async_runner.h"
#include "ui/bridge/release_on_worker.h"

#include <QTest>
#include <QThread>

#include <atomic>
#include <memory>
#include <new>
#include <optional>

using namespace cairn;
using ui::AsyncRunner;

class AsyncRunnerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void resultArrivesOnTheGuiThread() {
        AsyncRunner runner;
        QThread* workThread = nullptr;
        QThread* doneThread = nullptr;
        int value = 0;
        runner.start(
            [&workThread](const CancelToken&) -> Result<int> {
                workThread = QThread::currentThread();
                return 7;
            },
            [&](const Result<int>& result) {
                doneThread = QThread::currentThread();
                value = *result;
            });
        QVERIFY(runner.isRunning());
        QTRY_COMPARE(value, 7);
        QCOMPARE(doneThread, QThread::currentThread());
        QVERIFY(workThread != doneThread);
        QVERIFY(!runner.isRunning());
    }

    void newerRequestSupersedesTheOlder() {
        AsyncRunner runner;
        std::atomic<bool> begun{false}; // superseded work that has not begun is never called
        std::atomic<bool> go{false};
        std::atomic<bool> olderStopped{false};
        QStringList arrived;
        runner.start(
            [&](const CancelToken& cancel) -> Result<int> {
                begun = true;
                while (!go) {
                    QThread::msleep(1);
                }
                olderStopped = cancel.cancelled();
                return 1;
            },
            [&](const Result<int>&) { arrived << QStringLiteral("older"); });
        QTRY_VERIFY(begun);
        runner.start([](const CancelToken&) -> Result<int> { return 2; },
                     [&](const Result<int>&) { arrived << QStringLiteral("newer"); });
        QTRY_COMPARE(arrived, QStringList{QStringLiteral("newer")});
        go = true;
        QTRY_VERIFY(olderStopped);
        QTest::qWait(30);
        QCOMPARE(arrived.size(), 1);
    }

    void destroyedOwnerGetsNothing() {
        auto runner = std::make_unique<AsyncRunner>();
        std::atomic<bool> begun{false};
        std::atomic<bool> stopped{false};
        bool called = false;
        runner->start(
            [&](const CancelToken& cancel) -> Result<int> {
                begun = true;
                while (!cancel.cancelled()) {
                    QThread::msleep(1);
                }
                stopped = true;
                return 1;
            },
            [&](const Result<int>&) { called = true; });
        QTRY_VERIFY(begun);
        runner.reset();
        QTRY_VERIFY(stopped);
        QTest::qWait(30);
        QVERIFY(!called);
    }

    void partsArriveInOrderBeforeTheEnd() {
        AsyncRunner runner;
        QList<int> seen;
        runner.start(
            [&seen](const CancelToken&, const AsyncRunner::Post& post) -> Result<void> {
                for (int i = 0; i < 3; ++i) {
                    post([&seen, i] { seen << i; });
                }
                return {};
            },
            [&seen](const Result<void>&) { seen << 99; });
        QTRY_COMPARE(seen, (QList<int>{0, 1, 2, 99}));
    }

    void exceptionBecomesAnError() {
        AsyncRunner runner;
        std::optional<ErrorCode> code;
        runner.start([](const CancelToken&) -> Result<int> { throw std::bad_alloc(); },
                     [&](const Result<int>& result) { code = result.error().code; });
        QTRY_VERIFY(code.has_value());
        QCOMPARE(*code, ErrorCode::OutOfMemory);
    }

    void heavyValuesAreDestroyedOnAWorker() {
        const auto where = std::make_shared<std::atomic<QThread*>>(nullptr);
        const auto value = [where] { // records the thread that destroys it
            return std::shared_ptr<int>(new int(1), [where](const int* last) {
                delete last;
                *where = QThread::currentThread();
            });
        };
        auto shared = ui::sharedForGui(value());
        auto other = shared;
        shared.reset();
        QVERIFY(*where == nullptr);
        other.reset();
        QTRY_VERIFY(*where != nullptr);
        QVERIFY(*where != QThread::currentThread());
        *where = nullptr;
        ui::releaseOnWorker(value());
        QTRY_VERIFY(*where != nullptr);
        QVERIFY(*where != QThread::currentThread());
    }
};

QTEST_GUILESS_MAIN(AsyncRunnerTest)
#include "async_runner_test.moc"
