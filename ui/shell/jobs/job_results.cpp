// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/jobs/job_results.h"

#include "ui/navigator/navigator.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/deployment.h"
#include "ui/pages/consolidate/job_controller.h"
#include "ui/pages/consolidate/job_words.h"
#include "ui/pages/space/space_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/commands/diff_actions.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/file_manager.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/status_line.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/jobs/job_popover.h"
#include "ui/shell/subject/folder_opener.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/message_strip.h"

#include <QAction>
#include <QCoreApplication>

#include <utility>

namespace cairn::ui {
namespace {

struct UndoWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::LastChange)
};

} // namespace

LastChange::LastChange(QAction& action) : m_action(action) {
    forget();
}

void LastChange::offer(const QString& what, std::function<void()> undo) {
    m_undo = std::move(undo);
    m_action.setText(UndoWords::tr("&Undo %1").arg(what));
    m_action.setEnabled(true);
}

void LastChange::forget() {
    m_undo = nullptr;
    m_action.setText(UndoWords::tr("&Undo"));
    m_action.setEnabled(false);
}

void LastChange::undo() {
    if (m_undo) {
        std::exchange(m_undo, nullptr)();
        forget();
    }
}

JobResults::JobResults(WindowParts& parts, JobController& jobController, Deployment& deployment,
                       FolderOpener& opener, DiffActions& diffs, const JobPopover& popover)
    : m_parts(parts), m_jobController(jobController), m_deployment(deployment), m_opener(opener),
      m_diffs(diffs), m_lastChange(*parts.actions.undo) {
    connectRequests(popover);
    connectUndo();
}

/// Where the user asks for a result.
void JobResults::connectRequests(const JobPopover& popover) {
    connect(&popover, &JobPopover::checkpointRequested, this, &JobResults::open);
    connect(&popover, &JobPopover::openFolderRequested, this, &JobResults::showFolder);
    const ConsolidatePage* page = m_parts.pages.consolidate;
    connect(page, &ConsolidatePage::checkpointRequested, this, &JobResults::open);
    connect(page, &ConsolidatePage::openFolderRequested, this, &JobResults::showFolder);
    connect(page, &ConsolidatePage::compareRequested, this,
            [this](const auto& source, const auto& output) { m_diffs.compare(source, output); });
}

void JobResults::take(JobId id) {
    const auto record = m_jobController.record(id);
    if (!record || !record->report) {
        return;
    }
    const auto job = m_jobController.queue().snapshot(id);
    if (job && !record->report->stamp.empty()) {
        m_lastChange.offer(text::fromCore(job->title), [this, id] { undoJob(id); });
    }
    m_parts.navigator->refresh(); // lists the new checkpoint
    m_deployment.replan();
}

void JobResults::connectUndo() {
    connect(m_parts.actions.undo, &QAction::triggered, this, [this] { m_lastChange.undo(); });
    connect(&m_jobController, &JobController::undone, this, [this](JobId, const auto& movedTo) {
        if (movedTo) {
            m_lastChange.forget();
            m_parts.status->showMessage(
                tr("Moved to the wastebasket: %1").arg(text::fromPath(*movedTo)));
            m_parts.navigator->refresh(); // no longer lists it
            m_deployment.replan();
        }
    });
    connect(&m_parts.pages.space->controller(), &RetentionController::reported, this,
            [this](const RetentionController::Report& report) {
                if (report.isUndo || report.count == 0) {
                    m_lastChange.forget();
                    return;
                }
                const auto count = static_cast<int>(report.count);
                m_lastChange.offer(tr("Move of %Ln Checkpoints", nullptr, count), [this] {
                    m_parts.workspace->showPage(m_parts.pages.space);
                    m_parts.pages.space->controller().undo();
                });
            });
}

void JobResults::undoJob(JobId id) {
    m_parts.workspace->showPage(m_parts.pages.consolidate); // says how it went
    if (!m_jobController.undo(id)) {
        const text::ErrorWords words = outputInUseWords(m_jobController.record(id).get());
        m_parts.messages->show({theme::Tone::Attention, words.title, words.detail, {}});
    }
}

void JobResults::open(const std::filesystem::path& output) {
    m_opener.show(output);
    m_parts.workspace->showPage(m_parts.pages.summary);
}

void JobResults::showFolder(const std::filesystem::path& path) {
    showInFileManager(path, *m_parts.messages, *m_parts.status);
}

} // namespace cairn::ui
