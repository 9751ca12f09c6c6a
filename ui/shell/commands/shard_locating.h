// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"

#include <QObject>

#include <filesystem>

namespace cairn {
class FileOps;
}

namespace cairn::ui {

class ShownSubject;
class WindowParts;

/// "Locate…" of a lost shard: a file of its name from somewhere else is copied into the
/// checkpoint's folder, and the checkpoint is read again.
class ShardLocating : public QObject {
    Q_OBJECT

public:
    /// All of them outlive this.
    ShardLocating(WindowParts& parts, ShownSubject& subject, FileOps& fileOps);

    void locate();
    /// Copies `found` into the shown checkpoint.
    void take(const std::filesystem::path& found);

private:
    WindowParts& m_parts;
    ShownSubject& m_subject;
    FileOps& m_fileOps;
    AsyncRunner m_copying{AsyncRunner::Pool::Long};
};

} // namespace cairn::ui
