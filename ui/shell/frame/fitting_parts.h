// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace cairn::ui {

/// Short facts in one line, the most important first.
inline QString joinedParts(const QStringList& parts) {
    return parts.join(QStringLiteral(" · "));
}

/// As many of them as fit, the last ones left out; empty: not even the first.
template <class Fits> QString fittingParts(const QStringList& parts, const Fits& fits) {
    for (qsizetype count = parts.size(); count > 0; --count) {
        QString line = joinedParts(parts.mid(0, count));
        if (fits(line)) {
            return line;
        }
    }
    return {};
}

} // namespace cairn::ui
