// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/value_grid.h"

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/accessible.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace cairn::ui {

ValueGrid::ValueGrid(QWidget* parent) : QWidget(parent) {
    setLayoutDirection(Qt::LeftToRight); // rows of values run so in any language
    setAccessibleRole(this, QAccessible::StaticText);
    setFont(theme::mono(theme::small(font())));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ValueGrid::show(TensorPreview preview) {
    m_preview = std::move(preview);
    QStringList lines;
    for (int row = 0; row < m_preview.rows; ++row) {
        QStringList cells;
        for (int column = 0; column < m_preview.columns; ++column) {
            cells << m_preview.cell(row, column);
        }
        lines << cells.join(QLatin1Char(' '));
    }
    setAccessibleName(tr("First values"));
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

void ValueGrid::clear() {
    show({});
}

int ValueGrid::lineHeight() const {
    return fontMetrics().height() + 2;
}

int ValueGrid::columnStep() const {
    int widest = 0;
    for (const QString& cell : m_preview.cells) {
        widest = std::max(widest, fontMetrics().horizontalAdvance(cell));
    }
    return widest + fontMetrics().horizontalAdvance(QLatin1Char(' ')) + 4;
}

bool ValueGrid::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = help->pos().y() / lineHeight();
    const int column = help->pos().x() / columnStep();
    if (row < m_preview.rows && column < m_preview.columns) {
        const QString& exact =
            m_preview.exact[static_cast<std::size_t>(row * m_preview.columns + column)];
        QToolTip::showText(help->globalPos(), text::toolTip(exact), this);
    } else {
        QToolTip::hideText();
    }
    return true;
}

QSize ValueGrid::sizeHint() const {
    return {200, lineHeight() * (m_preview.rows + (m_preview.moreRows ? 1 : 0))};
}

QSize ValueGrid::minimumSizeHint() const {
    return {80, sizeHint().height()};
}

void ValueGrid::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setLayoutDirection(layoutDirection());
    const int gap = fontMetrics().horizontalAdvance(QLatin1Char(' ')) + 4;
    const int widest = columnStep() - gap;
    const int dots = fontMetrics().horizontalAdvance(QStringLiteral("…")) + gap;
    const int fitting = std::clamp((width() - dots + gap) / std::max(1, widest + gap), 1,
                                   std::max(1, m_preview.columns));
    const bool more = m_preview.moreColumns || fitting < m_preview.columns;
    const QColor plain = theme::color(theme::Tone::Plain, palette());
    const QColor dim = theme::color(theme::Tone::Dim, palette());
    for (int row = 0; row < m_preview.rows; ++row) {
        const int top = row * lineHeight();
        for (int column = 0; column < std::min(fitting, m_preview.columns); ++column) {
            const QString& cell = m_preview.cell(row, column);
            const bool isSpecial =
                cell == QLatin1String("nan") || cell.endsWith(QLatin1String("inf"));
            painter.setPen(isSpecial ? theme::color(theme::Tone::Broken, palette()) : plain);
            painter.drawText(QRect(column * (widest + gap), top, widest, lineHeight()),
                             Qt::AlignRight | Qt::AlignVCenter, cell);
        }
        if (more) {
            painter.setPen(dim);
            painter.drawText(QRect(fitting * (widest + gap), top, dots, lineHeight()),
                             Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("…"));
        }
    }
    if (m_preview.moreRows) {
        painter.setPen(dim);
        painter.drawText(QRect(0, m_preview.rows * lineHeight(), widest, lineHeight()),
                         Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("⋮"));
    }
}

} // namespace cairn::ui
