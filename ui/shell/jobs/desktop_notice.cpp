// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/jobs/desktop_notice.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QStringList>
#include <QVariantMap>

namespace cairn::ui {
namespace {

constexpr int kUntilItDecides = -1; ///< the service's own time
const QString kService = QStringLiteral("org.freedesktop.Notifications");
const QString kPath = QStringLiteral("/org/freedesktop/Notifications");
const QString kDefault = QStringLiteral("default"); ///< the action of a click on the text

} // namespace

void DesktopNotices::listen() {
    if (m_listening) {
        return;
    }
    m_listening = true;
    QDBusConnection bus = QDBusConnection::sessionBus();
    bus.connect(kService, kPath, kService, QStringLiteral("ActionInvoked"), this,
                SLOT(invoked(uint, QString)));
    bus.connect(kService, kPath, kService, QStringLiteral("ActivationToken"), this,
                SLOT(setActivation(uint, QString)));
    bus.connect(kService, kPath, kService, QStringLiteral("NotificationClosed"), this,
                SLOT(forget(uint)));
}

void DesktopNotices::send(const QString& title, const QString& body) {
    const QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) {
        return;
    }
    listen();
    QDBusMessage call =
        QDBusMessage::createMethodCall(kService, kPath, kService, QStringLiteral("Notify"));
    const QVariantMap hints{{QStringLiteral("desktop-entry"), QStringLiteral("cairn")},
                            {QStringLiteral("category"), QStringLiteral("transfer.complete")}};
    // The body may be markup: a file's name must not become any.
    call << QStringLiteral("Cairn") << 0U << QStringLiteral("cairn") << title
         << body.toHtmlEscaped() << QStringList{kDefault, tr("Show")} << hints << kUntilItDecides;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<uint> reply = *watcher;
        if (!reply.isError()) {
            m_open.insert(reply.value());
        }
        watcher->deleteLater();
    });
}

void DesktopNotices::invoked(uint id, const QString& action) {
    if (m_open.contains(id) && action == kDefault) {
        Q_EMIT clicked();
    }
}

/// Permits the window to take the focus (xdg-activation); sent before the action.
void DesktopNotices::setActivation(uint id, const QString& token) {
    if (m_open.contains(id)) {
        qputenv("XDG_ACTIVATION_TOKEN", token.toUtf8());
    }
}

void DesktopNotices::forget(uint id) {
    m_open.remove(id);
}

} // namespace cairn::ui
