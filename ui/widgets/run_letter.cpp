// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run_letter.h"

#include "ui/theme/theme.h"
#include "ui/widgets/accessible.h"

#include <QPainter>

namespace cairn::ui {
namespace {

constexpr int kLine = 22;
constexpr int kGap = 5;

} // namespace

RunLetter::RunLetter(int series, Qt::Alignment alignment, bool line, QWidget* parent)
    : QWidget(parent), m_series(series), m_alignment(alignment), m_line(line) {
    setAccessibleRole(this, QAccessible::StaticText);
    setSizePolicy(line ? QSizePolicy::Fixed : QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(text(series));
}

QString RunLetter::text(int series) {
    return QString(QChar::fromLatin1(static_cast<char>('A' + series % 26)));
}

QFont RunLetter::bold() const {
    QFont font = this->font();
    font.setWeight(QFont::Bold);
    return font;
}

QSize RunLetter::sizeHint() const {
    const QFontMetrics metrics(bold());
    return {metrics.horizontalAdvance(text(m_series)) + (m_line ? kLine + kGap : 0) + 1,
            metrics.height()};
}

void RunLetter::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(bold());
    const QColor color = theme::series(m_series, palette());
    painter.setPen(color);
    painter.drawText(rect(), static_cast<int>(m_alignment | Qt::AlignVCenter), text(m_series));
    if (m_line) {
        painter.setRenderHint(QPainter::Antialiasing);
        QPen pen(color, 2, theme::seriesDash(m_series));
        pen.setCapStyle(Qt::FlatCap);
        painter.setPen(pen);
        const double y = height() / 2.0;
        painter.drawLine(QPointF(width() - kLine, y), QPointF(width(), y));
    }
}

} // namespace cairn::ui
