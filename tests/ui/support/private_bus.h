// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QStandardPaths>

namespace cairn::ui::test {

/// A session bus of the test's own; it ends with this object.
class PrivateBus {
public:
    ~PrivateBus() {
        m_daemon.kill();
        m_daemon.waitForFinished();
    }

    /// Before the first use of QDBusConnection. False: dbus-daemon is not installed.
    bool start() {
        const QString daemon = QStandardPaths::findExecutable(QStringLiteral("dbus-daemon"));
        if (daemon.isEmpty()) {
            return false;
        }
        m_daemon.start(daemon, {QStringLiteral("--session"), QStringLiteral("--nofork"),
                                QStringLiteral("--print-address")});
        return m_daemon.waitForReadyRead() &&
               qputenv("DBUS_SESSION_BUS_ADDRESS", m_daemon.readLine().trimmed());
    }

private:
    QProcess m_daemon;
};

} // namespace cairn::ui::test
