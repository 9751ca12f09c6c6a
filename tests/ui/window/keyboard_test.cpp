// SPDX-License-Identifier: GPL-3.0-or-later
// The window without a mouse: Tab reaches everything in the order in which it is seen, and the
// place with the focus is visible.
#include "tests/ui/support/window_fixture.h"
#include "ui/inspector/inspector.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/workspace.h"

#include <QAction>
#include <QApplication>
#include <QSplitter>
#include <QTabBar>

using namespace cairn;
using namespace cairn::ui;
using test::kTimeoutMs;
using test::WindowFixture;

namespace {

/// The parts of the window from the upper left to the lower right.
enum class Part { TopBar, Navigator, Tabs, Page, Side, Other };

Part partOf(const MainWindow& window, const QWidget* widget) {
    const Workspace& workspace = *window.workspace();
    if (window.topBar()->isAncestorOf(widget)) {
        return Part::TopBar;
    }
    if (window.navigator()->isAncestorOf(widget)) {
        return Part::Navigator;
    }
    if (qobject_cast<const QTabBar*>(widget) != nullptr) {
        return Part::Tabs;
    }
    if (workspace.currentPage()->isAncestorOf(widget) || workspace.currentPage() == widget) {
        return Part::Page;
    }
    return workspace.splitter()->widget(2)->isAncestorOf(widget) ? Part::Side : Part::Other;
}

/// The widgets that Tab reaches, from the first one of the top bar, once around.
QList<QWidget*> tabStops(MainWindow& window) {
    QList<QWidget*> stops;
    window.navigator()->view()->setFocus();
    QWidget* first = nullptr;
    for (int i = 0; i < 400; ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QWidget* now = QApplication::focusWidget();
        if (now == first) {
            break;
        }
        first = first == nullptr ? now : first;
        stops << now;
    }
    return stops;
}

} // namespace

class KeyboardTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tabGoesThroughTheWindowAsItIsSeen() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1440, 900);
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        for (int tab = 0; tab < static_cast<int>(window.workspace()->pages().size()); ++tab) {
            window.workspace()->setCurrentTab(tab);
            QTest::qWait(50);
            const QList<QWidget*> stops = tabStops(window);
            QStringList order;
            int steps = 0;
            Part last = Part::Navigator;
            for (const QWidget* stop : stops) {
                QVERIFY2(stop->isVisible() && !stop->size().isEmpty(),
                         qPrintable(QString::fromLatin1(stop->metaObject()->className()) +
                                    QStringLiteral(" ") + stop->accessibleName()));
                const Part part = partOf(window, stop);
                order << QStringLiteral("%1:%2")
                             .arg(static_cast<int>(part))
                             .arg(QString::fromLatin1(stop->metaObject()->className()));
                steps += part < last ? 1 : 0;
                last = part;
            }
            QVERIFY2(steps <= 1,
                     qPrintable(window.workspace()->currentPage()->info().title() +
                                QStringLiteral(": ") + order.join(QStringLiteral(", "))));
        }
    }

    /// A widget looks different while it has the focus.
    void theFocusIsVisible() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1440, 900);
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QStringList unseen;
        for (int tab = 0; tab < static_cast<int>(window.workspace()->pages().size()); ++tab) {
            window.workspace()->setCurrentTab(tab);
            QTest::qWait(200); // workers of the page
            for (QWidget* stop : tabStops(window)) {
                stop->setFocus(Qt::TabFocusReason);
                const QImage with = stop->grab().toImage();
                stop->clearFocus();
                if (stop->grab().toImage() == with) {
                    unseen << window.workspace()->currentPage()->info().title() +
                                  QStringLiteral(": ") +
                                  QString::fromLatin1(stop->metaObject()->className()) +
                                  QLatin1Char(' ') + stop->accessibleName();
                }
            }
        }
        unseen.removeDuplicates();
        QVERIFY2(unseen.isEmpty(), qPrintable(QLatin1Char('\n') + unseen.join(u'\n')));
    }
};

QTEST_MAIN(KeyboardTest)
#include "keyboard_test.moc"
