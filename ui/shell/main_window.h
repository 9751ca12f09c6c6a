// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"
#include "ui/bridge/async_runner.h"
#include "ui/pages/consolidate/deployment.h"
#include "ui/pages/consolidate/job_controller.h"
#include "ui/pages/consolidate/jobs_watcher.h"
#include "ui/pages/consolidate/unfinished_jobs.h"
#include "ui/pages/history/history_follower.h"
#include "ui/pages/history/run_place.h"
#include "ui/pages/summary/checkpoint_tools.h"
#include "ui/shell/actions.h"
#include "ui/shell/checkpoint_opener.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/desktop_notice.h"
#include "ui/shell/last_change.h"
#include "ui/shell/manual.h"
#include "ui/shell/opening.h"
#include "ui/shell/page_set.h"
#include "ui/shell/preferences_dialog.h"
#include "ui/shell/recent_folders.h"
#include "ui/shell/services.h"
#include "ui/shell/shortcut_set.h"
#include "ui/shell/visit_history.h"
#include "ui/text/error_text.h"

#include <QFileDialog>
#include <QMainWindow>
#include <QPointer>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <vector>

class QStackedWidget;
class QTreeView;

namespace cairn::ui {

class JobPopover;
class MessageStrip;
struct Message;
class Navigator;
class PathBar;
class StartPage;
class SearchField;
class SessionKeeper;
class StatusLine;
class TopBar;
class UnfinishedBar;
class Workspace;

/// The window: joins navigator, pages, inspector, jobs and messages. Wiring only; every part does
/// its own work.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// `services` and `settings` outlive the window.
    MainWindow(Services& services, QSettings& settings);
    ~MainWindow() override;

    /// Shows what the program was started for. Does nothing if that is nothing: see resume().
    void open(const Opening& opening);
    /// Lists folders, runs and checkpoints; the last one's newest checkpoint is shown.
    void openPaths(const std::vector<std::filesystem::path>& paths);
    void openSample();
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
    const CheckpointPtr& checkpoint() const { return m_checkpoint; }
    Workspace* workspace() const { return m_workspace; }
    Navigator* navigator() const { return m_navigator; }
    TopBar* topBar() const { return m_topBar; }
    MessageStrip* messages() const { return m_messages; }
    StatusLine* statusLine() const { return m_status; }
    Deployment& deployment() { return m_deployment; }
    JobsWatcher& jobs() { return m_jobs; }
    JobController& jobController() { return m_jobController; }
    UnfinishedJobs& unfinished() { return m_unfinished; }
    UnfinishedBar* unfinishedBar() const { return m_unfinishedBar; }
    HistoryFollower& follower() { return m_follower; }
    PageSet& pages() { return m_pages; }
    Actions& actions() { return m_actions; }
    SessionKeeper& session() { return *m_session; }
    JobPopover* jobPopover() const { return m_jobPopover; }
    PreferencesDialog* preferencesDialog() const { return m_preferencesDialog; }
    ShortcutSet& shortcuts() { return *m_shortcuts; }
    Preferences& preferences() { return *m_preferences; }
    Manual* manual() const { return m_manual; }
    CommandPalette* commandPalette() const { return m_palette; }

    /// KeepAndQuit: written data stays, and the next start offers to resume. FinishThenQuit: the
    /// window is hidden until the jobs have ended or it is summoned.
    enum class Leave { KeepAndQuit, FinishThenQuit, Stay };
    // Replaceable in tests.
    /// Asks what to do with running jobs when the window closes.
    std::function<Leave(int active)> askAboutJobs;
    /// Sends a desktop notification; see DesktopNotices.
    std::function<void(const QString& title, const QString& body)> notify;
    double notifyAfterSeconds = 10; ///< a shorter job needs no notification

protected:
    bool focusNextPrevChild(bool next) override;
    bool event(QEvent* event) override; ///< tips of actions appear in the status line
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildLayout();
    void connectParts();
    void connectFileActions();
    void connectFilterAnswers(SearchField& field);
    void connectViewActions();
    void connectRunActions();
    void connectHistory();
    void connectCompare();
    void compareChosen();
    void connectRunsPage();
    void connectOpening();
    void compareOpened(); ///< the runs of m_toCompare, as soon as all are listed
    void connectDiff();
    void connectEdit();
    void connectTools();
    void connectUndo();
    void undoJob(JobId id);
    void packInto();
    void connectPalette();
    void connectPreferences(QSettings& settings);
    void applyPreferences(const Preferences::Values& before);
    void showAgain();
    void showPreference(PreferencesDialog::Item item);
    std::vector<PaletteEntry> findPreferences(const QStringList& words);
    void showManual();
    void reportProblem();
    void runTool(CheckpointTool tool, const std::filesystem::path& other);
    void verifyAgainst(QFileDialog::FileMode mode); ///< asks for the other checkpoint
    void goToCheckpoint(const std::filesystem::path& checkpoint);
    void goToDifference(bool forward);
    void fillRecentMenu();
    void updateActions();

