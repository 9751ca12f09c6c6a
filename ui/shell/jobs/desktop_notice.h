// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSet>
#include <QString>

namespace cairn::ui {

/// Notifications of the desktop's service (org.freedesktop.Notifications 1.2), if there is one.
/// Nothing here waits for it.
class DesktopNotices : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Both texts are plain. A click on the notification emits clicked().
    void send(const QString& title, const QString& body);

Q_SIGNALS:
    void clicked();

private Q_SLOTS:
    void invoked(uint id, const QString& action);
    void setActivation(uint id, const QString& token);
    void forget(uint id);

private:
    void listen();

    QSet<uint> m_open; ///< our notifications; the service reports those of every program
    bool m_listening = false;
};

} // namespace cairn::ui
