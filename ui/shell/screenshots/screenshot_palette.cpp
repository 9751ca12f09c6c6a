// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/screenshots/screenshots.h"

#include <QPalette>

namespace cairn::ui {

QPalette darkDesktopPalette() {
    QPalette palette;
    const auto set = [&](QPalette::ColorRole role, QRgb color) {
        palette.setColor(role, QColor(color));
    };
    set(QPalette::Window, 0x212529);
    set(QPalette::WindowText, 0xe6e8ea);
    set(QPalette::Base, 0x1a1d21);
    set(QPalette::AlternateBase, 0x24282d);
    set(QPalette::Text, 0xe6e8ea);
    set(QPalette::Button, 0x2b3036);
    set(QPalette::ButtonText, 0xe6e8ea);
    set(QPalette::BrightText, 0xffffff);
    set(QPalette::Highlight, 0x6ea8fe);
    set(QPalette::HighlightedText, 0x101418);
    set(QPalette::ToolTipBase, 0x2b3036);
    set(QPalette::ToolTipText, 0xe6e8ea);
    set(QPalette::PlaceholderText, 0x9aa2aa);
    set(QPalette::Link, 0x6ea8fe);
    set(QPalette::Light, 0x3a4047);
    set(QPalette::Midlight, 0x32373d);
    set(QPalette::Mid, 0x2b3036);
    set(QPalette::Dark, 0x15181b);
    set(QPalette::Shadow, 0x0b0d0f);
    for (const QPalette::ColorRole role :
         {QPalette::Text, QPalette::WindowText, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, QColor(0x7c848c));
    }
    return palette;
}

} // namespace cairn::ui
