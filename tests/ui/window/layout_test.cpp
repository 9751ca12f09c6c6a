// SPDX-License-Identifier: GPL-3.0-or-later
// The pages in small and large windows and with large fonts: no text is cut, none is shortened
// beside empty space, nothing scrolls sideways. With CAIRN_SCREENSHOTS=<folder> every state is
// saved there.
#include "tests/ui/support/screenshots.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/shell/frame/job_chip.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/workspace.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"

#include <QApplication>
#include <QCheckBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>

using namespace cairn;
using namespace cairn::ui;
using test::kTimeoutMs;
using test::WindowFixture;

namespace {

QString nameOf(const QWidget& widget) {
    QStringList path;
    for (const QWidget* at = &widget; at != nullptr && path.size() < 4; at = at->parentWidget()) {
        path.prepend(QString::fromLatin1(at->metaObject()->className()));
    }
    return path.join(QStringLiteral(" > "));
}

QString textOf(const QWidget& widget) {
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        return label->text();
    }
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    return button == nullptr ? QString() : button->text();
}

/// Text that its widget is too small for.
bool isCut(const QWidget& widget) {
    if (textOf(widget).isEmpty() || !widget.isVisible()) {
        return false;
    }
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        if (label->wordWrap()) {
            return label->heightForWidth(label->width()) > label->height() + 2;
        }
        return label->sizeHint().width() > label->width() + 1 ||
               label->fontMetrics().height() > label->height() + 2;
    }
    return widget.sizeHint().width() > widget.width() + 1 ||
           widget.fontMetrics().height() > widget.height();
}

/// Free pixels beside a label in its row: between it and its neighbours, and in those that are
/// wider than they need to be.
int roomBeside(const QWidget& label) {
    const QWidget* parent = label.parentWidget();
    int room = 0;
    for (const QWidget* other : parent->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
        const bool isBeside = other != &label && other->isVisible() &&
                              other->geometry().top() < label.geometry().bottom() &&
                              other->geometry().bottom() > label.geometry().top();
        if (!isBeside || other->geometry().intersects(label.geometry())) {
            continue;
        }
        if (qobject_cast<const QLabel*>(other) != nullptr) {
            room += std::max(0, other->width() - other->sizeHint().width());
        }
    }
    return room;
}

void look(MainWindow& window, const QString& where, QStringList& problems) {
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->visibleRegion().isEmpty()) {
            continue;
        }
        const auto* scroll = qobject_cast<const QScrollArea*>(widget);
        if (scroll != nullptr && scroll->horizontalScrollBar()->maximum() > 0) {
            problems << where +
                            QStringLiteral(" scrolls sideways by %1: ")
                                .arg(scroll->horizontalScrollBar()->maximum()) +
                            nameOf(*widget);
        }
        if (!isCut(*widget)) {
            continue;
        }
        const auto* label = qobject_cast<const QLabel*>(widget);
        const bool mayShorten =
            (label != nullptr && label->minimumSizeHint().width() < label->sizeHint().width()) ||
            qobject_cast<const QCheckBox*>(widget) != nullptr;
        const QString what = QStringLiteral("“%1” (%2 of %3 px), ")
                                 .arg(textOf(*widget))
                                 .arg(widget->width())
                                 .arg(widget->sizeHint().width()) +
                             nameOf(*widget);
        if (!mayShorten) {
            problems << where + QStringLiteral(" cuts ") + what;
        } else if (const int room = roomBeside(*widget); room > 64) {
            problems << where + QStringLiteral(" shortens beside %1 px ").arg(room) + what;
        }
    }
}

} // namespace

class LayoutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QApplication::setFont(m_font); }
    void initTestCase() { m_font = QApplication::font(); }

    void everyPageFits_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("percent");
        QTest::newRow("small") << QSize(880, 560) << 100;
        QTest::newRow("small, larger font") << QSize(880, 560) << 125;
        QTest::newRow("small, much larger font") << QSize(880, 560) << 150;
        QTest::newRow("usual") << QSize(1440, 900) << 100;
        QTest::newRow("usual, larger font") << QSize(1440, 900) << 150;
        QTest::newRow("full HD, twice the font") << QSize(1920, 1080) << 200;
        QTest::newRow("large") << QSize(2560, 1440) << 100;
        QTest::newRow("4K") << QSize(3840, 2160) << 100;
        QTest::newRow("4K, twice the font") << QSize(3840, 2160) << 200;
    }
    void everyPageFits() {
        QFETCH(QSize, size);
        QFETCH(int, percent);
        QFont font = m_font;
        font.setPointSizeF(font.pointSizeF() * percent / 100);
        QApplication::setFont(font);
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(size);
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        QCOMPARE(window.size(), size);
        if (percent == 100) { // a full HD screen at twice the pixels
            QVERIFY2(window.minimumSizeHint().height() <= 540,
                     qPrintable(QString::number(window.minimumSizeHint().height())));
            QVERIFY(window.minimumSizeHint().width() <= 880);
        }
        QStringList problems;
        const QString name =
            QStringLiteral("%1x%2-%3").arg(size.width()).arg(size.height()).arg(percent);
        const auto lookAtPages = [&](const QString& subject) {
            for (int tab = 0; tab < static_cast<int>(window.workspace()->pages().size()); ++tab) {
                if (!window.workspace()->isTabEnabled(tab)) {
                    continue;
                }
                window.workspace()->setCurrentTab(tab);
                QVERIFY(waitUntil([&] { return window.isSettled(); }, kTimeoutMs));
                QTest::qWait(150); // workers of the page
                const QString where =
                    subject + QLatin1Char('-') + window.workspace()->currentPage()->info().title();
                QStringList found;
                look(window, where, found);
                if (!found.isEmpty()) { // a worker's answer that is not arranged yet
                    QTest::qWait(300);
                    found.clear();
                    look(window, where, found);
                }
                if (window.size() != size) {
                    found << where + QStringLiteral(" asks for %1 × %2")
                                         .arg(window.width())
                                         .arg(window.height());
                    window.resize(size);
                }
                problems << found;
                if (!test::screenshotFolder().isEmpty()) {
                    QDir().mkpath(test::screenshotFolder());
                    window.grab().save(test::screenshotFolder() + QLatin1Char('/') + where +
                                       QLatin1Char('-') + name + QStringLiteral(".png"));
                }
            }
        };
        lookAtPages(QStringLiteral("checkpoint"));
        Navigator* navigator = window.navigator();
        navigator->view()->setCurrentIndex(
            navigator->model()->findRun(fixture.experiment() / "tiny-llama-a"));
        lookAtPages(QStringLiteral("run"));
        navigator->view()->setCurrentIndex(
            navigator->model()->findExperiment(fixture.experiment()));
        lookAtPages(QStringLiteral("experiment"));
        navigator->setMarks(
            {fixture.experiment() / "tiny-llama-a", fixture.experiment() / "tiny-llama-b"});
        lookAtPages(QStringLiteral("marked"));
        QVERIFY2(problems.isEmpty(), qPrintable(QLatin1Char('\n') + problems.join(u'\n')));
    }

    void theNavigatorGetsItsWidthBack() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1440, 900);
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        const QList<int> before = window.workspace()->splitter()->sizes();
        QVERIFY(before.at(2) > 0);
        window.resize(880, 560);
        QTRY_COMPARE(window.workspace()->splitter()->sizes().at(2), 0); // the inspector folds first
        window.resize(1440, 900);
        QTRY_COMPARE(window.workspace()->splitter()->sizes(), before);
    }

private:
    QFont m_font;
};

QTEST_MAIN(LayoutTest)
#include "layout_test.moc"
