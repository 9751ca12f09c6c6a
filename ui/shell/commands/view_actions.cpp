// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/commands/view_actions.h"

#include "ui/navigator/navigator.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/status_line.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/subject/shown_subject.h"

#include <QAction>
#include <QSignalBlocker>
#include <QTreeView>

namespace cairn::ui {

ViewActions::ViewActions(WindowParts& parts, const ShownSubject& subject)
    : m_parts(parts), m_subject(subject) {
    const Actions& actions = parts.actions;
    for (int i = 0; i < actions.tabs.size(); ++i) {
        connect(actions.tabs[i], &QAction::triggered, this, [this, i] {
            m_parts.workspace->setCurrentTab(i);
            m_parts.actions.tabs[i]->setChecked(true);
        });
    }
    connectColumns();
    connect(actions.expandAll, &QAction::triggered, this, [this] { focusedTree()->expandAll(); });
    connect(actions.collapseAll, &QAction::triggered, this,
            [this] { focusedTree()->collapseAll(); });
    connect(actions.copy, &QAction::triggered, this, [this] { copy(Page::CopyAs::Rows); });
    connect(actions.copyPython, &QAction::triggered, this, [this] { copy(Page::CopyAs::Python); });
    connect(&parts, &WindowParts::changed, this, &ViewActions::updateActions);
}

void ViewActions::connectColumns() {
    const Actions& actions = m_parts.actions;
    Workspace* workspace = m_parts.workspace;
    connect(actions.inspector, &QAction::toggled, workspace, &Workspace::setInspectorVisible);
    connect(workspace, &Workspace::inspectorShownChanged, this, [this](bool shown) {
        QAction* action = m_parts.actions.inspector;
        const QSignalBlocker quiet(action); // what the user wants stays as it is
        action->setChecked(shown);
    });
    connect(actions.navigator, &QAction::toggled, workspace, &Workspace::setNavigatorVisible);
    connect(actions.goPage, &QAction::triggered, workspace, &Workspace::focusPage);
}

void ViewActions::copy(Page::CopyAs what) {
    if (m_parts.navigator->view()->hasFocus()) {
        m_parts.actions.copyPath->trigger();
    } else if (m_parts.workspace->currentPage()->copySelection(what)) {
        m_parts.status->showMessage(what == Page::CopyAs::Python
                                        ? tr("Python code copied to the clipboard")
                                        : tr("Copied"));
    }
}

/// The one with the focus, else the navigator's.
QTreeView* ViewActions::focusedTree() const {
    auto* tree = qobject_cast<QTreeView*>(m_parts.window->focusWidget());
    return tree != nullptr && m_parts.window->isAncestorOf(tree) ? tree : m_parts.navigator->view();
}

void ViewActions::updateActions() {
    const Actions& actions = m_parts.actions;
    const bool working = m_parts.isWorking();
    for (QAction* action : {actions.refresh, actions.expandAll, actions.collapseAll}) {
        action->setEnabled(working && !m_parts.navigator->isEmpty());
    }
    for (QAction* action : {actions.copy, actions.copyPython, actions.goPage}) {
        action->setEnabled(working && !m_subject.path().empty());
    }
    for (int i = 0; i < actions.tabs.size(); ++i) {
        actions.tabs[i]->setEnabled(working && m_parts.workspace->isTabEnabled(i));
        actions.tabs[i]->setChecked(m_parts.workspace->currentTab() == i);
    }
}

} // namespace cairn::ui
