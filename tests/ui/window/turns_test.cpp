// SPDX-License-Identifier: GPL-3.0-or-later
// How much the window does in one turn of its event loop, in processor time, which other programs
// hardly change; and what becomes of work that is spread over turns when the world changes in
// between.
#include "tests/ui/support/gui_watchdog.h"
#include "tests/ui/support/made_sweep.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/bridge/turn_queue.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/curve_chart.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/frame/workspace.h"

using namespace cairn;
using namespace cairn::ui;
using namespace cairn::ui::test;

namespace {

/// Of one turn: several times what it takes, because caches and frequencies are shared, too.
constexpr double kMostMs = 60;
constexpr int kSeeds = 60; ///< of three learning rates

/// Computes for that long, whatever else runs.
void compute(double ms) {
    timespec from{};
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while (static_cast<double>(now.tv_sec - from.tv_sec) * 1e3 +
                 static_cast<double>(now.tv_nsec - from.tv_nsec) / 1e6 <
             ms);
}

} // namespace

class TurnsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<WindowFixture> m_fixture;

    MainWindow& window() { return *m_fixture->window; }
    RunsPage& runs() { return *window().pages().runs; }
    std::filesystem::path sweep() const { return m_fixture->folder() / "sweep"; }
    std::vector<std::filesystem::path> first(std::size_t count) const {
        std::vector<std::filesystem::path> paths;
        for (std::size_t seed = 1; seed <= count; ++seed) {
            paths.push_back(sweep() / ("lr-0.001-seed-" + std::to_string(seed)));
        }
        return paths;
    }
    bool openSweep() {
        writeSweep(sweep(), kSeeds, 20);
        window().openPaths({sweep()});
        return waitUntil([this] { return window().isSettled(); }, kTimeoutMs);
    }
    void show(Page* page) {
        window().workspace()->setCurrentTab(window().workspace()->tabOf(page));
    }
    bool showsRuns() {
        show(&runs());
        return waitUntil([this] { return runs().data() != nullptr && runs().isSettled(); },
                         kTimeoutMs);
    }
    std::size_t curves() {
        const CurveChart* chart = runs().charts()->chart(QStringLiteral("eval_loss"));
        return chart != nullptr ? chart->chartContent().curves.size() : 0;
    }

