// SPDX-License-Identifier: GPL-3.0-or-later
// The window's comparison of runs: keeps the marks on the left, the Compare and the Runs page in
// sync.
#include "ui/navigator/navigator.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/summary/summary_page.h"
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
    connect(m_navigator, &Navigator::compareRequested, this, [this] {
        if (m_workspace->currentPage() != m_pages.runs) {        // it shows the marked runs itself
            const bool many = m_navigator->marked(3).size() > 2; // it overlays all
            m_workspace->setCurrentTab(many ? m_workspace->tabOf(m_pages.runs)
                                            : m_workspace->tabOf(m_pages.compare));
        }
    });
    connect(m_navigator, &Navigator::loadingChanged, this, [this] {
        if (!m_navigator->isLoading(m_navigator->currentExperiment())) {
            showCompared(); // more is known of the checkpoints, or a run was removed
        }
    });
    connect(m_topBar, &TopBar::compareClicked, this, &MainWindow::compareChosen);
    connect(m_actions.compareRuns, &QAction::triggered, this, &MainWindow::compareChosen);
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
    connect(page, &ComparePage::changed, m_workspace, &Workspace::updateSide);
}

void MainWindow::connectRunsPage() {
    RunsPage* page = m_pages.runs;
    page->setKnownHistories([this](const std::filesystem::path& run) {
        return m_follower.run() == run ? m_follower.history() : nullptr;
    });
    connect(page, &RunsPage::marksEdited, m_navigator, &Navigator::setMarked);
    connect(page, &RunsPage::runChosen, this, [this](const auto& run) {
        m_workspace->keepTab();
        if (const QModelIndex index = m_navigator->model()->findRun(run); index.isValid()) {
            m_navigator->view()->setCurrentIndex(index);
        }
    });
    connect(page, &RunsPage::checkpointChosen, this, [this](const auto& checkpoint) {
        m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.summary));
        goToCheckpoint(checkpoint);
    });
    connect(page, &RunsPage::diffRequested, m_pages.compare, &ComparePage::diffRequested);
    connect(page, &RunsPage::compareRequested, this,
            [this](const std::filesystem::path& left, const std::filesystem::path& right) {
                m_navigator->setMarks({left, right});
                m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.compare));
            });
    connect(page, &RunsPage::averageRequested, this,
            [this](const std::vector<std::filesystem::path>& checkpoints) {
                m_deployment.average(checkpoints);
                goToCheckpoint(checkpoints.front());
                m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.consolidate));
            });
    connect(page, &RunsPage::clearFilterRequested, m_actions.clearFilter, &QAction::trigger);
    connect(page, &RunsPage::statusMessage, this, &MainWindow::showStatusMessage);
    connect(page, &RunsPage::changed, this, &MainWindow::updateActions);
    connect(m_actions.refresh, &QAction::triggered, page, &RunsPage::reload);
    connect(m_navigator, &Navigator::marksChanged, this, [this] {
        m_pages.runs->setMarks(m_navigator->model()->marks());
        const bool many = m_navigator->marked(3).size() > 2;
        if (many && m_workspace->currentPage() == m_pages.compare) {
            m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.runs)); // it overlays all
        }
    });
    connect(m_navigator, &Navigator::selectionChanged, this, [this] {
        showRuns();
        const QModelIndex current = m_navigator->view()->currentIndex();
        const auto run = m_navigator->model()->runAt(current);
        m_pages.runs->setCurrentRun(run ? run->path : std::filesystem::path());
    });
    connect(m_navigator, &Navigator::loadingChanged, this, &MainWindow::showRuns);
    connect(m_navigator, &Navigator::experimentListed, this, &MainWindow::showRuns);
    connect(m_navigator, &Navigator::experimentExamined, this, &MainWindow::showRuns);
}

/// The two runs that are selected on the Runs page, or those that are marked: one of them with the
/// run that the cursor is on.
void MainWindow::compareChosen() {
    const Page* before = m_workspace->currentPage();
    const auto selected = before == m_pages.runs ? m_pages.runs->selectedRuns()
                                                 : std::vector<std::filesystem::path>();
    if (selected.size() == 2) {
        m_navigator->setMarks(selected);
    } else {
        m_navigator->compareMarked();
    }
    if (m_workspace->currentPage() == before) {
        m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.compare));
    }
}

void MainWindow::showRuns() {
    const std::filesystem::path experiment = m_navigator->currentExperiment();
    const bool known = !m_navigator->isLoading(experiment);
    if (known || experiment != m_pages.runs->experiment()) {
        m_pages.runs->showExperiment(m_navigator->listing(experiment), known);
    }
}

void MainWindow::showCompared() {
    const std::vector<RunPlace> marked = m_navigator->marked(2);
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
