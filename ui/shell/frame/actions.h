// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

class QAction;
class QMenu;
class QMenuBar;

namespace cairn::ui {

/// Property of an action: other words by which the palette finds it.
inline constexpr const char* kSynonyms = "synonyms";

/// Every action of the window, created once; the menu bar contains all of them, disabled rather
/// than hidden. Toolbar, context menus and the palette use the same objects. Owned by the window.
struct Actions {
    explicit Actions(QObject* owner);
    void fill(QMenuBar& bar);
    /// All of them, in menu order; the command palette lists these.
    QList<QAction*> all() const;

    // File
    QAction* openFolder;
    QAction* openFiles;
    QAction* openPath;
    QAction* openSample;
    QAction* clearRecent;
    QAction* openContaining;
    QAction* copyPath;
    QAction* saveReport;
    QAction* copyReport;
    QAction* closeFolder;
    QAction* quit;
    // Edit
    QAction* undo; ///< see LastChange
    QAction* copy;
    QAction* copyPython;
    QAction* filter;
    QAction* clearFilter;
    QAction* preferences;
    // View
    QList<QAction*> tabs; ///< Ctrl+1 …, filled by the workspace's pages
    QAction* inspector;
    QAction* navigator;
    QAction* expandAll;
    QAction* collapseAll;
    QAction* refresh;
    // Go
    QAction* back;
    QAction* forward;
    QAction* nextCheckpoint;
    QAction* previousCheckpoint;
    QAction* newestCheckpoint;
    QAction* nextDifference;
    QAction* previousDifference;
    QAction* goNavigator;
    QAction* goPage;
    // Run
    QAction* consolidate;
    QAction* copyCommand;
    QAction* chooseOutput;
    QAction* average;
    QAction* editHeader;
    QAction* markRun;
    QAction* clearMarks;
    QAction* compareRuns;
    QAction* diffPrevious;
    // Tools
    QAction* check;
    QAction* scanPickles;
    QAction* hash;
    QAction* verifyManifest;
    QAction* verifyFolder;
    QAction* verifyFile;
    QAction* convert;
    QAction* continueTraining;
    QAction* runOn;
    QAction* reshard;
    QAction* exportNumpy;
    QAction* pack;
    QAction* prune;
    QAction* moveToWastebasket; ///< the selected checkpoints
    QAction* keepCheckpoints;   ///< pins the selected checkpoints, or removes their pins
    // Jobs
    QAction* showJobs;
    QAction* pauseJobs;
    QAction* stopJobs;
    QAction* forgetJobs;
    QAction* jobHistory;
    QAction* unfinishedJobs;
    // Help
    QAction* manual;
    QAction* palette;
    QAction* reportProblem;
    QAction* about;
    QAction* aboutQt;

    QMenu* recentMenu = nullptr; ///< filled by the window
    QMenu* toolsMenu = nullptr;
    QMenu* viewMenu = nullptr;

    /// Adds "View > title" with Ctrl+number.
    QAction* addTab(const QString& title);

private:
    void addSynonyms();
    void markRisky();
    void nameAll();
    QAction* make(const QString& text, const QString& tip);
    QObject* m_owner;
    QMenuBar* m_bar = nullptr;
    QAction* m_tabSeparator = nullptr;
};

} // namespace cairn::ui
