// SPDX-License-Identifier: GPL-3.0-or-later
// The right column of the Runs page with real mouse and key events: notes about runs, distances of
// the best checkpoints' weights, their average.
#include "tests/ui/support/runs_page_fixture.h"
#include "tests/ui/support/screenshots.h"
#include "ui/pages/runs/best_distances.h"
#include "ui/pages/runs/run_notes.h"
#include "ui/pages/runs/runs_side.h"
#include "ui/widgets/button.h"
#include "ui/widgets/link_row.h"

#include <QJsonObject>
#include <QPlainTextEdit>
#include <QSignalSpy>

#include <bit>
#include <fstream>

namespace cairn::ui {
namespace {

using Shown = test::ShownRunsPage;
using test::kTimeoutMs;

/// Writes the value of the sweep's only tensor.
void setWeight(const std::filesystem::path& checkpoint, float value) {
    const auto bits = std::bit_cast<std::array<char, sizeof value>>(value);
    std::fstream file(checkpoint / "model.safetensors",
                      std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-static_cast<std::streamoff>(bits.size()), std::ios::end);
    file.write(bits.data(), bits.size());
}

const QString kNote = QStringLiteral("note");

} // namespace

class RunsSideTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(test::lightPalette());
    }

    void notesAreColumnsAndKept() {
        QJsonObject kept;
        const QString text = QStringLiteral("restarted at 12,400\nsee \"wiki\"");
        {
            Shown shown;
            QVERIFY(shown.sweep(1));
            QVERIFY(shown.column(kNote) < 0);
            QVERIFY(!shown.page->side()->noteEdit()->isVisible()); // nothing is selected
            shown.click(1);
            QPlainTextEdit* edit = shown.page->side()->noteEdit();
            QVERIFY(edit->isVisible());
            edit->setFocus();
            QTest::keyClicks(edit, text.section(QLatin1Char('\n'), 0, 0));
            QTest::keyClick(edit, Qt::Key_Return);
            QTest::keyClicks(edit, text.section(QLatin1Char('\n'), 1));
            QTRY_VERIFY_WITH_TIMEOUT(shown.settled() && shown.column(kNote) > 0, kTimeoutMs);
            QVERIFY(edit->hasFocus()); // the table was arranged meanwhile
            QCOMPARE(edit->toPlainText(), text);
            QCOMPARE(shown.cell(1, kNote), text.simplified());
            QCOMPARE(shown.cell(0, kNote), QString());
            QVERIFY(QString::fromUtf8(exportRuns(*shown.page->model()->rows(), RunsFormat::Csv))
                        .contains(QStringLiteral("see \"\"wiki\"\"")));
            QVERIFY(test::saveScreenshots(shown.window, QStringLiteral("runs-note")));
            // Another run has its own note; several have none.
            shown.click(0);
            QCOMPARE(edit->toPlainText(), QString());
            shown.click(1, Qt::ControlModifier);
            QVERIFY(!edit->isVisible());
            QVERIFY(shown.clickHeader(kNote));
            QCOMPARE(shown.cell(2, kNote), text.simplified());
            QVERIFY(!std::filesystem::exists(shown.path() / "session.json"));
            kept = shown.page->keptState();
        }
        RunNotes notes;
        QVERIFY(notes.set("/a/\xff name%", QStringLiteral("x")));
        QVERIFY(!notes.set("/a/\xff name%", QStringLiteral("x")));
        QCOMPARE(RunNotes::fromJson(notes.toJson()).of("/a/\xff name%"), QStringLiteral("x"));
        QVERIFY(notes.set("/a/\xff name%", QStringLiteral("  ")) && notes.isEmpty());
        QVERIFY(RunNotes::fromJson({{QStringLiteral("/b"), 5}}).isEmpty());
        Shown again;
        again.page->restoreState(kept);
        QCOMPARE(test::chosen(again.page->keptState()), test::chosen(kept));
    }

    void distancesOfTheBestCheckpoints() {
        Shown shown;
        test::writeSweep(shown.path(), 1, 20);
        setWeight(shown.path() / "lr-0.0003-seed-1/checkpoint-2000", 2.0F); // the best one
        setWeight(shown.path() / "lr-0.0001-seed-1/checkpoint-2000", 3.0F);
        setWeight(shown.path() / "lr-0.001-seed-1/checkpoint-2000", 2.0F);
        QVERIFY(shown.open());
        BestDistances* distances = shown.page->side()->distances();
        QVERIFY(!distances->isVisible()); // nothing was chosen, nothing is read
        shown.click(0);
        QVERIFY(!distances->isVisible()); // one has no distance
        QTest::keyClick(shown.page->view(), Qt::Key_A, Qt::ControlModifier);
        QVERIFY(distances->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(distances->isSettled(), kTimeoutMs);
        QCOMPARE(distances->lines(), QStringList({QStringLiteral("lr-0.0001-seed-1: 0.5"),
                                                  QStringLiteral("lr-0.001-seed-1: equal")}));
        QVERIFY(test::saveScreenshots(shown.window, QStringLiteral("runs-distances")));
        QSignalSpy diffs(shown.page, &RunsPage::diffRequested);
        QTest::mouseClick(distances->findChildren<LinkRow*>().front(), Qt::LeftButton);
        QCOMPARE(diffs.size(), 1);
        QCOMPARE(diffs[0][0].value<std::filesystem::path>(),
                 shown.path() / "lr-0.0003-seed-1/checkpoint-2000");
        QCOMPARE(diffs[0][1].value<std::filesystem::path>(),
                 shown.path() / "lr-0.0001-seed-1/checkpoint-2000");
        // Other runs: never the distances of the ones before.
        shown.click(shown.rowOf("lr-0.0003-seed-1"));
        shown.click(shown.rowOf("lr-0.001-seed-1"), Qt::ControlModifier);
        QCOMPARE(distances->lines(), QStringList({QStringLiteral("lr-0.001-seed-1: …")}));
        QTRY_COMPARE_WITH_TIMEOUT(distances->lines(),
                                  QStringList({QStringLiteral("lr-0.001-seed-1: equal")}),
                                  kTimeoutMs);
    }

    void averagesTheBestCheckpoints() {
        Shown shown;
        QVERIFY(shown.sweep(1));
        shown.click(shown.rowOf("lr-0.0001-seed-1"));
        QVERIFY(!shown.page->side()->averageButton()->isVisible());
        shown.click(shown.rowOf("lr-0.0003-seed-1"), Qt::ControlModifier);
        QVERIFY(shown.page->side()->averageButton()->isVisible());
        QSignalSpy averages(shown.page, &RunsPage::averageRequested);
        QTest::mouseClick(shown.page->side()->averageButton(), Qt::LeftButton);
        QCOMPARE(averages.size(), 1);
        const auto members = averages[0][0].value<std::vector<std::filesystem::path>>();
        QCOMPARE(members.size(), std::size_t{2});
        // The best one first.
        QCOMPARE(QString::fromStdString(members[0].lexically_relative(shown.path())),
                 QStringLiteral("lr-0.0003-seed-1/checkpoint-2000"));
        QCOMPARE(QString::fromStdString(members[1].lexically_relative(shown.path())),
                 QStringLiteral("lr-0.0001-seed-1/checkpoint-2000"));
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::RunsSideTest)
#include "runs_side_test.moc"
