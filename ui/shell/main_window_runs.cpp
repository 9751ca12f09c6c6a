// SPDX-License-Identifier: GPL-3.0-or-later
// The window's runs: the history of the shown one, and the comparison of two.
#include "ui/navigator/navigator.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/workspace.h"

#include <QAction>
#include <QTreeView>

namespace cairn::ui {

void MainWindow::connectHistory() {
    const auto choose = [this](const std::filesystem::path& checkpoint) {
        const QModelIndex index = m_navigator->model()->find(checkpoint);
        if (index.isValid()) {
            m_navigator->view()->setCurrentIndex(index);
        }
    };
    connect(m_pages.history, &HistoryPage::checkpointChosen, this, choose);
    connect(m_pages.history, &HistoryPage::filterUnwanted, m_actions.clearFilter,
            &QAction::trigger);
    connect(m_pages.history, &HistoryPage::told, this, &MainWindow::tell);
    connect(m_pages.summary, &SummaryPage::checkpointChosen, this, choose);
    connect(m_pages.summary, &SummaryPage::historyRequested, this,
            [this] { m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.history)); });
    connect(m_actions.refresh, &QAction::triggered, &m_follower, &HistoryFollower::reload);
    connect(m_navigator, &Navigator::loadingChanged, this, [this] {
        if (!m_navigator->isLoading()) {
            showRun(); // steps and states are known now
        }
    });
}

void MainWindow::showRun() {
    if (m_shown.empty()) {
        return;
    }
    const NavigatorModel& model = *m_navigator->model();
    std::optional<RunPlace> place = model.runAt(model.find(m_shown));
    if (!place) { // not listed any more
        place = RunPlace{m_shown.parent_path(), m_shown.parent_path(), {}, {}};
    }
    m_pages.history->showRun(*place, m_shown);
    m_pages.summary->showRun(*place, m_shown);
    m_follower.follow(place->path, place->root);
}

} // namespace cairn::ui
