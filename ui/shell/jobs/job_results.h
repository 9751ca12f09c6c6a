// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/queue/job_queue.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <functional>

class QAction;

namespace cairn::ui {

class Deployment;
class DiffActions;
class FolderOpener;
class JobController;
class JobPopover;
class WindowParts;

/// Edit > Undo: the last change of files on the disk that can be taken back. The action names it
/// and is disabled while there is none. GUI thread.
class LastChange {
public:
    /// The action outlives this.
    explicit LastChange(QAction& action);

    /// `what`: "Move of 3 Checkpoints"; `undo` starts to take it back, and says how that went.
    void offer(const QString& what, std::function<void()> undo);
    /// It was taken back, or cannot be any more.
    void forget();
    void undo();

private:
    QAction& m_action;
    std::function<void()> m_undo;
};

/// What jobs have written: the window lists it, shows it on request, and takes it back (Edit >
/// Undo), as it does a move to the wastebasket.
class JobResults : public QObject {
    Q_OBJECT

public:
    /// All of them outlive this.
    JobResults(WindowParts& parts, JobController& jobController, Deployment& deployment,
               FolderOpener& opener, DiffActions& diffs, const JobPopover& popover);

    /// A job has ended.
    void take(JobId id);
    /// Something else was changed, which Edit > Undo takes back.
    void offerUndo(const QString& what, std::function<void()> undo) {
        m_lastChange.offer(what, std::move(undo));
    }

private:
    void connectRequests(const JobPopover& popover);
    void connectUndo();
    void undoJob(JobId id);
    void open(const std::filesystem::path& output);
    void showFolder(const std::filesystem::path& path);

    WindowParts& m_parts;
    JobController& m_jobController;
    Deployment& m_deployment;
    FolderOpener& m_opener;
    DiffActions& m_diffs;
    LastChange m_lastChange;
};

} // namespace cairn::ui
