// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/window_fixture.h"
#include "ui/shell/frame/command_palette.h"

#include <QAction>
#include <QLineEdit>
#include <QListWidget>
#include <QMap>
#include <QMenuBar>

using namespace cairn::ui;

class ActionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyActionIsInTheMenuBar() {
        const test::WindowFixture fixture;
        const QList<QAction*> listed = fixture.window->actions().all();
        for (QAction* action :
             fixture.window->findChildren<QAction*>(QString(), Qt::FindDirectChildrenOnly)) {
            if (!action->isSeparator() && action->menu() == nullptr) {
                QVERIFY2(listed.contains(action), qPrintable(action->text()));
            }
        }
        QVERIFY(listed.size() > 30);
    }

    void noShortcutIsTakenTwice() {
        const test::WindowFixture fixture;
        QMap<QKeySequence, QString> taken;
        for (const QAction* action : fixture.window->findChildren<QAction*>()) {
            for (const QKeySequence& sequence : action->shortcuts()) {
                QVERIFY2(!taken.contains(sequence) || taken[sequence] == action->text(),
                         qPrintable(sequence.toString() + QStringLiteral(": ") + action->text() +
                                    QStringLiteral(" and ") + taken.value(sequence)));
                taken[sequence] = action->text();
            }
        }
    }

    void keysKeepTheConventions() {
        const test::WindowFixture fixture;
        for (const QAction* action : fixture.window->actions().all()) {
            bool beyondFunctionKeys = action->shortcuts().isEmpty();
            for (const QKeySequence& sequence : action->shortcuts()) {
                const QKeyCombination keys = sequence[0];
                const bool functionKey = keys.key() >= Qt::Key_F1 && keys.key() <= Qt::Key_F35;
                beyondFunctionKeys = beyondFunctionKeys || !functionKey;
                QVERIFY2(!keys.keyboardModifiers().testFlag(Qt::MetaModifier),
                         qPrintable(action->text()));
                const bool letter = keys.key() >= Qt::Key_A && keys.key() <= Qt::Key_Z;
                QVERIFY2(!letter || !keys.keyboardModifiers().testFlag(Qt::AltModifier),
                         qPrintable(action->text()));
            }
            QVERIFY2(beyondFunctionKeys, qPrintable(action->text()));
            QVERIFY2(!action->toolTip().isEmpty(), qPrintable(action->text()));
        }
    }

    void theKeysOfTheGuide_data() {
        QTest::addColumn<QString>("keys");
        for (const char* keys :
             {"Ctrl+O",   "Ctrl+Shift+O", "Ctrl+L", "Ctrl+F", "Ctrl+R",       "F5",
              "Ctrl+E",   "Ctrl+B",       "Ctrl+1", "Ctrl+2", "Ctrl+M",       "Ctrl+D",
              "Ctrl+J",   "Ctrl+Shift+J", "Ctrl+I", "Ctrl+C", "Ctrl+Shift+C", "Ctrl+Shift+P",
              "Alt+Left", "Alt+Right",    "Ctrl+Q"}) {
            QTest::newRow(keys) << QString::fromLatin1(keys);
        }
    }
    void theKeysOfTheGuide() {
        QFETCH(const QString, keys);
        const test::WindowFixture fixture;
        const QList<QAction*> all = fixture.window->actions().all();
        QVERIFY(std::any_of(all.begin(), all.end(), [&](const QAction* action) {
            return action->shortcuts().contains(QKeySequence(keys));
        }));
    }

    void paletteFindsAnActionByItsText() {
        const test::WindowFixture fixture;
        CommandPalette* palette = fixture.window->commandPalette();
        fixture.window->actions().palette->trigger();
        QVERIFY(palette->isVisible());
        QTest::keyClicks(palette->field(), QStringLiteral("open files"));
        QCOMPARE(palette->list()->count(), 1);
        palette->field()->clear();
        QCOMPARE(palette->list()->count(),
                 static_cast<int>(fixture.window->actions().all().size()));
        QTest::keyClicks(palette->field(), QStringLiteral("inspector"));
        const bool before = fixture.window->actions().inspector->isChecked();
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QCOMPARE(fixture.window->actions().inspector->isChecked(), !before);
        QVERIFY(!palette->isVisible());
    }
};

QTEST_MAIN(ActionsTest)
#include "actions_test.moc"
