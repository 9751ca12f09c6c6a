// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/desktop_notice.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QStringList>
#include <QVariantMap>

namespace cairn::ui {
namespace {
constexpr int kUntilItDecides = -1; ///< the service's own time
}

void notifyDesktop(const QString& title, const QString& body) {
    const QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) {
        return;
    }
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.Notifications"),
        QStringLiteral("/org/freedesktop/Notifications"),
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
    const QVariantMap hints{{QStringLiteral("desktop-entry"), QStringLiteral("cairn")},
                            {QStringLiteral("category"), QStringLiteral("transfer.complete")}};
    // The body may be markup: a file's name must not become any.
    call << QStringLiteral("Cairn") << 0U << QStringLiteral("cairn") << title
         << body.toHtmlEscaped() << QStringList() << hints << kUntilItDecides;
    bus.send(call);
}

} // namespace cairn::ui
