// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigator/host_watch.h"

#include <QMetaObject>

namespace cairn::ui {

HostWatch::HostWatch(QObject* parent)
    : QObject(parent), m_listener([this](const std::string& host) {
          QMetaObject::invokeMethod(
              this, [this, name = QString::fromStdString(host)] { Q_EMIT changed(name); },
              Qt::QueuedConnection);
      }) {}

} // namespace cairn::ui
