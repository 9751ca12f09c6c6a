// SPDX-License-Identifier: GPL-3.0-or-later
// What survives a restart of the window, also one that was not closed.
#include "tests/ui/support/window_fixture.h"
#include "ui/charts/chart_controls.h"
#include "ui/models/row_view.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/run_picker.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/frame/flat_tab_bar.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/session/session_keeper.h"
#include "ui/widgets/message_strip.h"

#include <QAction>
#include <QDoubleSpinBox>
#include <QFile>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QSplitter>
#include <QThread>
#include <sys/syscall.h>

#include <atomic>
#include <cstdarg>
#include <fcntl.h>
#include <fstream>
#include <set>
#include <unistd.h>

using namespace cairn;
using namespace cairn::ui;
using namespace cairn::ui::test;

namespace {

std::atomic<bool> mountHangs{false};

/// Waits while the mount hangs.
void passMount(const char* path) {
    while (mountHangs && std::string_view(path).find("hung-mount") != std::string_view::npos) {
        QThread::msleep(10);
    }
}

QString sessionFile(WindowFixture& fixture) {
    return QFileInfo(fixture.settings().fileName()).path() + QStringLiteral("/session.json");
}

QByteArray savedState(WindowFixture& fixture) {
    QFile file(sessionFile(fixture));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A second start of the program with the settings of the first.
class Restarted {
public:
    explicit Restarted(WindowFixture& fixture)
        : window(std::make_unique<MainWindow>(fixture.services, fixture.settings())) {
        window->QWidget::show();
        window->resume({});
    }
    bool settled() {
        return waitUntil([this] { return window->isSettled(); }, kTimeoutMs);
    }
    std::unique_ptr<MainWindow> window;
};

QByteArray json(const char* text) {
    return QByteArray(text).replace('\'', '"');
}

QPoint rowCentre(const QTreeView& view, const QModelIndex& index) {
    return view.visualRect(index).center();
}

} // namespace

// In place of the C library's: a folder on a mount that hangs. (Flags and mode are passed on.)
extern "C" int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const unsigned mode = va_arg(rest, unsigned);
    va_end(rest);
    passMount(path);
    return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
extern "C" int openat(int folder, const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const unsigned mode = va_arg(rest, unsigned);
    va_end(rest);
    passMount(path);
    return static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
}

class SessionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theShownCheckpointIsBack_data() {
        QTest::addColumn<bool>("killed");
        QTest::newRow("closed") << false;
        QTest::newRow("killed") << true;
    }
    void theShownCheckpointIsBack() {
        QFETCH(const bool, killed);
        WindowFixture fixture;
        {
            MainWindow& window = *fixture.window;
            QVERIFY(fixture.open("tiny-llama-a/step-200"));
            auto* tabs = window.findChild<FlatTabBar*>();
            QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
            QCOMPARE(window.workspace()->currentPage(), window.pages().tensors);
            QTest::keyClicks(window.topBar()->filterField(), QStringLiteral("q_proj"));
            if (killed) { // what is on the disk a little later
                QTRY_VERIFY_WITH_TIMEOUT(savedState(fixture).contains("step-200") &&
                                             savedState(fixture).contains("TensorsPage"),
                                         kTimeoutMs);
                window.session().stop();
            } else {
                QVERIFY(window.close());
            }
            fixture.window.reset();
        }
        Restarted again(fixture);
        QVERIFY(again.settled());
        QTRY_VERIFY_WITH_TIMEOUT(again.window->checkpoint() != nullptr, kTimeoutMs);
        QCOMPARE(again.window->checkpoint()->path().filename().string(), std::string("step-200"));
        QCOMPARE(again.window->workspace()->currentPage(), again.window->pages().tensors);
        QVERIFY(again.window->topBar()->filterField()->text().isEmpty());
        QVERIFY(again.window->windowTitle().startsWith(QStringLiteral("step-200, tiny-llama-a")));
    }

