// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/commands/run_marking.h"

#include "ui/navigator/navigator.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/deployment.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/history/history_follower.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/status_line.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/subject/folder_opener.h"
#include "ui/shell/subject/shown_subject.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/message_strip.h"

#include <QAction>
#include <QTreeView>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

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

/// The marked runs that are A and B everywhere in the window; empty: none is. Two that were marked
/// as a group share a letter.
std::pair<std::optional<RunPlace>, std::optional<RunPlace>>
comparedOf(const NavigatorModel& model) {
    const RunMarks& marks = model.marks();
    std::vector<std::filesystem::path> listed = marks.paths();
    std::erase_if(listed, [&](const auto& run) { return !model.findRun(run).isValid(); });
    const auto placeOf = [&](auto run) {
        std::optional<RunPlace> place;
        if (run != listed.end()) {
            place = model.runAt(model.findRun(*run));
            place->mark = marks.slotOf(*run);
        }
        return place;
    };
    if (listed.size() == 2) {
        return {placeOf(listed.begin()), placeOf(listed.begin() + 1)};
    }
    const auto slotOf = [&](const auto& run) { return marks.slotOf(run); };
    return {placeOf(std::ranges::find(listed, 0, slotOf)),
            placeOf(std::ranges::find(listed, 1, slotOf))};
}

/// More than a comparison of two shows: the Runs page overlays them all.
bool isManyMarked(const Navigator& navigator) {
    return navigator.marked(3).size() > 2;
}

} // namespace

RunMarking::RunMarking(WindowParts& parts, ShownSubject& subject, FolderOpener& opener,
                       Deployment& deployment, const HistoryFollower& follower)
    : m_parts(parts), m_subject(subject), m_opener(opener), m_deployment(deployment) {
    connectMarks();
    connectComparePage();
    connectRunsPage(follower);
    connectListing();
    connect(&parts, &WindowParts::changed, this, &RunMarking::updateActions);
}

void RunMarking::connectMarks() {
    Navigator* navigator = m_parts.navigator;
    const Actions& actions = m_parts.actions;
    connect(navigator, &Navigator::marksChanged, this, [this] {
        showCompared();
        m_subject.showRun(); // its letter
        m_parts.pages.runs->setMarks(m_parts.navigator->model()->marks());
        if (isManyMarked(*m_parts.navigator) &&
            m_parts.workspace->currentPage() == m_parts.pages.compare) {
            m_parts.workspace->showPage(m_parts.pages.runs);
        }
    });
    connect(navigator, &Navigator::compareRequested, this, [this] {
        const PageSet& pages = m_parts.pages;
        if (m_parts.workspace->currentPage() != pages.runs) { // it shows the marked runs itself
            const bool many = isManyMarked(*m_parts.navigator);
            m_parts.workspace->showPage(many ? static_cast<Page*>(pages.runs) : pages.compare);
        }
    });
    connect(&m_subject, &ShownSubject::runShown, this, [this] {
        if (m_parts.navigator->model()->marks().count() == 0) {
            showCompared(); // the shown run is offered as A
        }
        m_parts.pages.compare->setSelected(m_subject.checkpointPath());
    });
    connect(m_parts.topBar, &TopBar::compareClicked, this, &RunMarking::compareChosen);
    connect(actions.compareRuns, &QAction::triggered, this, &RunMarking::compareChosen);
    connect(actions.markRun, &QAction::triggered, navigator, &Navigator::toggleMark);
    connect(actions.clearMarks, &QAction::triggered, navigator, &Navigator::clearMarks);
}

void RunMarking::connectComparePage() {
    ComparePage* page = m_parts.pages.compare;
    Navigator* navigator = m_parts.navigator;
    page->setRunSource([navigator] { return knownRuns(*navigator->model()); });
    connect(page, &ComparePage::runsChosen, this,
            [navigator](const std::optional<RunPlace>& left, const std::optional<RunPlace>& right) {
                std::vector<std::filesystem::path> marks;
                for (const std::optional<RunPlace>& side : {left, right}) {
                    if (side) {
                        marks.push_back(side->path);
                    }
                }
                navigator->setMarks(marks);
            });
    connect(page, &ComparePage::checkpointChosen, this, [navigator](const auto& checkpoint) {
        const QModelIndex index = navigator->model()->find(checkpoint);
        if (index.isValid()) {
            navigator->view()->setCurrentIndex(index);
        }
    });
    connect(page, &ComparePage::changed, m_parts.workspace, &Workspace::updateSide);
}

void RunMarking::connectRunsPage(const HistoryFollower& follower) {
    RunsPage* page = m_parts.pages.runs;
    Navigator* navigator = m_parts.navigator;
    page->setKnownHistories([&follower](const std::filesystem::path& run) {
        return follower.run() == run ? follower.history() : nullptr;
    });
    connect(page, &RunsPage::marksEdited, navigator, &Navigator::setMarked);
    connect(page, &RunsPage::runChosen, this, [this](const auto& run) {
        m_parts.workspace->keepTab();
        const QModelIndex index = m_parts.navigator->model()->findRun(run);
        if (index.isValid()) {
            m_parts.navigator->view()->setCurrentIndex(index);
        }
    });
    connect(page, &RunsPage::checkpointChosen, this, [this](const auto& checkpoint) {
        m_parts.workspace->showPage(m_parts.pages.summary);
        m_subject.goTo(checkpoint);
    });
    connect(page, &RunsPage::diffRequested, m_parts.pages.compare, &ComparePage::diffRequested);
    connect(page, &RunsPage::compareRequested, this,
            [this](const std::filesystem::path& left, const std::filesystem::path& right) {
                m_parts.navigator->setMarks({left, right});
                m_parts.workspace->showPage(m_parts.pages.compare);
            });
    connect(page, &RunsPage::averageRequested, this,
            [this](const std::vector<std::filesystem::path>& checkpoints) {
                m_deployment.average(checkpoints);
                m_subject.goTo(checkpoints.front());
                m_parts.workspace->showPage(m_parts.pages.consolidate);
            });
    connect(m_parts.actions.refresh, &QAction::triggered, page, &RunsPage::reload);
}