    void choose(const std::filesystem::path& checkpoint);
    void chooseRole(const std::filesystem::path& checkpoint, const QString& filter);
    void chooseRun(const RunPlace& run);
    void chooseExperiment(const Experiment& experiment);
    void leaveCheckpoint(); ///< nothing, a run or an experiment is shown
    void showOpened(const std::filesystem::path& path, const CheckpointPtr& checkpoint,
                    const CheckpointSumsPtr& sums);
    void showOpenFailure(const std::filesystem::path& path, const Error& error);
    void showListFailure(const std::filesystem::path& path, const Error& error);
    /// The pages of a run follow the selected one, or that of the shown checkpoint.
    void showRun();
    /// Shows the marked runs on the Compare page.
    void showCompared();
    /// The Runs page lists the runs of the selected experiment.
    void showRuns();
    void goTo(const VisitHistory::Place& place);
    void remember();
    void updateTitle();
    void showUnresponsiveFolders();
    void consolidate(bool evenIfWarned);
    void pickFolder();
    void pickFiles();
    void pickOutput();
    void jobEnded(JobId id);
    QString headerEditObstacle() const;
    void updateEditAction(bool working);
    void editHeader(const std::filesystem::path& file);
    void offerRecovery(const Error& error, const std::filesystem::path& path, Message& message);
    void reload(const std::filesystem::path& file, const QString& what, const QString& remark);
    void notifyJobEnded(const JobSnapshot& job);
    void announceJob(JobId id, const QString& what); ///< to screen readers
    void connectJobActions();
    void connectJobResults();
    void updateJobs();
    void updateJobChip();
    void showJob(JobId id);
    void compareWithSource(const std::filesystem::path& source,
                           const std::filesystem::path& output);
    void openOutput(const std::filesystem::path& output);
    void openFolderOf(const std::filesystem::path& path);
    QString startText(bool shown) const;
    static text::ErrorWords notRestoredWords(const std::vector<std::filesystem::path>& folders);
    bool mayClose();
    void showStatusMessage(const QString& line); ///< shown for a few seconds
    QString selectedPath() const;
    QTreeView* focusedTree() const; ///< the one with the focus, else the navigator's

    Services& m_services;
    Actions m_actions;
    RecentFolders m_recents;
    JobController m_jobController;
    Deployment m_deployment;
    JobsWatcher m_jobs;
    UnfinishedJobs m_unfinished;
    HistoryFollower m_follower; ///< of the run that the shown checkpoint belongs to
    PageSet m_pages;
    CheckpointOpener m_opener;
    AsyncRunner m_sample{AsyncRunner::Pool::Long};
    VisitHistory m_history;
    CheckpointPtr m_checkpoint;
    CheckpointSumsPtr m_sums;       ///< of the last opened checkpoint
    std::filesystem::path m_shown;  ///< path of m_checkpoint as the navigator names it
    std::filesystem::path m_chosen; ///< the run or experiment that is shown instead of a checkpoint
    bool m_goingBack = false;       ///< Back and Forward are no new visits
    QString m_roleFilter;           ///< the filter that choosing a role put into the field
    QTimer m_slow;                  ///< delays the notice "Reading…"
    QTimer m_passing;               ///< clears showStatusMessage()'s line
    bool m_leaving = false;
    std::set<std::filesystem::path> m_restoring; ///< folders of the last session, being listed
    std::vector<std::filesystem::path> m_notRestored;
    std::vector<std::filesystem::path> m_toCompare; ///< runs that are being listed
    bool m_unresponsiveShown = false;
    QTimer m_restoreTimer;      ///< how long they may take before this is said
    std::set<JobId> m_seenJobs; ///< had ended when the popover was opened
    DesktopNotices m_notices;
    LastChange m_lastChange{*m_actions.undo};

    TopBar* m_topBar = nullptr;
    MessageStrip* m_messages = nullptr;
    UnfinishedBar* m_unfinishedBar = nullptr;
    QStackedWidget* m_stack = nullptr;
    StartPage* m_start = nullptr;
    Navigator* m_navigator = nullptr;
    Workspace* m_workspace = nullptr;
    StatusLine* m_status = nullptr;
    CommandPalette* m_palette = nullptr;
    JobPopover* m_jobPopover = nullptr;
    PathBar* m_pathBar = nullptr;
    QPointer<PreferencesDialog> m_preferencesDialog;
    QPointer<Manual> m_manual;
    AsyncRunner m_cacheLimit;
    std::unique_ptr<Preferences> m_preferences;
    std::unique_ptr<ShortcutSet> m_shortcuts;
    std::unique_ptr<SessionKeeper> m_session; ///< saves what the other parts show
};

} // namespace cairn::ui
