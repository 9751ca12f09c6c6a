// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint of another machine: shown, deployed here, never asked for by the thread of the
// window.
#include "core/io/remote_name.h"
#include "core/store/remote_folder.h"
#include "tests/core/store/far_end.h"
#include "tests/ui/support/job_pages.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/shell/frame/workspace.h"

#include <QThread>

#include <atomic>

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
    std::filesystem::path there(const char* below) {
        return "far:" + (m_fixture->experiment() / below).string();
    }
    void open(const std::filesystem::path& path) {
        window().openPaths({path});
        QTRY_VERIFY_WITH_TIMEOUT(window().isSettled() && window().checkpoint(), kTimeoutMs);
    }

private Q_SLOTS:
    void initTestCase() {
        g_host = m_far.host();
        setRemoteOpener(openThere);
    }
    void cleanupTestCase() { g_host.reset(); }
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        qputenv("HOME", m_fixture->folder().string().c_str());
        g_inWindowThread = 0;
    }
    void cleanup() {
        m_fixture.reset();
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
};

QTEST_MAIN(RemoteWorkflowTest)
#include "remote_workflow_test.moc"
