// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/header_edit.h"
#include "ui/bridge/async_runner.h"

#include <QObject>

#include <filesystem>
#include <functional>

namespace cairn {
class FileOps;
}

namespace cairn::ui {

class Deployment;
class ShownSubject;
class WindowParts;

/// Run > Edit Names and Metadata: the dialog for the shown file, and what follows a change.
class HeaderEditing : public QObject {
    Q_OBJECT

public:
    /// All of them outlive this.
    HeaderEditing(WindowParts& parts, ShownSubject& subject, Deployment& deployment,
                  FileOps& fileOps);

    /// Also of a file that cannot be read: an edit of it was interrupted.
    void edit(const std::filesystem::path& file);

Q_SIGNALS:
    /// The file was edited; `undo` takes that back.
    void edited(const QString& what, const std::function<void()>& undo);

private:
    void takeBack(const std::filesystem::path& file, const HeaderChanges& changes);
    QString obstacle() const;
    void updateAction();
    void reload(const std::filesystem::path& file, const QString& what, const QString& remark);

    WindowParts& m_parts;
    ShownSubject& m_subject;
    Deployment& m_deployment;
    FileOps& m_fileOps;
    AsyncRunner m_undoing{AsyncRunner::Pool::Long};
};

} // namespace cairn::ui