private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        window().resize(1440, 900);
    }
    void cleanup() { m_fixture.reset(); }

    /// The limits of this test can be exceeded, by a timer as by a queued call; not by waiting.
    void theWatchdogSeesWork() {
        const auto workOf = [](const std::function<void(bool&)>& begin) {
            GuiWatchdog watchdog("work");
            bool done = false;
            begin(done);
            [&] { QTRY_VERIFY(done); }();
            QTest::qWait(20);
            return watchdog.longestWorkMs();
        };
        const auto work = [](bool& done) {
            compute(kMostMs + 5);
            done = true;
        };
        QVERIFY(workOf([&](bool& done) { QTimer::singleShot(5, qApp, [&] { work(done); }); }) >=
                kMostMs);
        QVERIFY(workOf([&](bool& done) {
                    QMetaObject::invokeMethod(
                        qApp, [&] { work(done); }, Qt::QueuedConnection);
                }) >= kMostMs);
        QVERIFY(workOf([&](bool& done) {
                    QTimer::singleShot(5, qApp, [&] {
                        QThread::msleep(2 * static_cast<unsigned>(kMostMs));
                        done = true;
                    });
                }) < kMostMs);
    }

    void aQueueDoesAFewThingsInATurn() {
        auto queue = std::make_unique<TurnQueue>();
        QObject owner;
        auto gone = std::make_unique<QObject>();
        QStringList order;
        int turns = 0;
        const auto counter = QObject::connect(QAbstractEventDispatcher::instance(),
                                              &QAbstractEventDispatcher::awake, [&] { ++turns; });
        for (int i = 0; i < 5; ++i) {
            queue->add(&owner, [&, i] {
                compute(3);
                order << QString::number(i);
                if (i == 0) {
                    queue->add(&owner, [&] { order << QStringLiteral("added"); });
                }
            });
        }
        queue->add(gone.get(), [&] { order << QStringLiteral("of nobody"); });
        gone.reset();
        QVERIFY(!queue->isEmpty() && order.isEmpty());
        QTRY_VERIFY(queue->isEmpty());
        QObject::disconnect(counter);
        QCOMPARE(order.join(QLatin1Char(' ')), QStringLiteral("0 1 2 3 4 added"));
        QVERIFY2(turns >= 5, qPrintable(QString::number(turns)));
        queue->add(&owner, [&] { queue.reset(); }); // destroyed by its own work
        QTRY_VERIFY(queue == nullptr);
    }

    void openingAnExperiment() {
        writeSweep(sweep(), kSeeds, 20);
        GuiWatchdog watchdog("opening 180 runs");
        window().openPaths({sweep()});
        QVERIFY(waitUntil([this] { return window().isSettled(); }, kTimeoutMs));
        QVERIFY(showsRuns());
        QVERIFY2(watchdog.longestWorkMs() < kMostMs,
                 qPrintable(QString::number(watchdog.longestWorkMs())));
    }

    void restoringMarks() {
        QVERIFY(openSweep() && showsRuns());
        GuiWatchdog watchdog("60 marks");
        window().navigator()->setMarks(first(60));
        QTRY_VERIFY_WITH_TIMEOUT(runs().isSettled() && curves() == 60, kTimeoutMs);
        QVERIFY2(watchdog.longestWorkMs() < kMostMs,
                 qPrintable(QString::number(watchdog.longestWorkMs())));
    }

    /// Pages that nobody sees are filled when they are shown.
    void hiddenPagesWait() {
        QVERIFY(openSweep());
        show(window().pages().summary);
        window().navigator()->setMarks(first(2));
        ComparePage& compare = *window().pages().compare;
        QVERIFY(waitUntil([&] { return compare.isSettled() && runs().isSettled(); }, kTimeoutMs));
        QCOMPARE(compare.grid()->alive(), std::size_t{0});
        QCOMPARE(runs().charts()->alive(), std::size_t{0});
        show(&compare);
        QTRY_VERIFY_WITH_TIMEOUT(compare.isSettled() && compare.showsResult(), kTimeoutMs);
        QVERIFY(compare.grid()->alive() > 0);
        QVERIFY(showsRuns());
        QTRY_COMPARE_WITH_TIMEOUT(curves(), std::size_t{2}, kTimeoutMs);
        // Changed while it is hidden: it shows the others at once.
        show(window().pages().summary);
        window().navigator()->setMarks({first(3).back(), first(4).back()});
        show(&compare);
        QTRY_VERIFY_WITH_TIMEOUT(compare.isSettled() && compare.showsResult() &&
                                     compare.runsLine().contains(QStringLiteral("seed-4")),
                                 kTimeoutMs);
        window().navigator()->clearMarks();
        QVERIFY(showsRuns());
        QTRY_COMPARE_WITH_TIMEOUT(runs().charts()->alive(), std::size_t{0}, kTimeoutMs);
    }

    void marksThatChangeMeanwhile() {
        QVERIFY(openSweep() && showsRuns());
        for (int turns = 0; turns < 12; turns += 3) {
            window().navigator()->setMarks(first(60));
            for (int i = 0; i < turns; ++i) {
                QCoreApplication::processEvents();
            }
            window().navigator()->clearMarks();
            for (int i = 0; i < turns; ++i) {
                QCoreApplication::processEvents();
            }
            window().navigator()->setMarks(first(5));
            QTRY_VERIFY_WITH_TIMEOUT(runs().isSettled() && curves() == 5, kTimeoutMs);
        }
    }

    void aFolderThatVanishesMeanwhile() {
        QVERIFY(openSweep() && showsRuns());
        window().navigator()->setMarks(first(30));
        for (const std::filesystem::path& each : first(20)) {
            std::filesystem::remove_all(each);
        }
        QTRY_VERIFY_WITH_TIMEOUT(runs().isSettled() && curves() >= 10, kTimeoutMs);
        std::filesystem::remove_all(sweep());
        window().navigator()->setMarks(first(40));
        QTRY_VERIFY_WITH_TIMEOUT(runs().isSettled(), kTimeoutMs);
    }

    void aWindowThatIsClosedMeanwhile() {
        QVERIFY(openSweep() && showsRuns());
        for (int turns = 0; turns < 6; turns += 2) {
            auto other = std::make_unique<MainWindow>(m_fixture->services, m_fixture->settings());
            other->resize(1200, 800);
            other->QWidget::show();
            other->openPaths({sweep()});
            RunsPage& page = *other->pages().runs;
            QVERIFY(waitUntil([&] { return other->isSettled(); }, kTimeoutMs));
            other->workspace()->setCurrentTab(other->workspace()->tabOf(&page));
            QVERIFY(
                waitUntil([&] { return page.data() != nullptr && page.isSettled(); }, kTimeoutMs));
            other->navigator()->setMarks(first(60));
            window().navigator()->setMarks(first(static_cast<std::size_t>(7 + turns)));
            for (int i = 0; i < 4 * turns; ++i) {
                QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
            }
            other.reset();
            // The other window is not affected.
            QTRY_VERIFY_WITH_TIMEOUT(
                runs().isSettled() && curves() == static_cast<std::size_t>(7 + turns), kTimeoutMs);
        }
    }
};

QTEST_MAIN(TurnsTest)
#include "turns_test.moc"
