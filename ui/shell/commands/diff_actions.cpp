// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/commands/diff_actions.h"

#include "core/runs/run_counts.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/status_line.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/subject/folder_opener.h"
#include "ui/shell/subject/shown_subject.h"

#include <QAction>

namespace cairn::ui {
namespace {

/// The last checkpoint before `path` of which nothing is known to be missing.
std::optional<std::filesystem::path> completeBefore(const ScannedRun& run,
                                                    const std::filesystem::path& path) {
    std::optional<std::filesystem::path> before;
    const RunSaves saves(run);
    for (const ScannedCheckpoint& checkpoint : run.checkpoints) {
        if (checkpoint.path == path) {
            return before;
        }
        if (saves.has(checkpoint) && checkpoint.mayBeComplete()) {
            before = checkpoint.path;
        }
    }
    return std::nullopt;
}

} // namespace

DiffActions::DiffActions(WindowParts& parts, ShownSubject& subject, FolderOpener& opener)
    : m_parts(parts), m_subject(subject), m_opener(opener) {
    const Actions& actions = parts.actions;
    connect(actions.nextDifference, &QAction::triggered, this, [this] { goToDifference(true); });
    connect(actions.previousDifference, &QAction::triggered, this,
            [this] { goToDifference(false); });
    connect(actions.diffPrevious, &QAction::triggered, this, &DiffActions::compareWithPrevious);
    connect(parts.pages.compare, &ComparePage::diffRequested, this,
            [this](const std::filesystem::path& left, const std::filesystem::path& right) {
                m_parts.pages.diff->compare(left, right);
                m_subject.goTo(left);
                m_parts.workspace->showPage(m_parts.pages.diff);
            });
    connect(parts.navigator, &Navigator::selectionChanged, this, &DiffActions::compareSelected);
    connect(parts.workspace, &Workspace::tabChanged, this, &DiffActions::compareSelected);
    connect(&parts, &WindowParts::changed, this, &DiffActions::updateActions);
}

void DiffActions::compare(const std::filesystem::path& left, const std::filesystem::path& right) {
    m_parts.pages.diff->compare(left, right);
    m_opener.show(left); // may open its folder, which begins at the summary
    m_parts.workspace->showPage(m_parts.pages.diff);
}

void DiffActions::compareWithPrevious() {
    const std::optional<RunPlace> run = m_subject.run();
    const auto before = run ? completeBefore(run->run, m_subject.checkpointPath()) : std::nullopt;
    m_parts.workspace->showPage(m_parts.pages.diff);
    if (before) {
        m_parts.pages.diff->compareWith(*before);
    } else {
        m_parts.status->showMessage(tr("This run has no earlier complete checkpoint"));
    }
}

/// The two checkpoints that are selected, while the page is shown: the earlier one is A.
void DiffActions::compareSelected() {
    const ScannedCheckpoint* current = m_parts.navigator->current();
    const auto selected = m_parts.navigator->selectedCheckpoints();
    const bool isShown = m_parts.workspace->currentPage() == m_parts.pages.diff;
    if (!isShown || current == nullptr || selected.size() != 2) {
        return;
    }
    m_parts.pages.diff->compare(selected.front(), selected.back());
}

void DiffActions::goToDifference(bool forward) {
    m_parts.workspace->showPage(m_parts.pages.diff);
    m_parts.pages.diff->goToDifference(forward);
}

void DiffActions::updateActions() {
    const Actions& actions = m_parts.actions;
    for (QAction* action :
         {actions.diffPrevious, actions.nextDifference, actions.previousDifference}) {
        action->setEnabled(m_subject.isCheckpointVisible());
    }
}

} // namespace cairn::ui
