// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace cairn::ui {

/// Sends a notification to the desktop's service (org.freedesktop.Notifications 1.2), if there is
/// one, without waiting. Both texts are plain.
void notifyDesktop(const QString& title, const QString& body);

} // namespace cairn::ui
