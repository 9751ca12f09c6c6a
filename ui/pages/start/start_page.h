// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/pages/start/recent_folders.h"

#include <QWidget>

#include <filesystem>

class QAction;
class QVBoxLayout;

namespace cairn::ui {

class Button;

/// The empty window: a short description, ways to open something, the current folder if it contains
/// checkpoints, recent folders, and a hint that items can be dropped here.
class StartPage : public QWidget {
    Q_OBJECT

public:
    StartPage(QAction* openFolder, QAction* openSample, RecentFolders& recents,
              QWidget* parent = nullptr);

    /// Scans the folder (off the GUI thread, not deep) and offers it when it contains
    /// checkpoints.
    void offer(const std::filesystem::path& folder);

Q_SIGNALS:
    void chosen(const std::filesystem::path& path);

private:
    void fillRecents();
    RecentFolders& m_recents;
    QVBoxLayout* m_recentRows;
    QWidget* m_recentBox;
    Button* m_offer;
    std::filesystem::path m_offered;
    AsyncRunner m_probe;
};

} // namespace cairn::ui
