// SPDX-License-Identifier: GPL-3.0-or-later
// The window as a screen reader gets it: through Qt's accessibility interfaces.
#include "tests/ui/support/window_fixture.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/plot_canvas.h"
#include "ui/models/row_view.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/compare_side.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/space/space_page.h"
#include "ui/pages/space/treemap_view.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/frame/command_palette.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/jobs/job_popover.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/message_strip.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QSplitter>
#include <QThread>

#include <atomic>
#include <memory>
#include <set>

using namespace cairn;
using namespace cairn::ui;
using test::kTimeoutMs;
using test::WindowFixture;

namespace {

/// What readers were told, in order: "notification 84 tensors".
QStringList heard;

void hear(QAccessibleEvent& event) {
    QAccessibleInterface* access = event.accessibleInterface();
    if (access == nullptr) {
        return;
    }
    const QString name = access->text(QAccessible::Name);
    switch (event.type()) {
    case QAccessible::ObjectShow:
        if (access->role() == QAccessible::Notification) {
            heard << name;
        }
        break;
    case QAccessible::Focus:
    case QAccessible::NameChanged:
        if (access->role() == QAccessible::ListItem) {
            heard << name;
        }
        break;
    default:
        break;
    }
}

bool hasHeard(const QString& part) {
    return std::ranges::any_of(heard, [&](const QString& line) { return line.contains(part); });
}

/// Widgets that only decorate: what they show is also said by another one.
bool isDecoration(const QWidget& widget) {
    const QString type = QString::fromLatin1(widget.metaObject()->className());
    static const QStringList kinds{QStringLiteral("Swatch"), QStringLiteral("Hairline"),
                                   QStringLiteral("LineLayer"), QStringLiteral("PlotOverlay"),
                                   QStringLiteral("FocusMark")};
    return std::ranges::any_of(kinds, [&](const QString& kind) { return type.endsWith(kind); }) ||
           widget.testAttribute(Qt::WA_TransparentForMouseEvents);
}

QString placeOf(QAccessibleInterface* access) {
    QStringList path;
    for (QAccessibleInterface* at = access; at != nullptr && path.size() < 6; at = at->parent()) {
        const QObject* object = at->object();
        path.prepend((object != nullptr ? QString::fromLatin1(object->metaObject()->className())
                                        : QStringLiteral("item")) +
                     QStringLiteral(" “") + at->text(QAccessible::Name) + QStringLiteral("”"));
    }
    return path.join(QStringLiteral(" > "));
}

bool hasOwnChildren(const QWidget& widget) {
    const auto children = widget.findChildren<QWidget*>(Qt::FindDirectChildrenOnly);
    return std::ranges::any_of(
        children, [](const QWidget* child) { return child->isVisible() && !isDecoration(*child); });
}

class Walk {
public:
    QStringList problems;
    int seen = 0;

    void look(QAccessibleInterface* access) {
        if (access == nullptr || !access->isValid() || access->state().invisible) {
            return;
        }
        ++seen;
        const auto* widget = qobject_cast<QWidget*>(access->object());
        if (widget != nullptr && isDecoration(*widget)) {
            return;
        }
        const QString name = access->text(QAccessible::Name);
        const bool focusable =
            widget != nullptr && widget->isEnabled() && widget->focusPolicy() != Qt::NoFocus;
        if (focusable && name.isEmpty()) {
            problem(access, "no name");
        }
        const QString type =
            widget == nullptr ? QString() : QString::fromLatin1(widget->metaObject()->className());
        const bool own = type.startsWith(QStringLiteral("cairn::"));
        if (own && access->role() == QAccessible::Client && !hasOwnChildren(*widget)) {
            problem(access, "no role");
        }
        if (access->role() == QAccessible::LayeredPane) {
            problem(access, "a level that readers speak of and that nobody sees");
        }
        const bool shows =
            access->role() == QAccessible::Chart || access->role() == QAccessible::ProgressBar;
        if (own && shows && !access->state().busy && access->text(QAccessible::Value).isEmpty() &&
            access->text(QAccessible::Description).isEmpty()) {
            problem(access, "no value");
        }
        if (access->tableInterface() != nullptr) {
            lookAtCells(access);
            return;
        }
        std::set<QString> names;
        for (int i = 0; i < std::min(access->childCount(), 200); ++i) {
            QAccessibleInterface* child = access->child(i);
            if (child == nullptr || child->state().invisible) {
                continue;
            }
            const auto* each = qobject_cast<QWidget*>(child->object());
            const QString label = child->text(QAccessible::Name);
            if (each != nullptr && each->focusPolicy() != Qt::NoFocus && !label.isEmpty() &&
                !names.insert(label).second) {
                problem(child, "a sibling has the same name");
            }
            look(child);
        }
    }

private:
    void problem(QAccessibleInterface* access, const char* what) {
        problems << QString::fromLatin1(what) + QStringLiteral(": ") + placeOf(access);
    }
    void lookAtCells(QAccessibleInterface* access) {
        QAccessibleTableInterface* table = access->tableInterface();
        const auto* view = qobject_cast<QAbstractItemView*>(access->object());
        const QHeaderView* header = view == nullptr ? nullptr : view->findChild<QHeaderView*>();
        for (int column = 0; column < std::min(table->columnCount(), 40); ++column) {
            if (header != nullptr && header->isVisible() && column > 0 &&
                table->columnDescription(column).isEmpty()) {
                problem(access, "a column without a header");
            }
        }
        if (table->rowCount() > 0 && table->columnCount() > 0) {
            QAccessibleInterface* cell = table->cellAt(0, 0);
            if (cell == nullptr || cell->text(QAccessible::Name).isEmpty()) {
                problem(access, "the first cell says nothing");
            }
        }
    }
};

template <class T> T* visibleChild(QWidget* in) {
    for (T* each : in->findChildren<T*>()) {
        if (each->isVisible() && !each->visibleRegion().isEmpty()) {
            return each;
        }
    }
    return nullptr;
}

} // namespace

