// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

namespace cairn::ui {

class MainWindow;

/// The Runs page of the first experiment in two sizes: as it opens, with marked runs, grouped.
/// `picture` saves the window under a name; false: it could not.
bool takeRunsPage(MainWindow& window, const std::function<bool(const QString&)>& picture);

} // namespace cairn::ui
