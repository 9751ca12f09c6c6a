// SPDX-License-Identifier: GPL-3.0-or-later
// Packing and pruning from the Tools menu, Edit > Undo, and the page's controls in the palette.
#include "core/formats/format.h"
#include "tests/ui/support/job_pages.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/space/rule_bar.h"
#include "ui/pages/space/space_page.h"
#include "ui/pages/space/treemap_view.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/shell/frame/command_palette.h"
#include "ui/shell/frame/workspace.h"
#include "ui/widgets/message_strip.h"

#include <QAction>
#include <QFileDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QTreeView>

using namespace cairn;
using namespace cairn::ui;
using namespace cairn::ui::test;

namespace fs = std::filesystem;

class UndoWorkflowTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_data;
    std::unique_ptr<WindowFixture> m_fixture;

    MainWindow& window() { return *m_fixture->window; }
    QAction& undo() { return *window().actions().undo; }

    /// Everything is older than what the retention rules protect as new.
    void makeOld() const {
        for (const auto& entry : fs::recursive_directory_iterator(m_fixture->experiment())) {
            fs::last_write_time(entry.path(),
                                fs::file_time_type::clock::now() - std::chrono::hours(48));
        }
    }

    /// With Ctrl, in addition to the current row.
    void select(const fs::path& checkpoint) {
        QTreeView* view = window().navigator()->view();
        const QModelIndex index = window().navigator()->model()->find(checkpoint);
        for (const QModelIndex& each : {view->currentIndex(), index}) {
            view->selectionModel()->select(each,
                                           QItemSelectionModel::Select | QItemSelectionModel::Rows);
        }
        QCOMPARE(window().navigator()->selectedCheckpoints().size(), std::size_t{2});
        view->setFocus();
    }

