// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window_parts.h"

#include "ui/inspector/inspector.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/consolidate/unfinished_bar.h"
#include "ui/pages/start/start_page.h"
#include "ui/shell/actions.h"
#include "ui/shell/page_set.h"
#include "ui/shell/status_line.h"
#include "ui/shell/top_bar.h"
#include "ui/shell/workspace.h"
#include "ui/widgets/message_strip.h"
#include "ui/widgets/page_stack.h"

#include <QMainWindow>
#include <QMenuBar>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {

/// The actions that the widgets show must be in the menus first.
Actions& filled(Actions& actions, const PageSet& pages, QMainWindow& window) {
    actions.fill(*window.menuBar());
    for (const Page* page : pages.all) {
        actions.addTab(page->title());
    }
    window.addActions(actions.all());
    return actions;
}

} // namespace

WindowParts::WindowParts(QMainWindow& mainWindow, Actions& all, PageSet& set,
                         RecentFolders& recents, UnfinishedJobs& unfinished)
    : window(&mainWindow), actions(filled(all, set, mainWindow)), pages(set),
      topBar(new TopBar(actions)), messages(new MessageStrip),
      unfinishedBar(new UnfinishedBar(unfinished)),
      start(new StartPage(actions.openFolder, actions.openSample, recents)),
      navigator(new Navigator), workspace(new Workspace(navigator, pages.all, pages.inspector)),
      status(new StatusLine), m_stack(new PageStack) {
    auto* body = new QWidget;
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    messages->hide();
    messages->setContentsMargins(theme::kGrid + 4, theme::kGrid, theme::kGrid + 4, theme::kGrid);
    m_stack->addWidget(start);
    m_stack->addWidget(workspace);
    layout->addWidget(topBar);
    layout->addWidget(messages);
    layout->addWidget(unfinishedBar);
    layout->addWidget(m_stack, 1);
    layout->addWidget(status);
    mainWindow.setCentralWidget(body);
}

bool WindowParts::isWorking() const {
    return m_stack->currentWidget() == workspace;
}

void WindowParts::showWorkspace() const {
    m_stack->setCurrentWidget(workspace);
}

void WindowParts::showStart() const {
    m_stack->setCurrentWidget(start);
}

QString WindowParts::selectedPath() const {
    return QString::fromLocal8Bit(navigator->currentPath().c_str());
}

} // namespace cairn::ui
