// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPushButton;

namespace cairn::ui {

/// The button's text, or its end after a colon, is the current choice of its menu, whose entry is
/// marked when the menu opens. REQUIRES: menu() is set.
void markChoice(QPushButton* button);
bool marksChoice(const QPushButton& button);

} // namespace cairn::ui
