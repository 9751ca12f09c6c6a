// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QPen>

/// Cairn's colours and fonts on top of the platform's style: everything is derived from the current
/// palette, so that light, dark and high contrast follow the desktop. Nothing is cached: call it
/// when painting. GUI thread only.
namespace cairn::ui::theme {

inline constexpr int kGrid = 8; ///< px; margins and gaps are multiples (or half) of it
inline constexpr int kCardRadius = 6;
inline constexpr int kControlRadius = 5;
inline constexpr int kControlHeight = 28;

bool isDark(const QPalette& palette);

/// Meanings. Every one keeps a contrast of at least 4.5:1 against Base and Window in both
/// lightnesses.
enum class Tone { Plain, Dim, Good, Attention, Broken, Accent };
QColor color(Tone tone, const QPalette& palette);

QColor hairline(const QPalette& palette);   ///< separators and card borders
QColor track(const QPalette& palette);      ///< the unfilled part of a bar, the ground of a badge
QColor cardGround(const QPalette& palette); ///< Base

/// Accent for selection and the one primary action, and the text on it.
QColor accent(const QPalette& palette);
QColor onAccent(const QPalette& palette);

/// Makes Highlight a light tint of the accent and HighlightedText the ordinary text colour, for
/// lists.
void quietSelection(QPalette& palette);

/// Colours of compared things, distinguishable by colour-blind people, by dash and by letter: 0
/// blue solid, 1 orange dashed, 2 green dotted; 8 colours, 32 pairs of colour and dash.
QColor series(int index, const QPalette& palette);
Qt::PenStyle seriesDash(int index);

/// A place on a perceptual scale, 0 to 1: equal distances look equal. Viridis without the end that
/// the ground of cards would hide.
QColor shade(double share, const QPalette& palette);

/// Fonts derived from `base` (usually widget->font()); digits of equal width in all of them.
QFont body(const QFont& base);
QFont caption(const QFont& base); ///< small capitals, for the heads of cards and columns
QFont small(const QFont& base);
QFont headline(const QFont& base);  ///< page titles
QFont bigFigure(const QFont& base); ///< the first answer: step, epoch, loss
QFont mono(const QFont& base);      ///< paths, values, commands

/// WCAG contrast ratio, 1 to 21.
double contrast(const QColor& a, const QColor& b);

} // namespace cairn::ui::theme
