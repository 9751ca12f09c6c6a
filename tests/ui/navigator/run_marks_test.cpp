// SPDX-License-Identifier: GPL-3.0-or-later
// Runs are marked in the navigator: any number, by box, key and selection; each keeps its colour.
#include "core/runs/rank/ranking.h"
#include "tests/ui/support/rows_of.h"
#include "ui/navigator/navigator.h"
#include "ui/navigator/navigator_delegate.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QSet>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace cairn;
using ui::Navigator;
using ui::NavigatorModel;
using ui::RunMarks;

namespace {

/// Runs a to e with two checkpoints each.
Experiment fiveRuns() {
    Experiment experiment;
    experiment.path = "/runs";
    experiment.name = "runs";
    for (const char* name : {"a", "b", "c", "d", "e"}) {
        ScannedRun run{name, name, std::string("/runs/") + name, {}};
        for (const std::int64_t step : {100, 200}) {
            ScannedCheckpoint scanned;
            scanned.name = "step-" + std::to_string(step);
            scanned.path = run.path / scanned.name;
            scanned.step = step;
            run.checkpoints.push_back(std::move(scanned));
        }
        settleRun(run);
        experiment.runs.push_back(std::move(run));
    }
    return experiment;
}

struct Shown {
    Navigator navigator;
    QSignalSpy marked{&navigator, &Navigator::marksChanged};
    QSignalSpy compared{&navigator, &Navigator::compareRequested};

    Shown() {
        navigator.model()->setExperiment(ui::test::rowsOf(fiveRuns()));
        navigator.view()->expand(navigator.model()->index(0, 0));
        navigator.resize(300, 500);
        navigator.show();
    }
    QModelIndex run(const char* name) {
        return navigator.model()->findRun(std::string("/runs/") + name);
    }
    int slot(const char* name) { return run(name).data(NavigatorModel::RunMarkRole).toInt(); }
    void click(const char* name, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(navigator.view()->viewport(), Qt::LeftButton, modifiers,
                          navigator.view()->visualRect(run(name)).center());
    }
    void clickBox(const char* name) {
        QStyleOptionViewItem option;
        option.rect = navigator.view()->visualRect(run(name));
        QTest::mouseClick(navigator.view()->viewport(), Qt::LeftButton, {},
                          ui::NavigatorDelegate::markRect(option).center());
    }
};

} // namespace

class RunMarksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachKeepsItsSlot() {
        RunMarks marks;
        for (const char* run : {"/a", "/b", "/c", "/d"}) {
            QVERIFY(marks.add(run));
        }
        QVERIFY(!marks.add("/a"));
        QVERIFY(marks.remove("/b"));
        QCOMPARE(marks.slotOf("/a"), 0);
        QCOMPARE(marks.slotOf("/c"), 2);
        QCOMPARE(marks.slotOf("/d"), 3);
        QVERIFY(marks.add("/e")); // the free slot
        QCOMPARE(marks.slotOf("/e"), 1);
        QCOMPARE(marks.slotOf("/none"), -1);
        marks.remove("/a");
        marks.remove("/c");
        QCOMPARE(marks.slotOf("/e"), 0); // two are A and B
        QCOMPARE(marks.slotOf("/d"), 1);
        QVERIFY(!marks.remove("/c"));
    }

    void differingRunsAreFound() {
        using Paths = std::vector<std::filesystem::path>;
        RunMarks before;
        for (const char* run : {"/a", "/b", "/c"}) {
            before.add(run);
        }
        RunMarks after = before;
        QCOMPARE(before.differing(after), Paths());
        after.add("/d");
        QCOMPARE(before.differing(after), Paths({"/d"}));
        QCOMPARE(after.differing(before), Paths({"/d"}));
        after.remove("/d");
        after.remove("/a"); // the other two become A and B
        QCOMPARE(before.differing(after), Paths({"/a", "/b", "/c"}));
    }

    void aGroupHasOneSlot() {
        RunMarks marks;
        marks.addTogether({"/a", "/b", "/c"});
        marks.addTogether({"/d", "/e"});
        QCOMPARE(marks.slotOf("/c"), 0);
        QCOMPARE(marks.slotOf("/d"), 1);
        QCOMPARE(marks.slotOf("/e"), 1);
        QCOMPARE(marks.count(), std::size_t{5});
        marks.remove("/a");
        QCOMPARE(marks.slotOf("/b"), 0);
        marks.add("/a");
        QCOMPARE(marks.slotOf("/a"), 2);
        marks.addTogether({"/a", "/b"});
        QCOMPARE(marks.slotOf("/b"), 2); // the slot of the first that has one
    }

    void threeRunsByKey() {
        Shown shown;
        const QAbstractItemModelTester tester(
            shown.navigator.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        for (const char* run : {"b", "d", "a"}) {
            shown.click(run);
            QTest::keyClick(shown.navigator.view(), Qt::Key_X);
        }
        QCOMPARE(shown.slot("b"), 0);
        QCOMPARE(shown.slot("d"), 1);
        QCOMPARE(shown.slot("a"), 2);
        QCOMPARE(shown.slot("c"), -1);
        QCOMPARE(shown.compared.size(), 1); // only the second mark
        QCOMPARE(shown.navigator.marked().at(2).mark, 2);
        shown.navigator.clearMarks();
        QCOMPARE(shown.navigator.marked().size(), std::size_t{0});
    }

    void aBoxIsClickedAndNotTheRow() {
        Shown shown;
        shown.click("e");
        QSignalSpy selected(&shown.navigator, &Navigator::selectionChanged);
        shown.clickBox("a");
        shown.clickBox("b");
        shown.clickBox("c");
        QCOMPARE(shown.slot("a"), 0);
        QCOMPARE(shown.slot("c"), 2);
        QCOMPARE(shown.compared.size(), 0); // boxes collect; they do not leave the page
        QCOMPARE(selected.size(), 0);
        QCOMPARE(shown.navigator.view()->currentIndex(), shown.run("e"));
        shown.clickBox("a");
        QCOMPARE(shown.slot("a"), -1);
        // The same with the keyboard.
        QTest::keyClick(shown.navigator.view(), Qt::Key_Space);
        QVERIFY(shown.slot("e") >= 0);
        QTest::keyClick(shown.navigator.view(), Qt::Key_Space);
        QCOMPARE(shown.slot("e"), -1);
    }

    void selectedRunsAreMarked() {
        Shown shown;
        shown.click("a");
        QCOMPARE(shown.marked.size(), 0);
        shown.click("c", Qt::ControlModifier);
        QCOMPARE(shown.slot("a"), 0);
        QCOMPARE(shown.slot("c"), 1);
        QCOMPARE(shown.compared.size(), 1);
        shown.click("d", Qt::ControlModifier);
        QCOMPARE(shown.slot("d"), 2);
        shown.click("d", Qt::ControlModifier); // not selected any more
        QCOMPARE(shown.slot("d"), -1);
        QCOMPARE(shown.compared.size(), 1);
        shown.click("e"); // a plain click keeps the marks
        QCOMPARE(shown.slot("a"), 0);
        QCOMPARE(shown.slot("e"), -1);
        shown.navigator.clearMarks();
        shown.click("b");
        shown.click("e", Qt::ShiftModifier);
        for (const char* run : {"b", "c", "d", "e"}) {
            QVERIFY2(shown.slot(run) >= 0, run);
        }
    }

    void selectedCheckpointsAreNot() {
        Shown shown;
        shown.navigator.view()->expandAll();
        const auto clickCheckpoint = [&](const char* path, Qt::KeyboardModifiers modifiers) {
            QTest::mouseClick(
                shown.navigator.view()->viewport(), Qt::LeftButton, modifiers,
                shown.navigator.view()->visualRect(shown.navigator.model()->find(path)).center());
        };
        clickCheckpoint("/runs/a/step-100", {});
        clickCheckpoint("/runs/a/step-200", Qt::ControlModifier);
        QCOMPARE(shown.marked.size(), 0);
    }

    void selectedCheckpointsStandForTheirRuns() {
        Shown shown;
        shown.navigator.view()->expandAll();
        QTest::mouseClick(shown.navigator.view()->viewport(), Qt::LeftButton, {},
                          shown.navigator.view()
                              ->visualRect(shown.navigator.model()->find("/runs/a/step-200"))
                              .center());
        shown.click("b", Qt::ControlModifier);
        QCOMPARE(shown.marked.size(), 0);
        shown.navigator.compareMarked();
        QCOMPARE(shown.slot("a"), 0);
        QCOMPARE(shown.slot("b"), 1);
        QCOMPARE(shown.compared.size(), 1);
    }

    void screenReadersHearTheMark() {
        Shown shown;
        shown.clickBox("b");
        QCOMPARE(shown.run("b").data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Checked));
        QCOMPARE(shown.run("a").data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Unchecked));
        QVERIFY(shown.run("a").flags().testFlag(Qt::ItemIsUserCheckable));
    }

    void coloursAndDashesDiffer() {
        QSet<QString> looks;
        for (int series = 0; series < 32; ++series) {
            looks.insert(ui::theme::series(series, QPalette()).name() +
                         QString::number(ui::theme::seriesDash(series)));
        }
        QCOMPARE(looks.size(), 32);
        QCOMPARE(ui::theme::seriesDash(0), Qt::SolidLine);
        QCOMPARE(ui::theme::seriesDash(1), Qt::DashLine);
    }
};

QTEST_MAIN(RunMarksTest)
#include "run_marks_test.moc"
