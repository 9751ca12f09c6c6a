// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

class QMainWindow;
class QStackedWidget;
class QWidget;

namespace cairn::ui {

struct Actions;
class MessageStrip;
class Navigator;
struct PageSet;
class RecentFolders;
class StartPage;
class StatusLine;
class TopBar;
class UnfinishedBar;
class UnfinishedJobs;
class Workspace;

/// The widgets of the window and their arrangement. The window's objects share them, and hear
/// through changed() of each other's changes. The window owns the widgets.
class WindowParts : public QObject {
    Q_OBJECT

public:
    /// Fills the window with its menus and widgets. All of them outlive this.
    WindowParts(QMainWindow& window, Actions& actions, PageSet& pages, RecentFolders& recents,
                UnfinishedJobs& unfinished);

    QWidget* const window; ///< parent of dialogs
    Actions& actions;
    PageSet& pages;
    TopBar* const topBar;
    MessageStrip* const messages;
    UnfinishedBar* const unfinishedBar;
    StartPage* const start;
    Navigator* const navigator;
    Workspace* const workspace;
    StatusLine* const status;

    /// The workspace is shown, not the start page.
    bool isWorking() const;
    void showWorkspace() const;
    void showStart() const;
    /// Of the checkpoint selected in the navigator, as the system has it; empty: none.
    QString selectedPath() const;
    /// Tab in the order in which the window is seen, from the upper left to the lower right; within
    /// a part the order is Qt's. Qt's own order is that of creation, so that charts that are made
    /// later came after the inspector. Moves the focus; false: there is nothing else to focus.
    bool focusNext(bool next) const;

Q_SIGNALS:
    /// What an action, the title or the status line depends on is different now.
    void changed();

private:
    QStackedWidget* m_stack;
};

} // namespace cairn::ui
