// SPDX-License-Identifier: GPL-3.0-or-later
// The Tools menu, and the palette that finds everything.
#include "tests/ui/support/window_fixture.h"
#include "ui/models/row_view.h"
#include "ui/pages/consolidate/job_choices.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/pages/summary/tool_card.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/shell/frame/command_palette.h"
#include "ui/shell/frame/workspace.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>

#include <fstream>

using namespace cairn;
using namespace cairn::ui;
using test::kTimeoutMs;
using test::WindowFixture;

namespace {

/// Presses the keys of an action and waits for the answer of the newest card.
QString answerOf(MainWindow& window, QAction* action) {
    action->trigger();
    const auto& cards = window.pages().summary->tools()->cards();
    if (cards.empty() || !waitUntil([&] { return !cards.front()->isRunning(); }, kTimeoutMs)) {
        return {};
    }
    return cards.front()->headline();
}

QPushButton* visibleButton(QWidget* in, const QString& text) {
    for (auto* button : in->findChildren<QPushButton*>()) {
        if (button->isVisible() && button->text() == text) {
            return button;
        }
    }
    return nullptr;
}

} // namespace

class ToolsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aToolAnswersAtTheTopOfTheSummary() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        Workspace& workspace = *window.workspace();
        workspace.setCurrentTab(workspace.tabOf(window.pages().tensors));
        const QString checked = answerOf(window, window.actions().check);
        QVERIFY2(checked.startsWith(QStringLiteral("No problems found")), qPrintable(checked));
        QCOMPARE(workspace.currentPage(), window.pages().summary);
        const QString hashed = answerOf(window, window.actions().hash);
        QVERIFY2(hashed.startsWith(QStringLiteral("Fingerprint ")), qPrintable(hashed));
        QVERIFY(!answerOf(window, window.actions().scanPickles).isEmpty());
        const ToolCards* tools = window.pages().summary->tools();
        QCOMPARE(tools->cards().size(), std::size_t{3});

        // Copy takes the hash of every tensor.
        ToolCard* card = tools->cards()[1];
        QCOMPARE(card->tool(), CheckpointTool::Hash);
        QTest::mouseClick(visibleButton(card, QStringLiteral("Copy")), Qt::LeftButton);
        const QString copied = QGuiApplication::clipboard()->text();
        QCOMPARE(copied.count(QLatin1Char('\n')),
                 static_cast<int>(window.checkpoint()->tensors().size()) + 1);

        // Again: the same card, not a second one.
        answerOf(window, window.actions().check);
        QCOMPARE(tools->cards().size(), std::size_t{3});
        QTest::mouseClick(visibleButton(tools->cards().front(), QStringLiteral("Close")),
                          Qt::LeftButton);
        QCOMPARE(tools->cards().size(), std::size_t{2});

        // Answers belong to one checkpoint.
        fixture.choose("tiny-llama-a/step-200");
        QTRY_COMPARE_WITH_TIMEOUT(tools->cards().size(), std::size_t{0}, kTimeoutMs);
    }

    void aDamagedCheckpointFailsTheCheck() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("hf-export"));
        const auto file = fixture.experiment() / "hf-export/model-00002-of-00003.safetensors";
        std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1000);
        window.actions().refresh->trigger();
        QVERIFY(waitUntil([&] { return window.isSettled(); }, kTimeoutMs));
        fixture.choose("hf-export");
        if (window.checkpoint()) { // it opens with a notice
            const QString checked = answerOf(window, window.actions().check);
            QVERIFY2(checked.startsWith(QStringLiteral("Problems found")), qPrintable(checked));
        }
    }

    void verifyWithoutAManifestSaysSo() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        const QString answer = answerOf(window, window.actions().verifyManifest);
        QVERIFY(!answer.isEmpty());
        QVERIFY(!answer.startsWith(QStringLiteral("The same bytes")));
    }

    void twoStepsAreNotTheSame() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        SummaryPage* summary = window.pages().summary;
        for (const auto& [other, same] :
             {std::pair("step-200", false), std::pair("step-100", true)}) {
            summary->runTool(CheckpointTool::VerifyAgainst,
                             fixture.experiment() / "tiny-llama-a" / other);
            ToolCard* card = summary->tools()->cards().front();
            QTRY_VERIFY_WITH_TIMEOUT(!card->isRunning(), kTimeoutMs);
            QCOMPARE(card->headline().startsWith(QStringLiteral("The same bytes")), same);
        }
    }

    void reshardAndExportOpenThePage() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        window.actions().reshard->trigger();
        const JobRequest& request = window.deployment().choices().request;
        QCOMPARE(request.to, std::string("dcp"));
        QVERIFY(!window.deployment().choices().automatic);
        QVERIFY(request.only.kind == Selection::Kind::All);
        window.actions().exportNumpy->trigger();
        QCOMPARE(request.to, std::string("npz"));
        QVERIFY(request.only.kind == Selection::Kind::Weights);
    }

    void thePaletteFindsRunsCheckpointsTensorsAndSynonyms() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        CommandPalette* palette = window.commandPalette();
        const auto texts = [&] {
            QStringList all;
            for (int i = 0; i < palette->list()->count(); ++i) {
                all << palette->list()->item(i)->text();
            }
            return all;
        };
        window.actions().palette->trigger();
        QTest::keyClicks(palette->field(), QStringLiteral("merge"));
        QVERIFY(texts().contains(window.actions().consolidate->text().remove(QLatin1Char('&'))));

        palette->field()->clear();
        QTest::keyClicks(palette->field(), QStringLiteral("q_proj"));
        QTRY_VERIFY_WITH_TIMEOUT(palette->list()->count() > 0, kTimeoutMs);
        const QString tensor = palette->list()->currentItem()->text();
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QVERIFY(!palette->isVisible());
        QCOMPARE(window.workspace()->currentPage(), window.pages().tensors);

        window.actions().palette->trigger();
        QTest::keyClicks(palette->field(), QStringLiteral("llama-a 300"));
        QVERIFY(palette->list()->count() > 0);
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(window.navigator()->currentPath().filename(),
                                  std::filesystem::path("step-300"), kTimeoutMs);

        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.checkpoint(), kTimeoutMs);
        window.actions().palette->trigger();
        QTest::keyClicks(palette->field(), QStringLiteral("xyzzy"));
        QVERIFY(palette->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(palette->list()->count(), 0, kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(
            [&] {
                const auto labels = palette->findChildren<QLabel*>();
                return std::ranges::any_of(labels, [](const QLabel* label) {
                    return label->isVisible() && label->text().contains(QStringLiteral("xyzzy"));
                });
            }(),
            kTimeoutMs);
        QTest::keyClick(palette->field(), Qt::Key_Escape);
    }

    /// What is named exactly comes first; what takes something back is never chosen by Enter alone.
    void thePaletteNeverPreselectsWhatIsRisky() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        QAction* undo = window.actions().undo;
        undo->setText(QStringLiteral("&Undo Consolidate tiny-llama-a, step-200"));
        undo->setEnabled(true);
        const QSignalSpy undone(undo, &QAction::triggered);
        CommandPalette* palette = window.commandPalette();
        window.actions().palette->trigger();
        QTest::keyClicks(palette->field(), QStringLiteral("step 200"));
        QListWidget* list = palette->list();
        QVERIFY(list->currentItem()->text().endsWith(QStringLiteral("step-200")));
        QVERIFY(list->item(list->count() - 1)->text().startsWith(QStringLiteral("Undo")));
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(window.navigator()->currentPath().filename(),
                                  std::filesystem::path("step-200"), kTimeoutMs);
        window.actions().palette->trigger();
        QTest::keyClicks(palette->field(), QStringLiteral("undo consolidate"));
        QCOMPARE(list->count(), 1);
        QCOMPARE(list->currentRow(), -1);
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QCOMPARE(undone.size(), 0);
        QVERIFY(palette->isVisible());
        QTest::keyClick(palette->field(), Qt::Key_Escape);
        for (const char* word : {"gguf", "lora", "sign", "delete", "dark", "remote", "share"}) {
            window.actions().palette->trigger();
            QTest::keyClicks(palette->field(), QString::fromUtf8(word));
            QVERIFY2(list->count() > 0, word);
            QTest::keyClick(palette->field(), Qt::Key_Escape);
        }
    }

    /// A command of a page is found from any other, and goes there.
    void thePaletteKnowsTheCommandsOfAllPages() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        window.workspace()->setCurrentTab(window.workspace()->tabOf(window.pages().tensors));
        CommandPalette* palette = window.commandPalette();
        window.actions().palette->trigger();
        QTest::keyClicks(palette->field(), QStringLiteral("history log y"));
        const auto found = palette->list()->findItems(QStringLiteral("History: Logarithmic Y Axis"),
                                                      Qt::MatchExactly);
        QCOMPARE(found.size(), 1);
        QVERIFY(palette->list()
                    ->findItems(QStringLiteral("History: Log y"), Qt::MatchExactly)
                    .isEmpty()); // the button of the same switch
        palette->list()->setCurrentItem(found.front());
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QCOMPARE(window.workspace()->currentPage(), static_cast<Page*>(window.pages().history));
        // Two buttons of one name are two commands.
        int chosen = 0;
        for (int i = 0; i < 2; ++i) {
            auto* button = new QPushButton(QStringLiteral("Levitate"), window.pages().history);
            connect(button, &QPushButton::clicked, this, [&] { ++chosen; });
            button->show();
        }
        window.actions().palette->trigger();
        QTest::keyClicks(palette->field(), QStringLiteral("levitate"));
        QCOMPARE(palette->list()->count(), 2);
        palette->list()->setCurrentRow(1);
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QCOMPARE(chosen, 1);
    }
};

QTEST_MAIN(ToolsTest)
#include "tools_test.moc"
