// SPDX-License-Identifier: GPL-3.0-or-later
// Typing into the filter field, sorting and copying, with the mouse and the keyboard.
#include "tests/ui/support/gui_watchdog.h"
#include "tests/ui/support/header_clicks.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/models/row_roles.h"
#include "ui/models/row_view.h"
#include "ui/pages/notice_pane.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/workspace.h"
#include "ui/widgets/button.h"
#include "ui/widgets/search_field.h"

#include <QClipboard>
#include <QLabel>
#include <QSignalSpy>

using namespace cairn;
using namespace cairn::ui;
using test::kTimeoutMs;
using test::WindowFixture;

class FilterWorkflowTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_cache;

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CACHE_HOME", m_cache.path().toLocal8Bit()); }

    void typesSortsAndCopies() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        auto* page = static_cast<TensorsPage*>(window.pages().tensors);
        window.workspace()->setCurrentTab(window.workspace()->tabOf(page));
        auto* field = static_cast<SearchField*>(window.findChild<TopBar*>()->filterField());
        auto* view = page->findChild<RowView*>();
        const auto tensors = [&] {
            return qobject_cast<TensorModel*>(view->model())->arrangement()->tensorCount();
        };
        QTRY_VERIFY_WITH_TIMEOUT(view->model()->rowCount() > 0, kTimeoutMs);
        const std::uint64_t all = tensors();
        {
            const test::GuiWatchdog watchdog("typing a filter");
            QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
            QTest::keyClicks(field, QStringLiteral("q_proj size > 1"));
            QTRY_VERIFY_WITH_TIMEOUT(tensors() > 0 && tensors() < all, kTimeoutMs);
        }
        const std::uint64_t some = tensors();
        // An invalid filter on the way keeps the last valid rows and says what is wrong.
        QTest::keyClicks(field, QStringLiteral(" and shap ="));
        QTRY_VERIFY_WITH_TIMEOUT(field->problem().contains(QStringLiteral("shap")), kTimeoutMs);
        const auto* problem = window.findChild<QLabel*>(QStringLiteral("filterProblem"));
        QVERIFY(problem != nullptr && problem->isVisible());
        QCOMPARE(problem->mapTo(&window, QPoint()).x(), field->mapTo(&window, QPoint()).x());
        QVERIFY(problem->mapTo(&window, QPoint()).y() >=
                field->mapTo(&window, QPoint(0, field->height())).y());
        QCOMPARE(field->accessibleDescription(), field->problem());
        QCOMPARE(tensors(), some);
        // The problem belongs to the page.
        window.workspace()->setCurrentTab(window.workspace()->tabOf(window.pages().metadata));
        QVERIFY(field->problem().isEmpty());
        window.workspace()->setCurrentTab(window.workspace()->tabOf(page));
        QVERIFY(!field->problem().isEmpty());
        // Nothing matches: one click on Clear shows everything.
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("no_such_tensor"));
        auto* notice = page->findChild<NoticePane*>();
        QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kTimeoutMs);
        QVERIFY(field->problem().isEmpty());
        QTest::mouseClick(notice->findChild<Button*>(), Qt::LeftButton);
        QVERIFY(field->text().isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(tensors(), all, kTimeoutMs);
        // Sort by size, largest first; select everything; copy.
        QSignalSpy settled(page, &TensorsPage::settled);
        for (int click = 0; click < 2; ++click) {
            test::clickHeader(*view, static_cast<int>(TensorColumn::Bytes));
            QVERIFY(settled.wait(kTimeoutMs));
        }
        view->setFocus();
        QTest::keyClick(view, Qt::Key_A, Qt::ControlModifier);
        window.actions().copy->trigger();
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QVERIFY(lines.front().startsWith(QStringLiteral("Name\t")));
        QCOMPARE(lines[1].section(QLatin1Char('\t'), 0, 0),
                 view->model()->index(0, 0).data(RowRoles::FullName).toString());
    }
};

QTEST_MAIN(FilterWorkflowTest)
#include "filter_workflow_test.moc"
