// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/frame/flat_tab_bar.h"

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

int FlatTabBar::wordsWidth(QFont::Weight weight) const {
    QFont shown = font();
    shown.setWeight(weight);
    const QFontMetrics metrics(shown);
    int words = 0;
    for (int i = 0; i < count(); ++i) {
        words += metrics.horizontalAdvance(tabText(i));
    }
    return words;
}

/// Any tab may become the current one, and none moves then: each has the width of its words in
/// this weight.
QFont::Weight FlatTabBar::currentWeight() const {
    const bool fits = wordsWidth(QFont::DemiBold) + count() * kLeastPadding <= width();
    return fits ? QFont::DemiBold : QFont::Normal;
}

QSize FlatTabBar::tabSizeHint(int index) const {
    QFont shown = font();
    shown.setWeight(currentWeight());
    const QFontMetrics metrics(shown);
    const int words = wordsWidth(currentWeight());
    const int spare = count() == 0 ? kPadding : (width() - words) / count();
    return {metrics.horizontalAdvance(tabText(index)) + std::clamp(spare, kLeastPadding, kPadding),
            metrics.height() + 2 * theme::kGrid + 4};
}

void FlatTabBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(Qt::NoPen);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme::hairline(palette()));
    const QFont::Weight weight = currentWeight();
    for (int i = 0; i < count(); ++i) {
        const QRect area = tabRect(i);
        const bool current = i == currentIndex();
        const bool hovered = underMouse() && area.contains(mapFromGlobal(QCursor::pos()));
        QFont shown = font();
        shown.setWeight(current ? weight : QFont::Normal);
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
