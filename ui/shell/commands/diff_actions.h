// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <filesystem>

namespace cairn::ui {

class FolderOpener;
class ShownSubject;
class WindowParts;

/// What starts a diff of two checkpoints, and the steps from one difference to the next.
class DiffActions : public QObject {
    Q_OBJECT

public:
    /// All of them outlive this.
    DiffActions(WindowParts& parts, ShownSubject& subject, FolderOpener& opener);

    /// Shows the left one, and what the right one has in its place.
    void compare(const std::filesystem::path& left, const std::filesystem::path& right);

private:
    void compareWithPrevious();
    void compareSelected();
    void goToDifference(bool forward);
    void updateActions();

    WindowParts& m_parts;
    ShownSubject& m_subject;
    FolderOpener& m_opener;
};

} // namespace cairn::ui
