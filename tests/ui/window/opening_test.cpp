// SPDX-License-Identifier: GPL-3.0-or-later
// What the program is started for: `cairn --diff A B`, `--compare RUN RUN`, `--page PAGE PATH`.
#include "tests/ui/support/window_fixture.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/frame/workspace.h"
#include "ui/widgets/message_strip.h"

using namespace cairn;
using namespace cairn::ui;
using test::kTimeoutMs;
using test::WindowFixture;

class OpeningTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDiff() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        const auto run = fixture.experiment() / "tiny-llama-a";
        window.open({.view = Opening::View::Diff, .paths = {run / "step-200", run / "step-400"}});
        const DiffPage* page = window.pages().diff;
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.checkpoint() && page->document(),
                                 kTimeoutMs);
        QVERIFY(window.workspace()->currentPage() == page);
        QCOMPARE(window.checkpoint()->path(), run / "step-200");
        QCOMPARE(page->document()->left.checkpoint->path(), run / "step-200");
        QCOMPARE(page->document()->right.checkpoint->path(), run / "step-400");
    }

    void theNewestCheckpointsOfTwoRuns() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        const std::vector<std::filesystem::path> runs{fixture.experiment() / "tiny-llama-a",
                                                      fixture.experiment() / "tiny-llama-b"};
        window.open({.view = Opening::View::Diff, .paths = runs});
        const DiffPage* page = window.pages().diff;
        QTRY_VERIFY_WITH_TIMEOUT(window.checkpoint() && page->document(), kTimeoutMs);
        QCOMPARE(page->document()->left.checkpoint->path().parent_path(), runs[0]);
        QCOMPARE(page->document()->right.checkpoint->path().parent_path(), runs[1]);
    }

    void runs_data() {
        QTest::addColumn<bool>("listed");
        QTest::newRow("at the start") << false;
        QTest::newRow("in a window that lists them") << true;
    }
    void runs() {
        QFETCH(bool, listed);
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        if (listed) {
            QVERIFY(fixture.open("tiny-llama-a/step-200"));
        }
        const std::vector<std::filesystem::path> paths{fixture.experiment() / "tiny-llama-b",
                                                       fixture.experiment() / "tiny-llama-a"};
        window.open({.view = Opening::View::Compare, .paths = paths});
        QTRY_COMPARE_WITH_TIMEOUT(window.workspace()->currentPage(),
                                  static_cast<Page*>(window.pages().compare), kTimeoutMs);
        const std::vector<RunPlace> marked = window.navigator()->marked();
        QCOMPARE(marked.size(), std::size_t{2});
        QCOMPARE(marked[0].path, paths[0]);
        QCOMPARE(marked[1].path, paths[1]);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kTimeoutMs);
        QVERIFY(window.workspace()->currentPage() == window.pages().compare);
        QVERIFY(window.workspace()->isShowingPages());
        QVERIFY(!window.messages()->isVisible());
        QCOMPARE(window.navigator()->model()->rowCount(), listed ? 1 : 2); // nothing twice
    }

    void whatIsNoRunIsNamed() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.open({.view = Opening::View::Compare,
                     .paths = {fixture.folder(), fixture.experiment() / "tiny-llama-a"}});
        QTRY_VERIFY_WITH_TIMEOUT(window.messages()->isVisible(), kTimeoutMs);
        QCOMPARE(window.navigator()->marked().size(), std::size_t{1});
    }

    void everyPageHasItsName() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QCOMPARE(static_cast<std::size_t>(pageNames().size()), window.pages().all.size());
        const auto page = [&](const char* name) {
            const auto at = pageNames().indexOf(QString::fromLatin1(name));
            return window.pages().all.at(static_cast<std::size_t>(at));
        };
        QVERIFY(page("history") == window.pages().history);
        QVERIFY(page("runs") == window.pages().runs);
        QVERIFY(page("metadata") == window.pages().metadata);
        QVERIFY(page("consolidate") == window.pages().consolidate);
        for (int at = 0; at < pageNames().size(); ++at) {
            window.open({.paths = {fixture.experiment() / "tiny-llama-a/step-200"},
                         .page = pageNames()[at]});
            QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.checkpoint(), kTimeoutMs);
            QCOMPARE(window.workspace()->currentPage(),
                     window.pages().all[static_cast<std::size_t>(at)]);
        }
    }

    /// packaging/try.sh --picture writes it.
    void theReadmesPictureHasTheTabsOfToday() {
        const QImage picture(QStringLiteral(CAIRN_SAMPLE_FOLDER "/../../pictures/cairn.png"));
        QVERIFY(!picture.isNull());
        QStringList titles;
        for (const PageInfo* page : pageInfos()) {
            titles << page->title();
        }
        QCOMPARE(picture.text(QStringLiteral("Tabs")), titles.join(QStringLiteral(", ")));
    }
};

QTEST_MAIN(OpeningTest)
#include "opening_test.moc"
