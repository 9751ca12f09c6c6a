// SPDX-License-Identifier: GPL-3.0-or-later
// The window's comparison of two runs: keeps the marks on the left and the Compare page in sync.
#include "ui/navigator/navigator.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/top_bar.h"
#include "ui/shell/workspace.h"

#include <QAction>
#include <QTreeView>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr std::size_t kMaxRuns = 200; ///< that are offered

/// Runs of the opened experiments, in the order of the rows.
std::vector<RunPlace> knownRuns(const NavigatorModel& model) {
    std::vector<RunPlace> runs;
    const auto add = [&](const QModelIndex& index) {
        std::optional<RunPlace> run = model.runAt(index);
        const bool isNew = run && std::ranges::find(runs, run->path, &RunPlace::path) == runs.end();
        if (isNew) {
            runs.push_back(std::move(*run));
        }
        return run.has_value();
    };
    for (int row = 0; row < model.rowCount(); ++row) {
        const QModelIndex root = model.index(row, 0);
        if (add(root)) {
            continue; // it is one run itself
        }
        for (int child = 0; child < model.rowCount(root) && runs.size() < kMaxRuns; ++child) {
            add(model.index(child, 0, root));
        }
    }
    return runs;
}

} // namespace

void MainWindow::connectCompare() {
    ComparePage* page = m_pages.compare;
    page->setRunSource([this] { return knownRuns(*m_navigator->model()); });
    connect(m_navigator, &Navigator::marksChanged, this, [this] {
        showCompared();
        showRun(); // its letter
    });
    connect(m_navigator, &Navigator::compareRequested, this,
            [this] { m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.compare)); });
    connect(m_navigator, &Navigator::loadingChanged, this, [this] {
        if (!m_navigator->isLoading()) {
            showCompared(); // more is known of the checkpoints, or a run was removed
        }
    });
    connect(m_topBar, &TopBar::compareClicked, this, [this] {
        m_navigator->compareMarked(); // with the run that the cursor is on, if one is marked
        m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.compare));
    });
    connect(page, &ComparePage::runsChosen, this,
            [this](const std::optional<RunPlace>& left, const std::optional<RunPlace>& right) {
                std::vector<std::filesystem::path> marks;
                for (const std::optional<RunPlace>& side : {left, right}) {
                    if (side) {
                        marks.push_back(side->path);
                    }
                }
                m_navigator->setMarks(marks);
            });
    connect(page, &ComparePage::checkpointChosen, this, [this](const auto& checkpoint) {
        const QModelIndex index = m_navigator->model()->find(checkpoint);
        if (index.isValid()) {
            m_navigator->view()->setCurrentIndex(index);
        }
    });
    connect(page, &ComparePage::clearFilterRequested, m_actions.clearFilter, &QAction::trigger);
    connect(page, &ComparePage::statusMessage, this, &MainWindow::showStatusMessage);
    connect(page, &ComparePage::changed, this, &MainWindow::updateActions);
}

void MainWindow::showCompared() {
    const std::vector<RunPlace> marked = m_navigator->marked();
    std::optional<RunPlace> left;
    std::optional<RunPlace> right;
    if (!marked.empty()) {
        left = marked.front();
    } else { // the shown run is most likely one of the two
        const NavigatorModel& model = *m_navigator->model();
        left = model.runAt(m_shown.empty() ? model.findRun(m_chosen) : model.find(m_shown));
    }
    if (marked.size() > 1) {
        right = marked[1];
    }
    m_pages.compare->compare(left, right);
    m_pages.compare->setSelected(m_shown);
}

} // namespace cairn::ui
