// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/commands/navigator_actions.h"

#include "ui/navigator/navigator.h"
#include "ui/pages/space/space_page.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/file_manager.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/status_line.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QTreeView>

namespace cairn::ui {

NavigatorActions::NavigatorActions(WindowParts& parts) : m_parts(parts) {
    const Actions& actions = parts.actions;
    Navigator* navigator = parts.navigator;
    connect(actions.nextCheckpoint, &QAction::triggered, this, [navigator] { navigator->step(1); });
    connect(actions.previousCheckpoint, &QAction::triggered, this,
            [navigator] { navigator->step(-1); });
    connect(actions.newestCheckpoint, &QAction::triggered, this, [navigator] {
        navigator->view()->setCurrentIndex(
            navigator->model()->firstChoice(navigator->currentExperiment()));
    });
    connect(actions.goNavigator, &QAction::triggered, this,
            [navigator] { navigator->setFocus(Qt::ShortcutFocusReason); });
    connectSelection();
    connect(navigator->view(), &QWidget::customContextMenuRequested, this,
            &NavigatorActions::popUpMenu);
    connect(&parts, &WindowParts::changed, this, &NavigatorActions::updateActions);
}

void NavigatorActions::connectSelection() {
    const Actions& actions = m_parts.actions;
    connect(actions.openContaining, &QAction::triggered, this, [this] {
        showInFileManager(m_parts.navigator->currentPath(), *m_parts.messages, *m_parts.status);
    });
    connect(actions.copyPath, &QAction::triggered, this, [this] {
        QGuiApplication::clipboard()->setText(m_parts.selectedPath());
        m_parts.status->showMessage(tr("Path copied to the clipboard"));
    });
    connect(actions.prune, &QAction::triggered, this, [this] {
        const NavigatorModel& model = *m_parts.navigator->model();
        QTreeView* view = m_parts.navigator->view();
        if (const auto run = model.runAt(view->currentIndex())) {
            view->setCurrentIndex(model.findRun(run->path));
            m_parts.workspace->showPage(m_parts.pages.space);
        }
    });
}

void NavigatorActions::popUpMenu(const QPoint& at) {
    const Actions& actions = m_parts.actions;
    auto* menu = new QMenu(m_parts.window);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions({actions.openContaining, actions.copyPath});
    menu->addSeparator();
    menu->addActions(
        {actions.markRun, actions.clearMarks, actions.compareRuns, actions.diffPrevious});
    menu->addSeparator();
    menu->addActions({actions.consolidate, actions.average});
    menu->addMenu(actions.toolsMenu);
    menu->addSeparator();
    menu->addActions({actions.keepCheckpoints, actions.moveToWastebasket});
    menu->addSeparator();
    menu->addActions({actions.refresh, actions.closeFolder});
    menu->popup(m_parts.navigator->view()->viewport()->mapToGlobal(at));
}

void NavigatorActions::updateActions() {
    const Actions& actions = m_parts.actions;
    const Navigator& navigator = *m_parts.navigator;
    const bool working = m_parts.isWorking();
    for (QAction* action : {actions.openContaining, actions.copyPath, actions.nextCheckpoint,
                            actions.previousCheckpoint}) {
        action->setEnabled(working && !navigator.currentPath().empty());
    }
    for (QAction* action : {actions.newestCheckpoint, actions.goNavigator}) {
        action->setEnabled(working && !navigator.isEmpty());
    }
    actions.prune->setEnabled(
        working && navigator.model()->runAt(navigator.view()->currentIndex()).has_value());
}

} // namespace cairn::ui