    void aSelectedRunIsBack() {
        WindowFixture fixture;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        QTreeView* view = fixture.window->navigator()->view();
        const QModelIndex run = view->currentIndex().parent();
        view->scrollTo(run);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, rowCentre(*view, run));
        QCOMPARE(fixture.window->windowTitle(), QStringLiteral("tiny-llama-a — Cairn"));
        QVERIFY(fixture.window->close());
        Restarted again(fixture);
        QVERIFY(again.settled());
        QCOMPARE(again.window->windowTitle(), QStringLiteral("tiny-llama-a — Cairn"));
        QVERIFY(again.window->checkpoint() == nullptr);
    }

    void expansionAndMarksAreBack() {
        WindowFixture fixture;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        Navigator* navigator = fixture.window->navigator();
        QTreeView* view = navigator->view();
        const NavigatorModel& model = *navigator->model();
        const QModelIndex b = model.findRun(fixture.experiment() / "tiny-llama-b");
        const QModelIndex a = model.findRun(fixture.experiment() / "tiny-llama-a");
        QVERIFY(a.isValid() && b.isValid());
        view->setCurrentIndex(b);
        QTest::keyClick(view, Qt::Key_X);
        view->setCurrentIndex(a);
        QTest::keyClick(view, Qt::Key_X);
        view->setCurrentIndex(b);
        QTest::keyClick(view, Qt::Key_Right);
        QVERIFY(view->isExpanded(b));
        view->setCurrentIndex(a);
        QTest::keyClick(view, Qt::Key_Left);
        QVERIFY(!view->isExpanded(a));
        QCOMPARE(model.marks().slotOf(fixture.experiment() / "tiny-llama-b"), 0);
        QVERIFY(fixture.window->close());

        Restarted again(fixture);
        QVERIFY(again.settled());
        const NavigatorModel& restored = *again.window->navigator()->model();
        const QTreeView& tree = *again.window->navigator()->view();
        QTRY_COMPARE_WITH_TIMEOUT(restored.marks().count(), std::size_t{2}, kTimeoutMs);
        QCOMPARE(restored.marks().slotOf(fixture.experiment() / "tiny-llama-b"), 0);
        QCOMPARE(restored.marks().slotOf(fixture.experiment() / "tiny-llama-a"), 1);
        QVERIFY(tree.isExpanded(restored.findRun(fixture.experiment() / "tiny-llama-b")));
        QVERIFY(!tree.isExpanded(restored.findRun(fixture.experiment() / "tiny-llama-a")));
    }

    void sixtyMarksKeepTheirColours() {
        WindowFixture fixture;
        const std::filesystem::path sweep = fixture.folder() / "sweep";
        std::vector<std::vector<std::filesystem::path>> groups;
        for (int i = 0; i < 60; ++i) {
            const auto run = sweep / ("run-" + std::to_string(i));
            std::filesystem::create_directories(run);
            std::filesystem::copy_file(fixture.experiment() / "tiny-llama-b/checkpoint_epoch_1.pt",
                                       run / "step-1.pt");
            if (i % 3 != 0) { // pairs with one colour
                groups.resize(static_cast<std::size_t>(i / 3) + 1);
                groups.back().push_back(run);
            }
        }
        MainWindow& window = *fixture.window;
        window.openPaths({sweep});
        QVERIFY(waitUntil([&] { return window.isSettled(); }, kTimeoutMs));
        window.navigator()->setMarked(groups, true);
        const RunMarks before = window.navigator()->model()->marks();
        QCOMPARE(before.count(), std::size_t{40});
        QVERIFY(window.close());
        fixture.window.reset();
        Restarted again(fixture);
        QVERIFY(again.settled());
        const RunMarks& after = again.window->navigator()->model()->marks();
        QCOMPARE(after.paths(), before.paths());
        for (const std::filesystem::path& run : before.paths()) {
            QCOMPARE(after.slotOf(run), before.slotOf(run));
        }
    }

    void runsOfTwoSessionsHaveColoursOfTheirOwn() {
        WindowFixture fixture;
        const auto experiment = [&](const char* name) {
            const std::filesystem::path path = fixture.folder() / name;
            for (const char* run : {"x", "y"}) {
                std::filesystem::create_directories(path / run);
                std::filesystem::copy_file(fixture.experiment() /
                                               "tiny-llama-b/checkpoint_epoch_1.pt",
                                           path / run / "step-1.pt");
            }
            return path;
        };
        const std::filesystem::path one = experiment("one");
        const std::filesystem::path two = experiment("two");
        const auto begin = [&](const std::vector<std::filesystem::path>& paths) {
            fixture.window.reset();
            fixture.window = std::make_unique<MainWindow>(fixture.services, fixture.settings());
            fixture.window->QWidget::show();
            fixture.window->openPaths(paths);
            return waitUntil([&] { return fixture.window->isSettled(); }, kTimeoutMs);
        };
        for (const std::filesystem::path& each : {one, two}) {
            QVERIFY(begin({each}));
            fixture.window->navigator()->setMarks({each / "x", each / "y"});
            QVERIFY(fixture.window->close());
        }
        QVERIFY(begin({two, one}));
        const RunMarks& marks = fixture.window->navigator()->model()->marks();
        QTRY_COMPARE_WITH_TIMEOUT(marks.count(), std::size_t{4}, kTimeoutMs);
        std::set<int> slots;
        for (const std::filesystem::path& run : marks.paths()) {
            slots.insert(marks.slotOf(run));
        }
        QCOMPARE(slots, (std::set<int>{0, 1, 2, 3}));
        // A and B are the same two on the Compare page.
        const ComparePage& page = *fixture.window->pages().compare;
        QCOMPARE(marks.slotOf(page.picker(0)->run()->path), 0);
        QCOMPARE(marks.slotOf(page.picker(1)->run()->path), 1);
        // The first one alone has A and B again.
        QVERIFY(fixture.window->close());
        QVERIFY(begin({one}));
        const RunMarks& alone = fixture.window->navigator()->model()->marks();
        QTRY_COMPARE_WITH_TIMEOUT(alone.count(), std::size_t{2}, kTimeoutMs);
        QCOMPARE(alone.slotOf(one / "x"), 0);
        QCOMPARE(alone.slotOf(one / "y"), 1);
    }

    void chartOptionsAndColumnsAreBack() {
        WindowFixture fixture;
        int size = 0;
        {
            MainWindow& window = *fixture.window;
            QVERIFY(fixture.open("tiny-llama-a/step-400"));
            window.workspace()->setCurrentTab(window.workspace()->tabOf(window.pages().history));
            ChartControls* controls = window.pages().history->controls();
            QTRY_VERIFY_WITH_TIMEOUT(controls->isEnabled(), kTimeoutMs);
            controls->setLogValues(true);
            controls->chooseAxis({AxisChoice::Kind::Epoch, {}, true});
            controls->findChild<QDoubleSpinBox*>()->setValue(0.25);
            window.workspace()->setCurrentTab(1);
            QHeaderView* header = window.pages().tensors->findChild<QHeaderView*>();
            header->resizeSection(2, header->sectionSize(2) + 31);
            size = header->sectionSize(2);
            QVERIFY(window.close());
            fixture.window.reset();
        }
        Restarted again(fixture);
        QVERIFY(again.settled());
        QCOMPARE(again.window->pages().tensors->findChild<QHeaderView*>()->sectionSize(2), size);
        HistoryPage* history = again.window->pages().history;
        QVERIFY(history->board().options().yScale == Scale::Log);
        QCOMPARE(history->board().options().smoothing, 0.25);
        again.window->workspace()->setCurrentTab(again.window->workspace()->tabOf(history));
        const AxisChoice wanted{AxisChoice::Kind::Epoch, {}, true};
        QTRY_VERIFY_WITH_TIMEOUT(history->controls()->axis() == wanted, kTimeoutMs);
    }

    /// Not those of the start page or of a small window, which are narrower than the usual ones.
    void onlyChosenColumnWidthsAreKept() {
        WindowFixture fixture;
        const auto widths = [&fixture] {
            QFile file(sessionFile(fixture));
            const bool opened = file.open(QIODevice::ReadOnly);
            const QJsonObject state =
                opened ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
            return state[QStringLiteral("window")][QStringLiteral("columns")].toArray();
        };
        fixture.window->resize(1440, 900);
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        QVERIFY(fixture.window->close());
        fixture.window.reset();
        QVERIFY(widths().isEmpty());
        {
            Restarted again(fixture);
            QVERIFY(again.settled());
            QSplitter* splitter = again.window->workspace()->splitter();
            splitter->setSizes({260, 890, 290});
            Q_EMIT splitter->splitterMoved(260, 1); // as by the mouse
            QVERIFY(again.window->close());
        }
        QCOMPARE(widths().size(), 3);
        QCOMPARE(widths().at(0).toInt(), 260);
        Restarted again(fixture);
        QVERIFY(again.settled());
        QCOMPARE(again.window->workspace()->splitter()->sizes().at(0), 260);
    }

    void whatIsGoneIsForgotten() {
        WindowFixture fixture;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        MainWindow& window = *fixture.window;
        const std::filesystem::path run = fixture.experiment() / "tiny-llama-b";
        window.navigator()->setMarked({{run}}, true);
        window.navigator()->view()->expand(window.navigator()->model()->findRun(run));
        QVERIFY(window.close());
        QVERIFY(savedState(fixture).count("tiny-llama-b") >= 2);
        fixture.window.reset();
        std::filesystem::remove_all(run);
        Restarted again(fixture);
        QVERIFY(again.settled());
        QVERIFY(again.window->close());
        QVERIFY(!savedState(fixture).contains("tiny-llama-b"));
    }

    void marksOfAClosedFolderAreKept() {
        WindowFixture fixture;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        const std::filesystem::path run = fixture.experiment() / "tiny-llama-b";
        fixture.window->navigator()->setMarked({{run}}, true);
        QVERIFY(fixture.window->close());
        fixture.window.reset();
        const std::filesystem::path other = fixture.folder() / "other/run";
        std::filesystem::create_directories(other);
        std::filesystem::copy_file(fixture.experiment() / "tiny-llama-b/checkpoint_epoch_1.pt",
                                   other / "step-1.pt");
        {
            MainWindow window(fixture.services, fixture.settings()); // cairn FOLDER
            window.QWidget::show();
            window.openPaths({other.parent_path()});
            QVERIFY(waitUntil([&] { return window.isSettled(); }, kTimeoutMs));
            QCOMPARE(window.navigator()->model()->experiments().size(), std::size_t{1});
            QVERIFY(window.close());
        }
        MainWindow window(fixture.services, fixture.settings());
        window.QWidget::show();
        window.openPaths({fixture.experiment()});
        QVERIFY(waitUntil([&] { return window.isSettled(); }, kTimeoutMs));
        QCOMPARE(window.navigator()->marked().size(), std::size_t{1});
    }

    void aFolderThatVanishedIsSaid() {
        WindowFixture fixture;
        const std::filesystem::path gone = fixture.folder() / "gone";
        std::filesystem::create_directories(gone / "run");
        std::filesystem::copy_file(fixture.experiment() / "tiny-llama-b/checkpoint_epoch_1.pt",
                                   gone / "run/step-1.pt");
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        fixture.window->openPaths({gone});
        QVERIFY(waitUntil([&] { return fixture.window->isSettled(); }, kTimeoutMs));
        fixture.choose("tiny-llama-a/step-400");
        QVERIFY(waitUntil([&] { return fixture.window->isSettled(); }, kTimeoutMs));
        QVERIFY(fixture.window->close());
        fixture.window.reset();
        std::filesystem::remove_all(gone);
        Restarted again(fixture);
        QVERIFY(again.settled());
        QTRY_VERIFY_WITH_TIMEOUT(again.window->checkpoint() != nullptr, kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(again.window->messages()->isVisible(), kTimeoutMs);
        const RecentFolders recent(fixture.settings());
        QCOMPARE(recent.entries().size(), 2);
    }

    void aMistypedPathIsNotRecent() {
        WindowFixture fixture;
        fixture.window.reset();
        for (int i = 0; i < RecentFolders::kMost; ++i) {
            RecentFolders(fixture.settings()).add(fixture.folder() / ("old-" + std::to_string(i)));
        }
        const auto recent = [&] {
            std::vector<std::filesystem::path> paths;
            const RecentFolders folders(fixture.settings());
            for (const RecentFolders::Entry& entry : folders.entries()) {
                paths.push_back(entry.path);
            }
            return paths;
        };
        const std::vector<std::filesystem::path> before = recent();
        MainWindow window(fixture.services, fixture.settings());
        window.QWidget::show();
        window.openPaths({fixture.folder() / "experimnet"});
        QTRY_VERIFY_WITH_TIMEOUT(window.messages()->isVisible(), kTimeoutMs);
        QVERIFY(recent() == before); // and none had to go for it
        window.openPaths({fixture.experiment()});
        QTRY_VERIFY_WITH_TIMEOUT(recent().front() == fixture.experiment(), kTimeoutMs);
        QCOMPARE(recent().size(), before.size());
    }

    void aFolderThatHangsIsSaidAndDisturbsNothing() {
        WindowFixture fixture;
        const std::filesystem::path hung = fixture.folder() / "hung-mount";
        std::filesystem::create_directories(hung / "run");
        std::filesystem::copy_file(fixture.experiment() / "tiny-llama-b/checkpoint_epoch_1.pt",
                                   hung / "run/step-1.pt");
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        fixture.window->openPaths({hung});
        QVERIFY(waitUntil([&] { return fixture.window->isSettled(); }, kTimeoutMs));
        fixture.choose("tiny-llama-a/step-400");
        QVERIFY(waitUntil([&] { return fixture.window->isSettled(); }, kTimeoutMs));
        QVERIFY(fixture.window->close());
        fixture.window.reset();
        mountHangs = true;
        const Restarted again(fixture);
        MainWindow& window = *again.window;
        QTRY_VERIFY_WITH_TIMEOUT(window.checkpoint() != nullptr, kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(window.messages()->isVisible(), kTimeoutMs);
        QVERIFY(window.messages()->title().contains(QStringLiteral("not responding")));
        QVERIFY(window.navigator()->isLoading());
        RunsPage* runs = window.pages().runs; // of the folder that answers
        window.navigator()->view()->setCurrentIndex(
            window.navigator()->model()->findExperiment(fixture.experiment()));
        QTRY_VERIFY_WITH_TIMEOUT(runs->isVisible() && runs->isSettled() && runs->data(),
                                 kTimeoutMs);
        mountHangs = false;
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kTimeoutMs);
        QVERIFY(!window.messages()->isVisible());
        QCOMPARE(window.navigator()->model()->experiments().size(), std::size_t{2});
    }

    void aDamagedStateGivesTheDefaults_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("half") << json("{'version': 1, 'folders': ['/tm");
        QTest::newRow("types") << json(
            "{'version': 1, 'window': {'width': -7, 'height': 'x', 'columns': [0, {}, -3]},"
            "'tab': 99, 'folders': [7, '', 'relative', {'a': 1}], 'selected': [], 'expanded': 3,"
            "'marks': [{'run': 5, 'slot': -1}, 8, {'slot': 9e30}],"
            "'pages': {'TensorsPage': 8, 'HistoryPage': {'axis': 'nonsense', 'smoothing': 7},"
            "'RunsPage': {'widths': {'a': -1}}, 'DiffPage': {'77': 5, '1': -4}}}");
        QTest::newRow("newer") << json("{'version': 99, 'folders': ['/nowhere']}");
        QTest::newRow("binary") << QByteArray(1000, '\xff');
    }
    void aDamagedStateGivesTheDefaults() {
        QFETCH(const QByteArray, content);
        WindowFixture fixture;
        QFile file(sessionFile(fixture));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        const Restarted again(fixture);
        QVERIFY(again.window->width() >= 600 && again.window->height() >= 400);
        QVERIFY(again.window->navigator()->isEmpty());
        QVERIFY(again.window->pages().history->board().options().smoothing < 1);
        QCOMPARE(again.window->windowTitle(), QStringLiteral("Cairn"));
    }

    void foldersOfAnOlderVersionAreOpened() {
        WindowFixture fixture;
        fixture.settings().setValue(
            QStringLiteral("session/experiments"),
            QVariantList{QByteArray::fromStdString(fixture.experiment().native())});
        Restarted again(fixture);
        QVERIFY(again.settled());
        QTRY_VERIFY_WITH_TIMEOUT(again.window->checkpoint() != nullptr, kTimeoutMs);
    }

    void twoWindowsWriteWholeStates() {
        WindowFixture fixture;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        MainWindow other(fixture.services, fixture.settings());
        other.openPaths({fixture.experiment() / "tiny-llama-b"});
        QVERIFY(waitUntil([&] { return other.isSettled(); }, kTimeoutMs));
        QVERIFY(other.close());
        QVERIFY(fixture.window->close()); // the last one
        const QJsonObject state = QJsonDocument::fromJson(savedState(fixture)).object();
        QCOMPARE(state.value(QStringLiteral("folders")).toArray().size(), 1);
        QVERIFY(state.value(QStringLiteral("selected"))
                    .toString()
                    .endsWith(QStringLiteral("step-400")));
    }

    void aPathThatIsNoTextIsRestored() {
        WindowFixture fixture;
        const std::filesystem::path odd = fixture.folder() / "r\xfc n%41\n";
        std::filesystem::create_directories(odd / "run");
        std::filesystem::copy_file(fixture.experiment() / "tiny-llama-b/checkpoint_epoch_1.pt",
                                   odd / "run/step-1.pt");
        fixture.window->openPaths({odd});
        QVERIFY(waitUntil([&] { return fixture.window->isSettled(); }, kTimeoutMs));
        QVERIFY(fixture.window->close());
        fixture.window.reset();
        Restarted again(fixture);
        QVERIFY(again.settled());
        QTRY_VERIFY_WITH_TIMEOUT(again.window->checkpoint() != nullptr, kTimeoutMs);
    }
};

QTEST_MAIN(SessionTest)
#include "session_test.moc"
