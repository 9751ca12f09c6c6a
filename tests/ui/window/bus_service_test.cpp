// SPDX-License-Identifier: GPL-3.0-or-later
// The program on a session bus of this test's own: called like the desktop calls it.
#include "app/bus_service.h"
#include "tests/ui/support/private_bus.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

using namespace cairn;

namespace {
const QString kId = QStringLiteral("org.cairn.test-case");
} // namespace

class BusServiceTest : public QObject {
    Q_OBJECT

    ui::test::PrivateBus m_bus;

    static QDBusMessage call(const QString& method, const QVariantList& arguments) {
        const QDBusConnection desktop = QDBusConnection::connectToBus(
            QDBusConnection::SessionBus, QStringLiteral("the desktop"));
        QDBusMessage message =
            QDBusMessage::createMethodCall(kId, QStringLiteral("/org/cairn/test_case"),
                                           QStringLiteral("org.freedesktop.Application"), method);
        message.setArguments(arguments);
        const QDBusPendingCall pending = desktop.asyncCall(message);
        while (!pending.isFinished()) {
            QTest::qWait(5);
        }
        return pending.reply();
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY2(m_bus.start(), "dbus-daemon is not installed"); }

    void theInterfaceOfTheSpecification() {
        BusService service(kId);
        QVERIFY(service.offer());
        LaunchRequest got;
        int requests = 0;
        connect(&service, &BusService::requested, this, [&](const LaunchRequest& request) {
            got = request;
            ++requests;
        });
        const QVariantMap platform{{QStringLiteral("activation-token"), QStringLiteral("abc")}};

        QCOMPARE(call(QStringLiteral("Activate"), {platform}).type(), QDBusMessage::ReplyMessage);
        QCOMPARE(requests, 1);
        QVERIFY(got.opening.isEmpty());
        QCOMPARE(got.activation, QByteArray("abc"));

        const QStringList uris{QStringLiteral("file:///runs/a%20b%C3%A4"),
                               QStringLiteral("https://example.org/x")};
        call(QStringLiteral("Open"), {uris, QVariantMap()});
        QCOMPARE(requests, 2);
        QCOMPARE(got.opening.paths.size(), std::size_t{1}); // a web address is not a path
        QCOMPARE(got.opening.paths.front(), std::filesystem::path("/runs/a b\303\244"));

        call(QStringLiteral("ActivateAction"),
             {QStringLiteral("sample"), QVariantList(), QVariantMap()});
        QCOMPARE(requests, 3);
        QVERIFY(got.opening.sample);

        QSignalSpy another(&service, &BusService::newWindowRequested);
        call(QStringLiteral("ActivateAction"),
             {QStringLiteral("new-window"), QVariantList(), QVariantMap()});
        QCOMPARE(another.count(), 1);
        QCOMPARE(requests, 3);
    }

    void aStartByTheBusWaitsForItsRequest() {
        BusService service(kId);
        QVERIFY(service.offer());
        QVERIFY(!service.waitForRequest(20)); // none comes
        QTimer::singleShot(0, this, [] {
            call(QStringLiteral("Open"), {QStringList{QStringLiteral("file:///a")}, QVariantMap()});
        });
        const auto request = service.waitForRequest(30000);
        QVERIFY(request.has_value());
        QCOMPARE(request->opening.paths.front(), std::filesystem::path("/a"));
    }
};

QTEST_GUILESS_MAIN(BusServiceTest)
#include "bus_service_test.moc"
