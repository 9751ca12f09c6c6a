// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QString>

class QWidget;

namespace cairn::ui {

/// A caption over a big figure: the first answer of a page. Owned by the layout it is added to.
QWidget* bigFigure(const QString& caption, const QString& value,
                   theme::Tone tone = theme::Tone::Plain);

} // namespace cairn::ui
