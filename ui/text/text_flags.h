// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStyle>

namespace cairn::ui::text {

/// For QPainter::drawText, which neither mirrors an alignment nor looks at the text: AlignLeft is
/// where lines begin in the language, and a path or a number stays in one piece.
inline int textFlags(Qt::LayoutDirection direction, Qt::Alignment alignment, const QString& text) {
    return static_cast<int>(QStyle::visualAlignment(direction, alignment)) |
           (text.isRightToLeft() ? Qt::TextForceRightToLeft : Qt::TextForceLeftToRight);
}

} // namespace cairn::ui::text
