// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"

#include <QObject>

#include <filesystem>
#include <set>
#include <vector>

class QMimeData;

namespace cairn::ui {

class PathBar;
class RecentFolders;
struct Services;
class ShownSubject;
class WindowParts;

/// Opens folders, runs and checkpoints, wherever they are named: the start page, the dialogs, the
/// path bar, the recent folders, what is dropped on the window, the sample; and closes them.
class FolderOpener : public QObject {
    Q_OBJECT

public:
    /// All of them outlive this.
    FolderOpener(WindowParts& parts, const Services& services, RecentFolders& recents,
                 ShownSubject& subject);

    /// Lists them all; the last one's newest checkpoint is shown.
    void open(const std::vector<std::filesystem::path>& paths);
    /// Shows a checkpoint in the experiment that lists it, or opens it alone.
    void show(const std::filesystem::path& checkpoint);
    void openSample();
    void pickFolder();
    void openDropped(const QMimeData& data);
    bool isPreparing() const { return m_sample.isRunning(); } ///< the sample

private:
    void keep(const std::filesystem::path& path);
    void pickFiles();
    void closeCurrent();
    void fillRecentMenu();
    void updateActions();

    WindowParts& m_parts;
    const Services& m_services;
    RecentFolders& m_recents;
    ShownSubject& m_subject;
    PathBar* m_pathBar;
    std::set<std::filesystem::path> m_untried; ///< not recent, and not listed yet
    AsyncRunner m_sample{AsyncRunner::Pool::Long};
};

} // namespace cairn::ui
