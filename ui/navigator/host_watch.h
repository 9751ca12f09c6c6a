// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/host_states.h"

#include <QObject>
#include <QString>

namespace cairn::ui {

/// Brings changes of connections to other machines to the GUI thread. Their states themselves:
/// core/runs/scan/far_host.h.
class HostWatch : public QObject {
    Q_OBJECT

public:
    explicit HostWatch(QObject* parent = nullptr);

Q_SIGNALS:
    /// Another state, or another reason. `host` as HostState::host.
    void changed(const QString& host);

private:
    HostListener m_listener; ///< last: posts to this
};

} // namespace cairn::ui
