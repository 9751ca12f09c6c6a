// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/session/session_file.h"

#include <QJsonObject>
#include <QList>
#include <QObject>
#include <QSize>
#include <QTimer>

#include <filesystem>
#include <vector>

class QMainWindow;
class QSettings;

namespace cairn::ui {

class Navigator;
class Workspace;

/// What survives a restart, also after a kill: size (not position, which Wayland lacks), columns,
/// open folders, selection, expansion, marks, tab, and the choices of the pages (KeepsState). The
/// only place that decides what is saved and when: a second after a change, and when the window
/// closes. The text of the filter is not saved. The file lies beside the settings.
class SessionKeeper : public QObject {
    Q_OBJECT

public:
    static constexpr int kDelayMs = 1000;

    /// The parts outlive the keeper. Restores everything but the folders, and follows the changes
    /// from now on.
    SessionKeeper(const QSettings& settings, QMainWindow& window, Workspace& workspace,
                  Navigator& navigator);

    ~SessionKeeper() override;

    /// Of the last session.
    const std::vector<std::filesystem::path>& folders() const { return m_folders; }
    const std::filesystem::path& selected() const { return m_selected; }

    /// A checkpoint, run or experiment is shown.
    void setSelected(const std::filesystem::path& path);
    void touch(); ///< something changed
    void saveNow();
    /// Nothing of this window is saved any more.
    void stop();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QJsonObject collect();
    void restoreWindow(const QJsonObject& state);
    void restorePages(const QJsonObject& state);
    void restoreNavigator(const QJsonObject& state, const QSettings& settings);
    void follow();
    void takeColumns();

    QMainWindow& m_window;
    Workspace& m_workspace;
    Navigator& m_navigator;
    SessionFile m_file;
    std::vector<std::filesystem::path> m_folders;
    std::filesystem::path m_selected;
    QTimer m_timer;
    QSize m_size;         ///< of the window while it is not maximized
    QList<int> m_columns; ///< widths that the user chose; 0: of a hidden column; empty: none
    bool m_stopped = false;
};

} // namespace cairn::ui
