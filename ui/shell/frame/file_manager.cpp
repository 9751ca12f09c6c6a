// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/frame/file_manager.h"

#include "ui/shell/frame/status_line.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/message_strip.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDesktopServices>
#include <QGuiApplication>
#include <QUrl>

namespace cairn::ui {
namespace {

struct FileManagerWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::FileManager)
};

void offerPath(const std::filesystem::path& path, MessageStrip& messages, StatusLine& status) {
    messages.show({theme::Tone::Attention,
                   FileManagerWords::tr("This computer has no file manager that Cairn can open"),
                   text::fromPath(path),
                   {{FileManagerWords::tr("Copy Path"), [path, &status] {
                         QGuiApplication::clipboard()->setText(
                             QString::fromLocal8Bit(path.c_str()));
                         status.showMessage(FileManagerWords::tr("Path copied to the clipboard"));
                     }}}});
}

} // namespace

void showInFileManager(const std::filesystem::path& path, MessageStrip& messages,
                       StatusLine& status) {
    const QString local = QString::fromLocal8Bit(path.c_str());
    const QUrl folder = QUrl::fromLocalFile(QString::fromLocal8Bit(path.parent_path().c_str()));
    const auto open = [=, &messages, &status] {
        if (!QDesktopServices::openUrl(folder)) {
            offerPath(path, messages, status);
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
    QObject::connect(watcher, &QDBusPendingCallWatcher::finished, &messages, [watcher, open] {
        if (watcher->isError()) {
            open();
        }
        watcher->deleteLater();
    });
}

} // namespace cairn::ui