/// Runs that are selected, listed or known better.
void RunMarking::connectListing() {
    const Navigator* navigator = m_parts.navigator;
    connect(navigator, &Navigator::loadingChanged, this, [this, navigator] {
        if (!navigator->isLoading(navigator->currentExperiment())) {
            showCompared(); // more is known of the checkpoints, or a run was removed
        }
        showRuns();
        compareListed();
    });
    connect(navigator, &Navigator::selectionChanged, this, [this, navigator] {
        showRuns();
        const auto run = navigator->model()->runAt(navigator->view()->currentIndex());
        m_parts.pages.runs->setCurrentRun(run ? run->path : std::filesystem::path());
        compareListed();
    });
    connect(navigator, &Navigator::experimentListed, this, [this] {
        showRuns();
        compareListed();
    });
    connect(navigator, &Navigator::experimentExamined, this, &RunMarking::showRuns);
}

void RunMarking::compareWhenListed(const std::vector<std::filesystem::path>& runs) {
    std::vector<std::filesystem::path> unlisted = runs;
    std::erase_if(unlisted, [this](const auto& path) {
        return m_parts.navigator->model()->findRun(path).isValid();
    });
    m_opener.open(unlisted);
    m_toCompare = runs;
    compareListed();
}

void RunMarking::compareListed() {
    const NavigatorModel& model = *m_parts.navigator->model();
    const auto isRun = [&](const auto& path) { return model.findRun(path).isValid(); };
    if (m_toCompare.empty() || std::ranges::any_of(m_toCompare, [&](const auto& path) {
            return !isRun(path) && m_parts.navigator->isLoading(path);
        })) {
        return;
    }
    std::vector<std::filesystem::path> runs = std::exchange(m_toCompare, {});
    const auto others = std::ranges::stable_partition(runs, isRun);
    QStringList names;
    for (const std::filesystem::path& path : others) {
        names << text::fromPath(path);
    }
    runs.erase(others.begin(), others.end());
    m_parts.navigator->setMarks(runs);
    m_parts.workspace->showPages();
    const PageSet& pages = m_parts.pages;
    m_parts.workspace->showPage(runs.size() > 2 ? static_cast<Page*>(pages.runs) : pages.compare);
    if (!names.isEmpty()) {
        m_parts.messages->show({theme::Tone::Attention,
                                tr("%Ln folders are not a run and cannot be compared", nullptr,
                                   static_cast<int>(names.size())),
                                names.join(QLatin1Char('\n')),
                                {}});
    }
}

/// The two runs that are selected on the Runs page, or those that are marked: one of them with the
/// run that the cursor is on.
void RunMarking::compareChosen() {
    const Page* before = m_parts.workspace->currentPage();
    const RunsPage* page = m_parts.pages.runs;
    const auto selected =
        before == page ? page->selectedRuns() : std::vector<std::filesystem::path>();
    const Navigator& navigator = *m_parts.navigator;
    const bool areCheckpoints = before != page && navigator.selectedCheckpoints().size() == 2 &&
                                navigator.selectedRuns().size() == 1;
    const bool isOneRun = knownRuns(*navigator.model()).size() < 2;
    if (areCheckpoints || isOneRun) {
        m_parts.workspace->showPage(m_parts.pages.diff); // of checkpoints
        return;
    }
    if (selected.size() == 2) {
        m_parts.navigator->setMarks(selected);
    } else {
        m_parts.navigator->compareMarked();
    }
    if (m_parts.workspace->currentPage() == before) {
        m_parts.workspace->showPage(m_parts.pages.compare);
    }
}

/// Shows the marked runs on the Compare page.
void RunMarking::showCompared() {
    auto [left, right] = comparedOf(*m_parts.navigator->model());
    if (!left && !right) { // without marks, the shown run is most likely one of the two
        left = m_subject.run();
    }
    m_parts.pages.compare->compare(left, right);
    m_parts.pages.compare->setSelected(m_subject.checkpointPath());
}

/// The Runs page lists the runs of the selected experiment.
void RunMarking::showRuns() {
    const Navigator* navigator = m_parts.navigator;
    RunsPage* page = m_parts.pages.runs;
    const std::filesystem::path experiment = navigator->currentExperiment();
    const bool known = !navigator->isLoading(experiment);
    if (known || experiment != page->experiment()) {
        page->showExperiment(navigator->listing(experiment), known);
    }
}

void RunMarking::updateActions() {
    const Actions& actions = m_parts.actions;
    const bool working = m_parts.isWorking();
    const bool selected = working && !m_parts.navigator->currentPath().empty();
    const bool marks = !m_parts.navigator->marked(1).empty();
    actions.markRun->setEnabled(selected);
    actions.clearMarks->setEnabled(working && marks);
    const std::vector<RunPlace> runs =
        working ? knownRuns(*m_parts.navigator->model()) : std::vector<RunPlace>();
    const bool isCheckpointOfSeveral = runs.size() == 1 &&
                                       runs.front().run.checkpoints.size() > 1 &&
                                       m_subject.checkpoint() != nullptr;
    m_parts.topBar->setComparable(runs.size() > 1 || isCheckpointOfSeveral);
    actions.compareRuns->setEnabled(
        selected && (marks || m_parts.navigator->selectedRuns().size() > 1 ||
                     m_parts.workspace->currentPage() == m_parts.pages.runs)); // two of its rows
}

} // namespace cairn::ui
