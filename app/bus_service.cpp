// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bus_service.h"

#include <QDBusConnection>
#include <QEventLoop>
#include <QTimer>
#include <QUrl>

namespace cairn {
namespace {

LaunchRequest requestWith(const QVariantMap& platformData) {
    QString token = platformData.value(QStringLiteral("activation-token")).toString();
    if (token.isEmpty()) {
        token = platformData.value(QStringLiteral("desktop-startup-id")).toString();
    }
    return {{}, token.toUtf8()};
}

/// "/org/example/name": where the specification puts the object.
QString pathOf(QString id) {
    return QLatin1Char('/') + id.replace(QLatin1Char('.'), QLatin1Char('/'))
                                  .replace(QLatin1Char('-'), QLatin1Char('_'));
}

} // namespace

BusService::BusService(const QString& id, QObject* parent) : QObject(parent), m_id(id) {}

bool BusService::offer() {
    QDBusConnection bus = QDBusConnection::sessionBus();
    return bus.isConnected() &&
           bus.registerObject(pathOf(m_id), this, QDBusConnection::ExportAllSlots) &&
           bus.registerService(m_id);
}

void BusService::leave() {
    QDBusConnection::sessionBus().unregisterService(m_id);
}

std::optional<LaunchRequest> BusService::waitForRequest(int patienceMs) {
    std::optional<LaunchRequest> request;
    QEventLoop loop;
    QTimer::singleShot(patienceMs, &loop, &QEventLoop::quit);
    connect(this, &BusService::requested, &loop, [&](const LaunchRequest& first) {
        request = first;
        loop.quit();
    });
    connect(this, &BusService::newWindowRequested, &loop, [&] {
        request = LaunchRequest();
        loop.quit();
    });
    loop.exec();
    return request;
}

void BusService::Activate(const QVariantMap& platformData) {
    Q_EMIT requested(requestWith(platformData));
}

void BusService::Open(const QStringList& uris, const QVariantMap& platformData) {
    LaunchRequest request = requestWith(platformData);
    for (const QString& uri : uris) {
        const QUrl url(uri);
        if (url.isLocalFile()) {
            request.opening.paths.emplace_back(url.toLocalFile().toLocal8Bit().toStdString());
        }
    }
    Q_EMIT requested(request);
}

void BusService::ActivateAction(const QString& name, const QVariantList& /*parameters*/,
                                const QVariantMap& platformData) {
    if (name == QLatin1String("new-window")) {
        Q_EMIT newWindowRequested();
        return;
    }
    LaunchRequest request = requestWith(platformData);
    request.opening.sample = name == QLatin1String("sample");
    Q_EMIT requested(request);
}

} // namespace cairn
