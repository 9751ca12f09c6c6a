// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <filesystem>
#include <vector>

namespace cairn::ui {

class Deployment;
class FolderOpener;
class HistoryFollower;
class ShownSubject;
class WindowParts;

/// The marked runs: keeps the marks in the navigator, the Compare page and the Runs page the same,
/// and starts comparisons.
class RunMarking : public QObject {
    Q_OBJECT

public:
    /// All of them outlive this.
    RunMarking(WindowParts& parts, ShownSubject& subject, FolderOpener& opener,
               Deployment& deployment, const HistoryFollower& follower);

    /// Opens the runs that are not listed; compares all as soon as they are.
    void compareWhenListed(const std::vector<std::filesystem::path>& runs);

private:
    void connectMarks();
    void connectComparePage();
    void connectRunsPage(const HistoryFollower& follower);
    void connectListing();
    void compareListed();
    void compareChosen();
    void showCompared();
    void showRuns();
    void updateActions();

    WindowParts& m_parts;
    ShownSubject& m_subject;
    FolderOpener& m_opener;
    Deployment& m_deployment;
    std::vector<std::filesystem::path> m_toCompare; ///< runs that are being listed
};

} // namespace cairn::ui
