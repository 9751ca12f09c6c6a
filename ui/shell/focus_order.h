// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

namespace cairn::ui {

/// Tab in the order in which the window is seen. Qt's own order is that of creation, so that charts
/// that are made later came after the inspector. `parts`: from the upper left to the lower right;
/// within a part the order is Qt's. Widgets in no part come last. Moves the focus; false: there is
/// nothing else to focus.
bool focusNextInParts(QWidget& window, const std::vector<const QWidget*>& parts, bool next);

} // namespace cairn::ui
