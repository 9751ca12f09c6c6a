// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/file_manager.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDesktopServices>
#include <QUrl>

namespace cairn::ui {

void showInFileManager(const std::filesystem::path& path, const std::function<void()>& failed) {
    const QString local = QString::fromLocal8Bit(path.c_str());
    const QUrl folder = QUrl::fromLocalFile(QString::fromLocal8Bit(path.parent_path().c_str()));
    const auto open = [folder, failed] {
        if (!QDesktopServices::openUrl(folder)) {
            failed();
        }
    };
    if (!QDBusConnection::sessionBus().isConnected()) {
        open();
        return;
    }
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.FileManager1"),
        QStringLiteral("/org/freedesktop/FileManager1"),
        QStringLiteral("org.freedesktop.FileManager1"), QStringLiteral("ShowItems"));
    call << QStringList{QUrl::fromLocalFile(local).toString()} << QString();
    auto* watcher = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(call));
    QObject::connect(watcher, &QDBusPendingCallWatcher::finished, watcher, [watcher, open] {
        if (watcher->isError()) {
            open();
        }
        watcher->deleteLater();
    });
}

} // namespace cairn::ui
