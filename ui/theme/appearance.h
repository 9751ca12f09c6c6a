// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPalette>

/// What the user may set instead of the desktop's choice: light or dark, and the sizes of fonts.
/// GUI thread only.
namespace cairn::ui::theme {

enum class Scheme { System, Light, Dark };
QPalette lightPalette();
QPalette darkPalette();
/// For the application, at once. System is the platform's own palette and follows its changes.
void setScheme(Scheme scheme);

/// Tooltips in the colours of cards rather than in those of the style, from now on.
void followToolTips();

/// In points; 0: the desktop's.
struct FontSizes {
    double interface = 0;
    double mono = 0; ///< of paths, values and commands; 0: follows the interface
    friend bool operator==(const FontSizes&, const FontSizes&) = default;
};
inline constexpr double kSmallestFont = 6;
inline constexpr double kLargestFont = 32;
/// For the application, at once; sizes that were derived from the earlier ones are scaled.
void setFontSizes(const FontSizes& sizes);
/// The size of monospace text beside text of `base`; 0: no size was set.
double monoPoints(const QFont& base);

} // namespace cairn::ui::theme
