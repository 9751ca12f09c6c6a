// SPDX-License-Identifier: GPL-3.0-or-later
// Notifications through a session bus of this test's own, with a service that stands for the
// desktop's.
#include "tests/ui/support/private_bus.h"
#include "ui/shell/jobs/desktop_notice.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QSignalSpy>
#include <QTest>

using namespace cairn::ui;

class DesktopService : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

public:
    QString title;
    QString body;
    QStringList actions;

public Q_SLOTS:
    uint Notify(const QString&, uint, const QString&, const QString& summary, const QString& text,
                const QStringList& offered, const QVariantMap&, int) {
        title = summary;
        body = text;
        actions = offered;
        return 7;
    }

Q_SIGNALS:
    void ActionInvoked(uint id, const QString& action);
    void NotificationClosed(uint id, uint reason);
};

class DesktopNoticeTest : public QObject {
    Q_OBJECT

    cairn::ui::test::PrivateBus m_bus;
    DesktopService m_service;

private Q_SLOTS:
    void initTestCase() {
        QVERIFY2(m_bus.start(), "dbus-daemon is not installed");
        QDBusConnection desktop = QDBusConnection::connectToBus(QDBusConnection::SessionBus,
                                                                QStringLiteral("the desktop"));
        QVERIFY(desktop.registerService(QStringLiteral("org.freedesktop.Notifications")));
        QVERIFY(desktop.registerObject(QStringLiteral("/org/freedesktop/Notifications"), &m_service,
                                       QDBusConnection::ExportAllSlots |
                                           QDBusConnection::ExportAllSignals));
    }

    void aClickIsReported() {
        DesktopNotices notices;
        QSignalSpy clicked(&notices, &DesktopNotices::clicked);
        notices.send(QStringLiteral("Consolidate <b>a</b>"), QStringLiteral("Wrote <img src=x>"));
        QTRY_COMPARE(m_service.title, QStringLiteral("Consolidate <b>a</b>"));
        QCOMPARE(m_service.body, QStringLiteral("Wrote &lt;img src=x&gt;"));
        QVERIFY(m_service.actions.contains(QStringLiteral("default")));
        QTest::qWait(100);                                            // its number has arrived
        Q_EMIT m_service.ActionInvoked(8, QStringLiteral("default")); // of another program
        Q_EMIT m_service.ActionInvoked(7, QStringLiteral("settings"));
        QTest::qWait(100);
        QCOMPARE(clicked.count(), 0);
        Q_EMIT m_service.ActionInvoked(7, QStringLiteral("default"));
        QTRY_COMPARE(clicked.count(), 1);
    }
};

QTEST_GUILESS_MAIN(DesktopNoticeTest)
#include "desktop_notice_test.moc"
