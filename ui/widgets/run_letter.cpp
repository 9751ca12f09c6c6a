// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run_letter.h"

#include "ui/theme/theme.h"

#include <QPainter>

namespace cairn::ui {

RunLetter::RunLetter(int series, QWidget* parent)
    : QLabel(QString(QChar(u'A' + series)), parent), m_series(series) {
    QFont bold = font();
    bold.setBold(true);
    setFont(bold);
}

void RunLetter::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(theme::series(m_series, palette()));
    painter.drawText(contentsRect(), static_cast<int>(alignment()), text());
}

} // namespace cairn::ui
