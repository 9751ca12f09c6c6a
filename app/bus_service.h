// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/single_instance.h"

#include <QObject>
#include <QStringList>
#include <QVariantMap>

#include <optional>

namespace cairn {

/// The program on the session bus, as the desktop starts it: the interface
/// org.freedesktop.Application (Desktop Entry Specification 1.5, "D-Bus Activation") under the
/// application's id. Starts from a terminal find the running program through SingleInstance, which
/// needs no bus. GUI thread.
class BusService : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Application")

public:
    /// `id`: the application's, "org.example.name".
    explicit BusService(const QString& id, QObject* parent = nullptr);

    /// False: there is no session bus, or another process has the name. Blocks for one answer of
    /// the bus.
    bool offer();
    /// Later requests start another process.
    void leave();
    /// The request for which the desktop started this process; none if it does not come within
    /// `patienceMs`. Runs an event loop.
    std::optional<LaunchRequest> waitForRequest(int patienceMs);

public Q_SLOTS: // the interface; its names are the specification's
    void Activate(const QVariantMap& platformData);
    void Open(const QStringList& uris, const QVariantMap& platformData);
    void ActivateAction(const QString& name, const QVariantList& parameters,
                        const QVariantMap& platformData);

Q_SIGNALS:
    void requested(const cairn::LaunchRequest& request);
    /// The desktop entry's action "new-window".
    void newWindowRequested();

private:
    QString m_id;
};

} // namespace cairn