class AccessibleTest : public QObject {
    Q_OBJECT

private:
    static void checkAll(MainWindow& window, const QString& what, QStringList& problems) {
        for (int tab = 0; tab < static_cast<int>(window.workspace()->pages().size()); ++tab) {
            if (!window.workspace()->isTabEnabled(tab)) {
                continue;
            }
            window.workspace()->setCurrentTab(tab);
            QVERIFY(waitUntil([&] { return window.isSettled(); }, kTimeoutMs));
            QTest::qWait(100); // workers of the page
            Walk walk;
            walk.look(QAccessible::queryAccessibleInterface(&window));
            QVERIFY(walk.seen > 40);
            for (const QString& problem : walk.problems) {
                problems << what + QLatin1Char(' ') +
                                window.workspace()->currentPage()->info().title() +
                                QStringLiteral(": ") + problem;
            }
        }
    }

private Q_SLOTS:
    void initTestCase() { setReaderSpy(hear); }
    void cleanupTestCase() { setReaderSpy({}); }

    void everythingHasANameAndARole() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1440, 900);
        QStringList problems;
        Walk start;
        start.look(QAccessible::queryAccessibleInterface(&window));
        problems << start.problems;
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        checkAll(window, QStringLiteral("checkpoint"), problems);
        Navigator* navigator = window.navigator();
        navigator->view()->setCurrentIndex(
            navigator->model()->findRun(fixture.experiment() / "tiny-llama-a"));
        checkAll(window, QStringLiteral("run"), problems);
        navigator->view()->setCurrentIndex(
            navigator->model()->findExperiment(fixture.experiment()));
        checkAll(window, QStringLiteral("experiment"), problems);
        for (QWidget* popup : {static_cast<QWidget*>(window.commandPalette()),
                               static_cast<QWidget*>(window.jobPopover())}) {
            popup == window.jobPopover() ? window.actions().jobHistory->trigger()
                                         : window.actions().palette->trigger();
            QTest::qWait(50);
            QVERIFY(popup->isVisible());
            Walk walk;
            walk.look(QAccessible::queryAccessibleInterface(popup));
            problems << walk.problems;
            popup->hide();
        }
        problems.removeDuplicates();
        QVERIFY2(problems.isEmpty(),
                 qPrintable(QLatin1Char('\n') + problems.join(QLatin1Char('\n'))));
    }

    void readersHearWhatChanges() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1440, 900);
        heard.clear();
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        QVERIFY2(hasHeard(QStringLiteral("step-100: ")), qPrintable(heard.join(u'\n')));

        window.workspace()->setCurrentTab(window.workspace()->tabOf(window.pages().tensors));
        heard.clear();
        QTest::keyClicks(window.topBar()->filterField(), QStringLiteral("q_proj"));
        QTRY_VERIFY_WITH_TIMEOUT(hasHeard(QStringLiteral(" tensors")), kTimeoutMs);
        QVERIFY2(hasHeard(QStringLiteral(" of ")), qPrintable(heard.join(u'\n')));
        heard.clear();
        QTest::keyClicks(window.topBar()->filterField(), QStringLiteral("xyzzy"));
        QTRY_VERIFY_WITH_TIMEOUT(hasHeard(QStringLiteral("No tensor matches")), kTimeoutMs);

        heard.clear();
        window.messages()->show(
            {theme::Tone::Broken, QStringLiteral("It failed"), QStringLiteral("Disk full"), {}});
        QVERIFY(hasHeard(QStringLiteral("It failed. Disk full")));

        // A job that ends.
        heard.clear();
        QTRY_VERIFY_WITH_TIMEOUT(window.actions().consolidate->isEnabled(), kTimeoutMs);
        window.actions().consolidate->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(hasHeard(QStringLiteral("Finished in")), kTimeoutMs);
    }

    /// A mark and the result of a comparison are spoken; the focus stays where it is.
    void marksAndComparisonsAreSpoken() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1440, 900);
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        QTreeView* tree = window.navigator()->view();
        const NavigatorModel& model = *window.navigator()->model();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        tree->setFocus();
        tree->setCurrentIndex(model.findRun(fixture.experiment() / "tiny-llama-a"));
        heard.clear();
        QTest::keyClick(tree, Qt::Key_X);
        QVERIFY2(hasHeard(QStringLiteral("tiny-llama-a marked")), qPrintable(heard.join(u'\n')));
        QTest::keyClick(tree, Qt::Key_X);
        QVERIFY(hasHeard(QStringLiteral("tiny-llama-a no longer marked")));
        QTest::keyClick(tree, Qt::Key_X);
        tree->setCurrentIndex(model.findRun(fixture.experiment() / "tiny-llama-b"));
        heard.clear();
        QTest::keyClick(tree, Qt::Key_X);
        const ComparePage& page = *window.pages().compare;
        QTRY_VERIFY_WITH_TIMEOUT(hasHeard(QStringLiteral("B is worse: eval_loss ")), kTimeoutMs);
        QVERIFY(page.showsResult() && page.side()->pairs()->currentIndex().isValid());
        QCOMPARE(QApplication::focusWidget(), tree);
    }

    void aChartIsWalkedByKeysAndSpoken() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1440, 900);
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        window.workspace()->setCurrentTab(window.workspace()->tabOf(window.pages().history));
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        PlotCanvas* canvas = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT(
            (canvas = visibleChild<PlotCanvas>(window.pages().history)) != nullptr, kTimeoutMs);
        QTest::qWait(50);
        // Tab reaches it.
        window.topBar()->filterField()->setFocus();
        for (int i = 0; i < 60 && QApplication::focusWidget() != canvas; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        QCOMPARE(QApplication::focusWidget(), canvas);
        QAccessibleInterface* access = QAccessible::queryAccessibleInterface(canvas);
        QCOMPARE(access->role(), QAccessible::Chart);
        QCOMPARE(access->childCount(), canvas->itemCount());
        QVERIFY(!access->text(QAccessible::Name).isEmpty());
        heard.clear();
        QTest::keyClick(canvas, Qt::Key_Home);
        QTest::keyClick(canvas, Qt::Key_Right);
        QCOMPARE(heard.size(), 2);
        QVERIFY(heard.at(0) != heard.at(1));
        QVERIFY2(heard.at(1).contains(QStringLiteral("step")), qPrintable(heard.at(1)));
        QCOMPARE(access->text(QAccessible::Value), heard.at(1));
        QCOMPARE(access->child(0)->text(QAccessible::Name), heard.at(1));
        // The label shows the value that is spoken, beside the curve.
        const auto label = canvas->cursorLabel();
        QVERIFY(label.has_value());
        QVERIFY2(heard.at(1).endsWith(label->text.section(QLatin1Char(' '), -1)),
                 qPrintable(label->text));
        QVERIFY(canvas->scene().frame().area.contains(label->box));
        QTest::keyClick(canvas, Qt::Key_End);
        QVERIFY(canvas->scene().frame().area.contains(canvas->cursorLabel()->box));
        const QString last = access->text(QAccessible::Value);
        QTest::keyClick(canvas, Qt::Key_Right); // there is no next point
        QCOMPARE(access->text(QAccessible::Value), last);
        QTest::keyClick(canvas, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(access->text(QAccessible::Value) != last);
        QTest::keyClick(canvas, Qt::Key_Escape);
        QVERIFY(!canvas->cursorLabel().has_value());
        // Enter opens the checkpoint that T has reached.
        heard.clear();
        QTest::keyClick(canvas, Qt::Key_T);
        QTest::keyClick(canvas, Qt::Key_T);
        QVERIFY(hasHeard(QStringLiteral("step-")));
        QTest::keyClick(canvas, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.checkpoint() &&
                                     window.checkpoint()->path().filename() != "step-100",
                                 kTimeoutMs);
    }

    void theMapIsWalkedByKeysAndSpoken() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1440, 900);
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        window.workspace()->setCurrentTab(window.workspace()->tabOf(window.pages().space));
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        TreemapView* map = window.pages().space->findChild<TreemapView*>();
        QTRY_VERIFY_WITH_TIMEOUT(map->itemCount() > 2, kTimeoutMs);
        map->setFocus();
        heard.clear();
        QTest::keyClick(map, Qt::Key_Home);
        QTRY_VERIFY_WITH_TIMEOUT(!heard.isEmpty(), kTimeoutMs);
        const QString largest = heard.last();
        QVERIFY2(largest.contains(QStringLiteral("B")), qPrintable(largest));
        QTest::keyClick(map, Qt::Key_End);
        QVERIFY(heard.last() != largest);
        QAccessibleInterface* access = QAccessible::queryAccessibleInterface(map);
        QCOMPARE(access->text(QAccessible::Value), heard.last());
        QCOMPARE(access->focusChild()->text(QAccessible::Name), heard.last());
    }

    /// At its start, at 25, 50 and 75 % and at its end, and not in between.
    void theProgressOfAJobIsSpoken() {
        WindowFixture fixture;
        const auto allowed =
            std::make_shared<std::atomic<int>>(0); // percent that the job may reach
        JobQueue& queue = *fixture.services.jobs;
        queue.submit("Consolidate x", [allowed](JobContext& job) -> Result<void> {
            constexpr std::uint64_t kTotal = 100;
            job.setTotal(kTotal);
            for (std::uint64_t done = 0; done < kTotal; ++done) {
                while (done >= static_cast<std::uint64_t>(allowed->load())) {
                    CAIRN_CHECK(job.token().check());
                    QThread::msleep(1);
                }
                job.addWritten(1);
                job.addVerified(1);
            }
            return {};
        });
        JobsWatcher& watcher = fixture.window->jobs();
        heard.clear();
        QStringList expected;
        const auto reach = [&](int percent, const QString& words) {
            *allowed = percent;
            watcher.wake();
            if (words.isEmpty()) {
                QTest::qWait(400); // several polls
            } else {
                expected << QStringLiteral("Consolidate x: ") + words;
            }
            return QTest::qWaitFor([&] { return heard.filter(u"Consolidate x"_qs) == expected; },
                                   kTimeoutMs);
        };
        QVERIFY2(reach(0, QStringLiteral("started")), qPrintable(heard.join(u'\n')));
        QVERIFY2(reach(20, {}), qPrintable(heard.join(u'\n')));
        QVERIFY2(reach(30, QStringLiteral("25 %")), qPrintable(heard.join(u'\n')));
        QVERIFY2(reach(40, {}), qPrintable(heard.join(u'\n')));
        QVERIFY2(reach(80, QStringLiteral("75 %")),
                 qPrintable(heard.join(u'\n'))); // not 50 as well
        *allowed = 100;
        QTRY_VERIFY_WITH_TIMEOUT(hasHeard(QStringLiteral("Finished in ")), kTimeoutMs);
        QCOMPARE(heard.filter(u"Consolidate x"_qs).filter(u" %"_qs).size(), 2);
        QCOMPARE(heard.filter(u"Consolidate x: Finished in "_qs).size(), 1);
    }

    void progressIsAValue() {
        ByteProgress bar;
        bar.setAccessibleName(QStringLiteral("Progress"));
        bar.setShares(0.25, 0.5);
        QAccessibleInterface* access = QAccessible::queryAccessibleInterface(&bar);
        QCOMPARE(access->role(), QAccessible::ProgressBar);
        QVERIFY(access->valueInterface() != nullptr);
        QCOMPARE(access->valueInterface()->currentValue().toInt(), 25);
        bar.setShares(0.5, 0.5);
        QCOMPARE(access->valueInterface()->currentValue().toInt(), 50);
        QCOMPARE(access->text(QAccessible::Value), QStringLiteral("50%"));
        QVERIFY(!access->state().busy);
        bar.setShares(-1, 0); // not counted yet
        QVERIFY(access->state().busy && access->text(QAccessible::Value).isEmpty());
        bar.setShares(0, 0);
        QVERIFY(!access->state().busy);
        QCOMPARE(access->text(QAccessible::Value), QStringLiteral("0%"));
    }

    void sortingIsSpoken() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1440, 900);
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        window.workspace()->setCurrentTab(window.workspace()->tabOf(window.pages().tensors));
        auto* view = qobject_cast<QTreeView*>(window.pages().tensors->filterTarget());
        QTRY_VERIFY_WITH_TIMEOUT(view->isVisible() && view->model()->rowCount() > 0, kTimeoutMs);
        QHeaderView* header = view->header();
        heard.clear();
        const int column = 1;
        const QPoint at(header->sectionViewportPosition(column) + 12, header->height() / 2);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
        QTRY_VERIFY_WITH_TIMEOUT(hasHeard(QStringLiteral("Sorted by")), kTimeoutMs);
        QVERIFY(QAccessible::queryAccessibleInterface(view)
                    ->text(QAccessible::Description)
                    .startsWith(QStringLiteral("Sorted by")));
    }
};

QTEST_MAIN(AccessibleTest)
#include "accessible_test.moc"