private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        qputenv("XDG_DATA_HOME", (m_data.path() + QStringLiteral("/share")).toLocal8Bit());
        window().resize(1440, 900);
    }
    void cleanup() { m_fixture.reset(); }

    void packsAndUndoes() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        QVERIFY(!undo().isEnabled());
        window().actions().pack->trigger();
        auto* dialog = window().findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        const QString packed =
            QString::fromStdString((m_fixture->folder() / "packed.cairnz").string());
        dialog->setDirectory(QString::fromStdString(m_fixture->folder().string()));
        dialog->selectFile(packed);
        QMetaObject::invokeMethod(dialog, "accept");
        ConsolidatePage& page = *window().pages().consolidate;
        QTRY_VERIFY_WITH_TIMEOUT(findStrip(page, QStringLiteral("every byte compared")),
                                 kTimeoutMs);
        QVERIFY(button(page, QStringLiteral("Copy Python")) == nullptr); // only Cairn reads it
        const auto opened = openCheckpoint(fs::path(packed.toStdString()));
        QVERIFY(opened);
        QCOMPARE((*opened)->tensors().size(), window().checkpoint()->tensors().size());

        QTRY_VERIFY(undo().isEnabled());
        QVERIFY2(undo().text().contains(QStringLiteral("Pack")), qPrintable(undo().text()));
        window().activateWindow(); // after the dialog
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        QTest::keyClick(&window(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!fs::exists(packed.toStdString()), kTimeoutMs);
        QTRY_VERIFY(findStrip(page, QStringLiteral("Moved to the wastebasket")));
        QVERIFY(!undo().isEnabled());
    }

    void anExistingFileIsNotOverwritten() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        const fs::path taken = m_fixture->experiment() / "tiny-llama-b/checkpoint_epoch_1.pt";
        const auto size = fs::file_size(taken);
        window().actions().pack->trigger();
        auto* dialog = window().findChild<QFileDialog*>();
        dialog->setDirectory(QString::fromStdString(taken.parent_path().string()));
        dialog->selectFile(QString::fromStdString(taken.string()));
        QMetaObject::invokeMethod(dialog, "accept");
        ConsolidatePage& page = *window().pages().consolidate;
        QTRY_VERIFY_WITH_TIMEOUT(button(page, QStringLiteral("Retry")) != nullptr, kTimeoutMs);
        QCOMPARE(fs::file_size(taken), size);
        QVERIFY(!undo().isEnabled());
    }

    void prunesTheRunAndUndoes() {
        makeOld();
        QVERIFY(m_fixture->open("tiny-llama-a/step-100"));
        SpacePage& space = *window().pages().space;
        QVERIFY(window().actions().prune->isEnabled());
        window().actions().prune->trigger();
        QCOMPARE(window().workspace()->currentPage(), static_cast<Page*>(&space));
        QTRY_VERIFY_WITH_TIMEOUT(space.isSettled() && space.controller().outcome(), kTimeoutMs);
        space.controller().setRules({.keepLast = 1});
        QTRY_VERIFY_WITH_TIMEOUT(space.isSettled() && space.controller().outcome() &&
                                     space.controller().outcome()->moved > 0,
                                 kTimeoutMs);
        const std::size_t moved = space.controller().outcome()->moved;
        space.controller().move();
        const fs::path run = m_fixture->experiment() / "tiny-llama-a";
        const auto left = [&] {
            std::size_t count = 0;
            for (const auto& entry : fs::directory_iterator(run)) {
                count += entry.path().filename().string().starts_with("step-") ? 1U : 0U;
            }
            return count;
        };
        QTRY_COMPARE_WITH_TIMEOUT(left(), 4 - moved, kTimeoutMs);
        QTRY_VERIFY(undo().isEnabled() && space.controller().canUndo() && window().isSettled());
        undo().trigger(); // the key is tested above
        QTRY_COMPARE_WITH_TIMEOUT(left(), std::size_t{4}, kTimeoutMs);
        QTRY_VERIFY(!undo().isEnabled());
    }

    /// Move to Wastebasket for selected rows: a question that says what is lost, and Undo.
    void movesSelectedCheckpointsToTheWastebasket() {
        makeOld();
        QVERIFY(m_fixture->open("tiny-llama-a/step-100"));
        const fs::path run = m_fixture->experiment() / "tiny-llama-a";
        select(run / "step-400");
        window().actions().moveToWastebasket->trigger();
        MessageStrip& strip = *window().messages();
        QTRY_VERIFY_WITH_TIMEOUT(strip.isVisible(), kTimeoutMs);
        QVERIFY2(strip.title().startsWith(QStringLiteral("Move 2 checkpoints")),
                 qPrintable(strip.title()));
        QVERIFY(showsText(strip, QStringLiteral("the best"))); // step-400: what is lost is said
        QVERIFY(fs::exists(run / "step-100") && fs::exists(run / "step-400"));
        QVERIFY(press(strip, QStringLiteral("Move")));
        QTRY_VERIFY_WITH_TIMEOUT(!fs::exists(run / "step-100") && !fs::exists(run / "step-400"),
                                 kTimeoutMs);
        // The checkpoint that was shown is gone, and every page says so.
        QTRY_VERIFY_WITH_TIMEOUT(undo().isEnabled(), kTimeoutMs);
        undo().trigger();
        QTRY_VERIFY_WITH_TIMEOUT(fs::exists(run / "step-100") && fs::exists(run / "step-400"),
                                 kTimeoutMs);
    }

    void pinnedCheckpointsStay() {
        makeOld();
        QVERIFY(m_fixture->open("tiny-llama-a/step-100"));
        const NavigatorModel& model = *window().navigator()->model();
        const fs::path path = m_fixture->experiment() / "tiny-llama-a/step-100";
        QAction& pin = *window().actions().keepCheckpoints;
        const auto isMarked = [&] {
            return std::ranges::any_of(model.badges(model.find(path)), [](const Badge& badge) {
                return badge.text == QStringLiteral("pinned");
            });
        };
        QVERIFY(pin.isEnabled() && !isMarked());
        pin.trigger();
        QTRY_VERIFY_WITH_TIMEOUT(isMarked(), kTimeoutMs);
        QTRY_COMPARE_WITH_TIMEOUT(pin.text(), QStringLiteral("Remove P&in"), kTimeoutMs);
        window().navigator()->view()->setFocus();
        window().actions().moveToWastebasket->trigger();
        MessageStrip& strip = *window().messages();
        QTRY_VERIFY_WITH_TIMEOUT(strip.isVisible(), kTimeoutMs);
        QCOMPARE(strip.title(), QStringLiteral("The selected checkpoints cannot be moved"));
        QVERIFY(showsText(strip, QStringLiteral("pinned")));
        pin.trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!isMarked(), kTimeoutMs);
        QVERIFY(fs::exists(path));
    }

    void aCheckpointThatIsGoneIsSaid() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-200"));
        const fs::path path = m_fixture->experiment() / "tiny-llama-a/step-200";
        fs::rename(path, m_fixture->folder() / "elsewhere");
        window().navigator()->refresh();
        MessageStrip& strip = *window().messages();
        QTRY_VERIFY_WITH_TIMEOUT(strip.isVisible(), kTimeoutMs);
        QCOMPARE(strip.title(), QStringLiteral("step-200 does not exist any more"));
        fs::rename(m_fixture->folder() / "elsewhere", path);
        window().navigator()->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(!strip.isVisible(), kTimeoutMs);
    }

    void undoInAFieldIsItsOwn() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        bool undone = false;
        connect(&undo(), &QAction::triggered, this, [&undone] { undone = true; });
        undo().setEnabled(true);
        auto* field = window().findChild<QLineEdit*>();
        QVERIFY(field != nullptr);
        field->setFocus();
        QTest::keyClicks(field, QStringLiteral("norm"));
        QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(field->text().isEmpty());
        QVERIFY(!undone);
    }

    void thePaletteFindsTheControlsOfThePage() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        Workspace& workspace = *window().workspace();
        workspace.setCurrentTab(workspace.tabOf(window().pages().tensors));
        CommandPalette& palette = *window().commandPalette();
        window().actions().palette->trigger();
        QTest::keyClicks(palette.field(), QStringLiteral("list"));
        const auto found = palette.list()->findItems(QStringLiteral("List"), Qt::MatchExactly);
        QCOMPARE(found.size(), 1);
        palette.list()->setCurrentItem(found.front());
        QTest::keyClick(palette.field(), Qt::Key_Return);
        const auto* view = window().pages().tensors->findChild<QTreeView*>();
        QTRY_COMPARE(view->model()->rowCount(),
                     static_cast<int>(window().checkpoint()->tensors().size()));
    }
};

QTEST_MAIN(UndoWorkflowTest)
#include "undo_workflow_test.moc"
