// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/consolidate/deployment.h"
#include "ui/pages/consolidate/job_controller.h"
#include "ui/pages/consolidate/jobs_watcher.h"
#include "ui/pages/consolidate/unfinished_jobs.h"
#include "ui/pages/history/history_follower.h"
#include "ui/pages/start/recent_folders.h"
#include "ui/services.h"
#include "ui/shell/close_guard.h"
#include "ui/shell/commands/checkpoint_keeping.h"
#include "ui/shell/commands/diff_actions.h"
#include "ui/shell/commands/filter_control.h"
#include "ui/shell/commands/header_editing.h"
#include "ui/shell/commands/navigator_actions.h"
#include "ui/shell/commands/report_actions.h"
#include "ui/shell/commands/run_marking.h"
#include "ui/shell/commands/shard_locating.h"
#include "ui/shell/commands/tool_actions.h"
#include "ui/shell/commands/view_actions.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/help/help_actions.h"
#include "ui/shell/jobs/job_actions.h"
#include "ui/shell/jobs/job_notices.h"
#include "ui/shell/jobs/job_results.h"
#include "ui/shell/jobs/job_starter.h"
#include "ui/shell/palette_content.h"
#include "ui/shell/preferences/preferences_control.h"
#include "ui/shell/read_failures.h"
#include "ui/shell/session/session_restore.h"
#include "ui/shell/subject/folder_opener.h"
#include "ui/shell/subject/opening.h"
#include "ui/shell/subject/shown_subject.h"
#include "ui/shell/subject/visited_places.h"

#include <QMainWindow>

#include <filesystem>
#include <memory>
#include <vector>

namespace cairn::ui {

class SessionKeeper;

/// The window: makes its parts and the objects with its tasks, in the order in which they hear of
/// changes, and connects what concerns several of them. Every task is in an object.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// `services` and `settings` outlive the window.
    MainWindow(Services& services, QSettings& settings);
    ~MainWindow() override;

    /// Shows what the program was started for. Does nothing if that is nothing: see resume().
    void open(const Opening& opening);
    /// Lists folders, runs and checkpoints; the last one's newest checkpoint is shown.
    void openPaths(const std::vector<std::filesystem::path>& paths) { m_opener.open(paths); }
    /// No path was given: restores the folders and the selection of the last session, or offers the
    /// current folder.
    void resume(const std::filesystem::path& startedIn);
    /// Opened folders and the window's state are not saved from now on.
    void stopSavingSession();
    /// Offers to resume the jobs that ended with their process.
    void offerUnfinished() { m_unfinished.refresh(); }
    /// A later start of the program, or a click on a notification: comes to the front, also while
    /// the hidden window finishes its jobs, and opens this.
    void summon(const Opening& opening);

    /// Nothing is being listed, opened or planned.
    bool isSettled() const;
    const CheckpointPtr& checkpoint() const { return m_subject.checkpoint(); }
    Workspace* workspace() const { return m_parts.workspace; }
    Navigator* navigator() const { return m_parts.navigator; }
    TopBar* topBar() const { return m_parts.topBar; }
    MessageStrip* messages() const { return m_parts.messages; }
    StatusLine* statusLine() const { return m_parts.status; }
    UnfinishedBar* unfinishedBar() const { return m_parts.unfinishedBar; }
    Deployment& deployment() { return m_deployment; }
    JobsWatcher& jobs() { return m_jobs; }
    JobController& jobController() { return m_jobController; }
    UnfinishedJobs& unfinished() { return m_unfinished; }
    HistoryFollower& follower() { return m_follower; }
    PageSet& pages() { return m_pages; }
    Actions& actions() { return m_actions; }
    SessionKeeper& session() { return *m_session; }
    JobPopover* jobPopover() const { return m_jobActions.popover(); }
    JobNotices& jobNotices() { return m_notices; }
    CloseGuard& closeGuard() { return m_closing; }
    PreferencesDialog* preferencesDialog() const { return m_preferences.dialog(); }
    ShortcutSet& shortcuts() { return m_preferences.shortcuts(); }
    Preferences& preferences() { return m_preferences.preferences(); }
    Manual* manual() const { return m_help.manual(); }
    CommandPalette* commandPalette() const { return m_palette.palette(); }

protected:
    bool focusNextPrevChild(bool next) override;
    bool event(QEvent* event) override; ///< tips of actions appear in the status line
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void connectParts();
    void connectPages();
    void remember();
    void updateStatus();
    void endJob(JobId id);

    Services& m_services;
    Actions m_actions;
    RecentFolders m_recents;
    JobController m_jobController;
    Deployment m_deployment;
    JobsWatcher m_jobs;
    UnfinishedJobs m_unfinished;
    HistoryFollower m_follower; ///< of the run that the shown checkpoint belongs to
    PageSet m_pages;
    WindowParts m_parts;

    ShownSubject m_subject;
    VisitedPlaces m_visits;
    FolderOpener m_opener;
    FilterControl m_filter;
    ViewActions m_view;
    NavigatorActions m_navigation;
    CheckpointKeeping m_keeping;
    ReportActions m_reports;
    ShardLocating m_locating;
    JobActions m_jobActions;
    JobStarter m_starter;
    RunMarking m_marking;
    DiffActions m_diffs;
    HeaderEditing m_editing;
    ToolActions m_tools;
    JobResults m_results;
    JobNotices m_notices;
    CloseGuard m_closing;
    PreferencesControl m_preferences;
    PaletteContent m_palette;
    HelpActions m_help;
    SessionRestore m_restore;
    ReadFailures m_failures;
    std::unique_ptr<SessionKeeper> m_session; ///< last: saves what the others show
};

} // namespace cairn::ui
