// SPDX-License-Identifier: GPL-3.0-or-later
// The Space page in the window: one selection with the navigator and the inspector.
#include "tests/ui/support/window_fixture.h"
#include "ui/inspector/inspector.h"
#include "ui/pages/space/plan_panel.h"
#include "ui/pages/space/space_page.h"
#include "ui/pages/space/treemap_view.h"
#include "ui/shell/frame/workspace.h"

#include <QAction>

using namespace cairn;
using namespace cairn::ui;
using test::kTimeoutMs;
using test::WindowFixture;

class SpaceWorkflowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void selectionOnTheMapAndOnTheLeft() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1440, 900);
        QVERIFY(fixture.open("tiny-llama-a/step-200"));
        SpacePage& page = *window.pages().space;
        Workspace& workspace = *window.workspace();
        const int tab = workspace.tabOf(&page);
        workspace.setCurrentTab(tab);
        const auto settled = [&] {
            return window.isSettled() && page.isSettled() && page.view()->map();
        };
        QTRY_VERIFY_WITH_TIMEOUT(settled(), kTimeoutMs);
        QVERIFY(page.view()->map()->checkpoint == window.checkpoint());
        QVERIFY(window.pages().inspector->isVisible());
        // A tensor of the map is that of the inspector and of the other pages.
        TreemapView& view = *page.view();
        const MapTile tile = view.tiles()[view.stops().front()];
        QTest::mouseClick(&view, Qt::LeftButton, {}, tile.rect.center().toPoint());
        QCOMPARE(view.selected(), std::optional(tile.node));
        // The run: its map and its plan.
        const NavigatorModel& model = *window.navigator()->model();
        QTreeView& tree = *window.navigator()->view();
        tree.setCurrentIndex(model.findRun(fixture.experiment() / "tiny-llama-a"));
        QTRY_VERIFY_WITH_TIMEOUT(settled() && view.map()->tree, kTimeoutMs);
        QCOMPARE(workspace.currentTab(), tab);
        QCOMPARE(page.controller().runs(), std::size_t{1});
        QTRY_VERIFY(page.sidePanel() && page.sidePanel()->isVisible());
        QVERIFY(!window.pages().inspector->isVisible());
        // One of its checkpoints: the navigator follows, the map stays.
        const std::filesystem::path path = fixture.experiment() / "tiny-llama-a/step-300";
        const std::uint32_t node = view.map()->saves.at(path);
        const auto at = std::ranges::find(view.tiles(), node, &MapTile::node);
        QVERIFY(at != view.tiles().end());
        QTest::mouseClick(&view, Qt::LeftButton, {}, at->rect.center().toPoint());
        QTRY_COMPARE_WITH_TIMEOUT(window.navigator()->currentPath(), path, kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(
            settled() && window.checkpoint() && window.checkpoint()->path() == path, kTimeoutMs);
        QVERIFY(view.map()->tree != nullptr);
        QCOMPARE(view.selected(), std::optional(node));
        // One that is chosen on the left is shown with its tensors.
        fixture.choose("tiny-llama-a/step-400");
        QTRY_VERIFY_WITH_TIMEOUT(settled() && view.map()->checkpoint &&
                                     view.map()->checkpoint == window.checkpoint(),
                                 kTimeoutMs);
        QTRY_VERIFY(window.pages().inspector->isVisible());
        // The experiment: all of its runs.
        tree.setCurrentIndex(model.index(0, 0));
        QTRY_VERIFY_WITH_TIMEOUT(settled() && view.map()->tree && view.root() == 0, kTimeoutMs);
        QVERIFY(page.controller().runs() > 3);
        // Saved a moment ago: nothing of it may be moved.
        QVERIFY(page.controller().outcome() != nullptr);
        QCOMPARE(page.controller().outcome()->moved, std::size_t{0});
    }
};

QTEST_MAIN(SpaceWorkflowTest)
#include "space_workflow_test.moc"
