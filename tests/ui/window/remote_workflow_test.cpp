// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint of another machine: shown, deployed here, never asked for by the thread of the
// window.
#include "core/io/remote_name.h"
#include "core/store/remote_folder.h"
#include "tests/core/store/far_end.h"
#include "tests/ui/support/job_pages.h"
#include "ui/bridge/async_runner.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/shell/frame/workspace.h"

#include <QThread>

#include <atomic>
#include <csignal>

using namespace cairn;
using namespace cairn::ui;
using namespace cairn::ui::test;

namespace {

store::HostPtr g_host; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): of the opener
std::atomic<int> g_inWindowThread = 0;
std::atomic<int> g_opened = 0;

Result<RemotePlace> openThere(const RemoteName& name) {
    ++g_opened;
    if (QThread::currentThread() == qApp->thread()) {
        ++g_inWindowThread;
    }
    return store::openPlace(g_host, name.path);
}

} // namespace

class RemoteWorkflowTest : public QObject {
    Q_OBJECT

    store::FarEnds m_far;
    std::unique_ptr<WindowFixture> m_fixture;

    MainWindow& window() { return *m_fixture->window; }
    Navigator& navigator() { return *window().navigator(); }
    static QStringList badgesOf(const QModelIndex& row) {
        return row.data(NavigatorModel::BadgeTextsRole).toStringList();
    }
    std::filesystem::path there(const char* below) {
        return "far:" + (m_fixture->experiment() / below).string();
    }
    void open(const std::filesystem::path& path) {
        window().openPaths({path});
        QTRY_VERIFY_WITH_TIMEOUT(window().isSettled() && window().checkpoint(), kTimeoutMs);
    }

private Q_SLOTS:
    void initTestCase() {
        g_host = m_far.host({}, std::chrono::milliseconds(1500));
        setRemoteOpener(openThere);
        ::signal(SIGPIPE, SIG_IGN); // as the program; the test framework has its own handler
    }
    void cleanupTestCase() {
        for (int i = 0; i < 100 && !AsyncRunner::waitForAll(std::chrono::milliseconds(200)); ++i) {
        } // who still waits for the host uses it
        g_host.reset();
    }
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        qputenv("HOME", m_fixture->folder().string().c_str());
        g_inWindowThread = 0;
    }
    void cleanup() {
        m_fixture.reset();
        m_far.setLine(store::Line::Open);
        QCOMPARE(g_inWindowThread, 0);
    }

    void everyPageOfIt() {
        open(there("tiny-llama-a"));
        QVERIFY(g_opened > 0);
        QVERIFY(window().checkpoint()->path().string().starts_with("far:/"));
        for (const Page* page : window().pages().all) {
            window().workspace()->showPage(page);
            QTRY_VERIFY_WITH_TIMEOUT(window().isSettled(), kTimeoutMs);
            QVERIFY(!window().messages()->isVisible());
        }
    }

    void itsDifferenceToALocalOne() {
        window().open({.view = Opening::View::Diff,
                       .paths = {there("tiny-llama-a/step-400"),
                                 m_fixture->experiment() / "tiny-llama-a/step-400"}});
        const DiffPage* page = window().pages().diff;
        QTRY_VERIFY_WITH_TIMEOUT(window().checkpoint() && page->document(), kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(window().isSettled(), kTimeoutMs);
    }

    void itIsDeployedHere() {
        open(there("tiny-llama-a"));
        window().actions().showJobs->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(
            !window().deployment().isPlanning() && window().deployment().planned(), kTimeoutMs);
        const QString shown = window().deployment().shortCommand();
        QVERIFY2(shown.contains(QStringLiteral("far:/")), qPrintable(shown));
        window().pages().consolidate->startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(window().jobs().active() == 0 && window().isSettled(), kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(m_fixture->folder() / "deploy" /
                                                         "tiny-llama-a-step-400" / "config.json"),
                                 kTimeoutMs);
        QVERIFY(!std::filesystem::exists(m_fixture->experiment() / "tiny-llama-a/deploy"));
    }

    void whatWasReadStaysWhenTheConnectionIsLost() {
        open(there("tiny-llama-a"));
        const QModelIndex top = navigator().model()->index(0, 0);
        QVERIFY(!top.data(NavigatorModel::GreyRole).toBool());
        QVERIFY(badgesOf(top).contains(QStringLiteral("far")));
        const CheckpointPtr before = window().checkpoint();
        const int runs = navigator().model()->rowCount(top);

        m_far.setLine(store::Line::Cut);
        const QString lost = QStringLiteral("The connection to far is lost");
        QTRY_COMPARE_WITH_TIMEOUT(window().messages()->isVisible(), true, kTimeoutMs);
        QCOMPARE(window().messages()->title(), lost);
        const auto stays = [&] {
            const QModelIndex row = navigator().model()->index(0, 0);
            return window().checkpoint() == before && navigator().model()->rowCount(row) == runs &&
                   row.data(NavigatorModel::GreyRole).toBool();
        };
        QVERIFY(stays());
        QVERIFY(badgesOf(top).join(u' ').contains(QStringLiteral("connection lost")));
        for (int i = 0; i < 2; ++i) { // the host still cannot be reached
            QVERIFY(press(*window().messages(), QStringLiteral("Retry")));
            QTRY_VERIFY_WITH_TIMEOUT(window().isSettled(), kTimeoutMs);
            QVERIFY(stays());
            QTRY_COMPARE_WITH_TIMEOUT(window().messages()->title(), lost, kTimeoutMs);
            QVERIFY(showsText(*window().messages(), QStringLiteral("cannot be reached")));
        }

        m_far.setLine(store::Line::Open);
        QVERIFY(press(*window().messages(), QStringLiteral("Retry")));
        QTRY_VERIFY_WITH_TIMEOUT(!window().messages()->isVisible() && window().isSettled(),
                                 kTimeoutMs);
        QVERIFY(!navigator().model()->index(0, 0).data(NavigatorModel::GreyRole).toBool());
        QVERIFY(window().checkpoint() != before); // read again
    }

    void aHostThatHangsHasATimeOut() {
        open(there("tiny-llama-a"));
        const CheckpointPtr before = window().checkpoint();
        m_far.setLine(store::Line::Silent);
        window().actions().refresh->trigger();
        int turns = 0;
        QTRY_VERIFY_WITH_TIMEOUT((++turns, window().messages()->isVisible()), 20'000);
        QVERIFY2(turns > 20, qPrintable(QString::number(turns))); // the window went on
        QTRY_VERIFY_WITH_TIMEOUT(window().isSettled(), 20'000);
        QVERIFY(showsText(*window().messages(), QStringLiteral("does not respond")));
        QCOMPARE(window().checkpoint(), before);
    }
};

QTEST_MAIN(RemoteWorkflowTest)
#include "remote_workflow_test.moc"
