// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/frame/window_parts.h"

#include "ui/inspector/inspector.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/consolidate/unfinished_bar.h"
#include "ui/pages/page_info.h"
#include "ui/pages/start/start_page.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/status_line.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/workspace.h"
#include "ui/widgets/message_strip.h"
#include "ui/widgets/page_stack.h"

#include <QMainWindow>
#include <QMenuBar>
#include <QVBoxLayout>

#include <algorithm>
#include <vector>

namespace cairn::ui {
namespace {

/// The actions that the widgets show must be in the menus first.
Actions& filled(Actions& actions, QMainWindow& window) {
    actions.fill(*window.menuBar());
    for (const PageInfo* page : pageInfos()) {
        actions.addTab(page->title());
    }
    window.addActions(actions.all());
    return actions;
}

bool isTabStop(const QWidget& window, const QWidget& widget) {
    return (widget.focusPolicy() & Qt::TabFocus) == Qt::TabFocus && widget.isEnabled() &&
           widget.isVisibleTo(&window) && widget.focusProxy() == nullptr && !widget.isWindow();
}

} // namespace

WindowParts::WindowParts(QMainWindow& mainWindow, Actions& all, PageSet& set,
                         RecentFolders& recents, UnfinishedJobs& unfinished)
    : window(&mainWindow), actions(filled(all, mainWindow)), pages(set),
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

bool WindowParts::focusNext(bool next) const {
    std::vector<const QWidget*> parts{topBar, messages, unfinishedBar, start};
    const std::vector<const QWidget*> columns = workspace->columns();
    parts.insert(parts.end(), columns.begin(), columns.end());
    parts.push_back(status);
    QWidget* const now = window->focusWidget();
    std::vector<QWidget*> stops;
    for (QWidget* widget = window->nextInFocusChain(); widget != window;
         widget = widget->nextInFocusChain()) {
        if (isTabStop(*window, *widget) || widget == now) {
            stops.push_back(widget);
        }
    }
    const auto partOf = [&](const QWidget* widget) {
        return std::ranges::find_if(parts,
                                    [widget](const QWidget* part) {
                                        return part == widget || part->isAncestorOf(widget);
                                    }) -
               parts.begin();
    };
    std::ranges::stable_sort(stops, {}, partOf);
    const auto at = std::ranges::find(stops, now);
    const auto count = static_cast<std::ptrdiff_t>(stops.size());
    if (count == 0 || (count == 1 && at != stops.end())) {
        return false;
    }
    const std::ptrdiff_t from = at != stops.end() ? at - stops.begin() : (next ? -1 : count);
    const std::ptrdiff_t to = (from + (next ? 1 : -1) + count) % count;
    stops[static_cast<std::size_t>(to)]->setFocus(next ? Qt::TabFocusReason
                                                       : Qt::BacktabFocusReason);
    return true;
}

} // namespace cairn::ui
