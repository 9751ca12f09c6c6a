// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <filesystem>
#include <set>
#include <vector>

namespace cairn::ui {

class SessionKeeper;
class WindowParts;

/// Opens the folders of the last session again, and says which of them do not respond.
class SessionRestore : public QObject {
    Q_OBJECT

public:
    /// The parts outlive this.
    explicit SessionRestore(WindowParts& parts);

    /// Without folders in the session, the start page offers the one that the program was started
    /// in.
    void restore(const SessionKeeper& session, const std::filesystem::path& startedIn);
    /// A folder cannot be listed. All of the last session that cannot be, if it is one of these;
    /// else only it.
    std::vector<std::filesystem::path> addFailed(const std::filesystem::path& folder);

private:
    void removeListed(const std::filesystem::path& folder);
    void showSilent();

    WindowParts& m_parts;
    std::set<std::filesystem::path> m_listing; ///< folders of the last session
    std::vector<std::filesystem::path> m_failed;
    bool m_unresponsiveShown = false;
    QTimer m_restoreTimer; ///< how long they may take before this is said
};

/// The names of some of the folders, one a line.
QString folderLines(const std::vector<std::filesystem::path>& folders);

} // namespace cairn::ui
