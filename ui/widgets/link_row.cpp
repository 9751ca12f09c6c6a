// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/link_row.h"

#include "ui/text/plain_text.h"
#include "ui/text/text_flags.h"
#include "ui/theme/theme.h"

#include <QPainter>

namespace cairn::ui {

LinkRow::LinkRow(const QString& name, const QString& remark, QWidget* parent)
    : QAbstractButton(parent), m_name(name), m_remark(remark) {
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(name);
    setAccessibleDescription(remark);
    text::setToolTip(this, name);
}

QSize LinkRow::sizeHint() const {
    return {320, fontMetrics().height() + 12};
}

QSize LinkRow::minimumSizeHint() const {
    return {160, sizeHint().height()};
}

QString LinkRow::shownRemark() const {
    const int wide = fontMetrics().horizontalAdvance(m_name) + 4 * theme::kGrid +
                     fontMetrics().horizontalAdvance(m_remark);
    return m_short.isEmpty() || wide <= width() ? m_remark : m_short;
}

void LinkRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (isEnabled() && (underMouse() || hasFocus())) {
        painter.setPen(hasFocus() ? QPen(theme::color(theme::Tone::Accent, palette()))
                                  : QPen(Qt::NoPen));
        painter.setBrush(theme::track(palette()));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5),
                                theme::kControlRadius, theme::kControlRadius);
    }
    const QRect row = rect().adjusted(theme::kGrid, 0, -theme::kGrid, 0);
    const QString shown = shownRemark();
    const int remark = fontMetrics().horizontalAdvance(shown);
    painter.setPen(theme::color(theme::Tone::Dim, palette()));
    painter.drawText(
        row, text::textFlags(layoutDirection(), Qt::AlignRight | Qt::AlignVCenter, shown), shown);
    painter.setPen(theme::color(isEnabled() ? theme::Tone::Plain : theme::Tone::Dim, palette()));
    painter.drawText(row,
                     text::textFlags(layoutDirection(), Qt::AlignLeft | Qt::AlignVCenter, m_name),
                     text::elidedAmong(m_name, m_sharedStart, fontMetrics(),
                                       row.width() - remark - 2 * theme::kGrid));
}

} // namespace cairn::ui
