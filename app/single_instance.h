// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/file_ops.h"
#include "ui/shell/subject/opening.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>

class QSocketNotifier;

namespace cairn {

/// What a later start of the program asks of the running one.
struct LaunchRequest {
    ui::Opening opening;
    QByteArray activation; ///< permits raising the window (xdg-activation); may be empty
};

/// One program for each user and display: the first one serves, a later one hands over its request
/// and ends. A lock decides who is first: the kernel releases it when its process ends in any way,
/// so that the socket of a killed process is replaced. Requests are packets on a Unix socket in the
/// runtime folder, which is private to the user and local to the machine. GUI thread.
class SingleInstance : public QObject {
    Q_OBJECT

public:
    enum class Role {
        First,  ///< serves, until leave() or the destructor
        Handed, ///< the first one has taken the request: end now
        Alone,  ///< the first one does not answer, or the folder cannot be used: open a window
    };
    static constexpr int kPatienceMs = 3000;

    /// `name`: starts with equal names are one program.
    SingleInstance(FileOps& fileOps, std::filesystem::path folder, const QString& name);
    ~SingleInstance() override;

    /// Blocks at most `patienceMs`, and only if another process has the lock.
    Role join(const LaunchRequest& request, int patienceMs = kPatienceMs);
    /// Becomes the first one if there is none; never hands over.
    Role startSeparately();
    /// Later starts do not find this process any more. Call it when no more windows will open.
    void leave();

    /// The name for this user's display, or for $CAIRN_INSTANCE; empty on platforms without one
    /// (offscreen), where nothing is shared.
    static QString defaultName(const QString& platform);
    static std::filesystem::path defaultFolder();

Q_SIGNALS:
    void requested(const cairn::LaunchRequest& request);

private:
    /// False: another process has it. Fails with the errors of FileOps.
    Result<bool> lock();
    bool serve();
    bool handOver(const LaunchRequest& request, int patienceMs) const;
    void accept();
    void receive(int connection);

    FileOps& m_fileOps;
    std::filesystem::path m_folderPath;
    std::string m_name;
    FileHandle m_folder;
    FileHandle m_lock;
    FileHandle m_socket;
    std::unique_ptr<QSocketNotifier> m_waiting;
};

} // namespace cairn
