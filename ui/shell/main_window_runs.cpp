// SPDX-License-Identifier: GPL-3.0-or-later
// The window's runs: the history of the shown one, and the comparison of two.
#include "ui/inspector/inspector.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/space/space_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/subject_facts.h"
#include "ui/shell/workspace.h"
#include "ui/text/plain_text.h"

#include <QAction>
#include <QTreeView>

namespace cairn::ui {
namespace {

/// The last checkpoint before `path` of which nothing is known to be missing.
std::optional<std::filesystem::path> completeBefore(const ScannedRun& run,
                                                    const std::filesystem::path& path) {
    std::optional<std::filesystem::path> before;
    for (const ScannedCheckpoint& checkpoint : run.checkpoints) {
        if (checkpoint.path == path) {
            return before;
        }
        if (!checkpoint.isLink() && checkpoint.mayBeComplete()) {
            before = checkpoint.path;
        }
    }
    return std::nullopt;
}

} // namespace

void MainWindow::connectHistory() {
    connect(m_pages.history, &HistoryPage::checkpointChosen, this, &MainWindow::goToCheckpoint);
    connect(m_pages.history, &HistoryPage::clearFilterRequested, m_actions.clearFilter,
            &QAction::trigger);
    connect(m_pages.history, &HistoryPage::statusMessage, this, &MainWindow::showStatusMessage);
    connect(m_pages.inspector, &Inspector::overRunRequested, this,
            [this](const QString& name, bool group) {
                m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.history));
                m_pages.history->showWeights(name, group);
            });
    connect(m_pages.summary, &SummaryPage::checkpointChosen, this, &MainWindow::goToCheckpoint);
    connect(m_pages.space, &SpacePage::checkpointChosen, this, &MainWindow::goToCheckpoint);
    connect(m_pages.space, &SpacePage::sideChanged, m_workspace, &Workspace::updateSide);
    for (const auto known : {&Navigator::experimentListed, &Navigator::experimentExamined}) {
        connect(m_navigator, known, this, [this](const Experiment& experiment) {
            m_pages.space->updateExperiment(m_navigator->listing(experiment.path));
        });
    }
    connect(m_pages.summary, &SummaryPage::historyRequested, this,
            [this] { m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.history)); });
    connect(m_actions.refresh, &QAction::triggered, &m_follower, &HistoryFollower::reload);
    connect(m_navigator, &Navigator::loadingChanged, this, [this] {
        if (!m_navigator->isLoading(m_navigator->currentExperiment())) {
            showRun(); // steps and states are known now
        }
    });
}

void MainWindow::connectDiff() {
    connect(m_actions.nextDifference, &QAction::triggered, this, [this] { goToDifference(true); });
    connect(m_actions.previousDifference, &QAction::triggered, this,
            [this] { goToDifference(false); });
    connect(m_actions.diffPrevious, &QAction::triggered, this, [this] {
        const NavigatorModel& model = *m_navigator->model();
        const auto run = model.runAt(model.find(m_shown));
        const auto before = run ? completeBefore(run->run, m_shown) : std::nullopt;
        m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.diff));
        if (before) {
            m_pages.diff->compareWith(*before);
        } else {
            showStatusMessage(tr("This run has no earlier complete checkpoint"));
        }
    });
    connect(m_pages.compare, &ComparePage::diffRequested, this,
            [this](const std::filesystem::path& left, const std::filesystem::path& right) {
                m_pages.diff->compare(left, right);
                goToCheckpoint(left);
                m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.diff));
            });
    connect(m_actions.markRun, &QAction::triggered, m_navigator, &Navigator::toggleMark);
    connect(m_actions.clearMarks, &QAction::triggered, m_navigator, &Navigator::clearMarks);
    connect(m_navigator, &Navigator::marksChanged, this, &MainWindow::updateActions);
}

void MainWindow::goToCheckpoint(const std::filesystem::path& checkpoint) {
    const QModelIndex index = m_navigator->model()->find(checkpoint);
    if (index.isValid()) {
        m_navigator->view()->setCurrentIndex(index);
    } else { // its experiment was closed meanwhile
        choose(checkpoint);
    }
}

void MainWindow::goToDifference(bool forward) {
    m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.diff));
    m_pages.diff->goToDifference(forward);
}

void MainWindow::leaveCheckpoint() {
    m_slow.stop();
    m_opener.cancel();
    m_checkpoint.reset();
    m_shown.clear();
    m_chosen.clear();
    m_deployment.clear();
    updateTitle();
}

void MainWindow::chooseRun(const RunPlace& run) {
    leaveCheckpoint();
    m_chosen = run.path;
    m_workspace->showSubject(Page::Subject::Run, m_pages.summary);
    m_pages.space->showRun(run);
    showRun();
    remember();
    updateActions();
}

void MainWindow::chooseExperiment(const Experiment& experiment) {
    leaveCheckpoint();
    m_chosen = experiment.path;
    m_workspace->showSubject(Page::Subject::Experiment, m_pages.runs);
    m_pages.space->showExperiment(m_navigator->listing(experiment.path));
    m_pages.inspector->showFacts(text::fromCore(experiment.name),
                                 text::fromPath(experiment.path.parent_path()),
                                 experimentFacts(experiment), listingProblems(experiment));
    remember();
    updateActions();
}

void MainWindow::showRun() {
    const NavigatorModel& model = *m_navigator->model();
    std::optional<RunPlace> place =
        model.runAt(m_shown.empty() ? model.findRun(m_chosen) : model.find(m_shown));
    if (m_shown.empty() && !place) {
        return;
    }
    if (!place) { // not listed any more
        place = RunPlace{m_shown.parent_path(), m_shown.parent_path(), {}, {}};
    }
    place->mark = model.marks().slotOf(place->path);
    m_pages.history->showRun(*place, m_shown);
    if (m_shown.empty()) {
        m_pages.summary->showRun(*place);
        m_pages.inspector->showFacts(place->name, text::fromPath(place->path.parent_path()),
                                     runFacts(*place), {});
    } else {
        m_pages.summary->showRun(*place, m_shown);
    }
    m_pages.diff->showRun(place->run);
    m_follower.follow(place->path, place->root);
    m_follower.setCheckpoints(place->run);
    if (model.marks().count() == 0) {
        showCompared(); // the shown run is offered as A
    }
    m_pages.compare->setSelected(m_shown);
}

} // namespace cairn::ui
