// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/flat_tab_bar.h"

#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr double kDisabledOpacity = 0.5;
constexpr int kPadding = 3 * theme::kGrid; ///< px of a tab beside its text
constexpr int kLeastPadding = 5;           ///< where the tabs would not fit otherwise

} // namespace

FlatTabBar::FlatTabBar(QWidget* parent) : QTabBar(parent) {
    setDrawBase(false);
    setExpanding(false);
    setUsesScrollButtons(true);
    setAttribute(Qt::WA_Hover);
}

QSize FlatTabBar::tabSizeHint(int index) const {
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(bold);
    int words = 0;
    for (int i = 0; i < count(); ++i) {
        words += metrics.horizontalAdvance(tabText(i));
    }
    const int spare = count() == 0 ? kPadding : (width() - words) / count();
    return {metrics.horizontalAdvance(tabText(index)) + std::clamp(spare, kLeastPadding, kPadding),
            metrics.height() + 2 * theme::kGrid + 4};
}

void FlatTabBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(Qt::NoPen);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme::hairline(palette()));
    for (int i = 0; i < count(); ++i) {
        const QRect area = tabRect(i);
        const bool current = i == currentIndex();
        const bool hovered = underMouse() && area.contains(mapFromGlobal(QCursor::pos()));
        QFont shown = font();
        shown.setWeight(current ? QFont::DemiBold : QFont::Normal);
        painter.setFont(shown);
        const bool enabled = isTabEnabled(i);
        painter.setPen(theme::color(
            current || (hovered && enabled) ? theme::Tone::Plain : theme::Tone::Dim, palette()));
        painter.setOpacity(enabled ? 1.0 : kDisabledOpacity);
        painter.drawText(area, Qt::AlignCenter, tabText(i));
        painter.setOpacity(1.0);
        if (current) {
            painter.fillRect(QRect(area.left(), area.bottom() - 1, area.width(), 2),
                             theme::accent(palette()));
            if (hasFocus()) {
                painter.setPen(theme::color(theme::Tone::Accent, palette()));
                painter.drawRoundedRect(area.adjusted(3, 5, -4, -6), theme::kControlRadius,
                                        theme::kControlRadius);
            }
        }
    }
}

} // namespace cairn::ui
