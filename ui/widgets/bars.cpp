// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/bars.h"

#include "ui/text/plain_text.h"
#include "ui/text/text_flags.h"
#include "ui/widgets/accessible.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStyle>
#include <QToolTip>

#include <algorithm>
#include <numeric>

namespace cairn::ui {
namespace {
constexpr int kBarHeight = 10;
constexpr double kBarRadius = 2.5;

/// What is painted from the left begins at the right where the language does.
void mirror(QPainter& painter, const QWidget& widget) {
    if (widget.isRightToLeft()) {
        painter.translate(widget.width(), 0);
        painter.scale(-1, 1);
    }
}

} // namespace

RowBars::RowBars(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(this, QAccessible::Chart);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RowBars::setRows(std::vector<Row> rows) {
    m_rows = std::move(rows);
    QStringList accessibleText;
    for (const Row& row : m_rows) {
        accessibleText << row.label + QLatin1Char(' ') + row.value;
    }
    setAccessibleDescription(accessibleText.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

int RowBars::rowHeight() const {
    return fontMetrics().height() + 4;
}

int RowBars::labelWidth() const {
    int widest = 0;
    for (const Row& row : m_rows) {
        widest = std::max(widest, fontMetrics().horizontalAdvance(row.label));
    }
    return std::min({widest + 2, width() * 2 / 5, 220});
}

QSize RowBars::sizeHint() const {
    return {320, rowHeight() * static_cast<int>(m_rows.size())};
}

QSize RowBars::minimumSizeHint() const {
    return {160, sizeHint().height()};
}

void RowBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int labels = labelWidth();
    int values = 0;
    double most = 0;
    for (const Row& row : m_rows) {
        values = std::max(values, fontMetrics().horizontalAdvance(row.value));
        most = std::max(most, row.amount);
    }
    const int gap = theme::kGrid + 4;
    const int left = labels + gap;
    const int room = std::max(16, width() - left - gap - values);
    const auto placed = [this](const QRect& place) {
        return QStyle::visualRect(layoutDirection(), rect(), place);
    };
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        const int top = static_cast<int>(i) * rowHeight();
        const bool broken = row.tone == theme::Tone::Broken;
        painter.setPen(theme::color(broken ? row.tone : theme::Tone::Dim, palette()));
        painter.drawText(
            placed({0, top, labels, rowHeight()}),
            text::textFlags(layoutDirection(), Qt::AlignVCenter | Qt::AlignLeft, row.label),
            text::elided(row.label, fontMetrics(), labels));
        painter.drawText(
            placed({width() - values, top, values, rowHeight()}),
            text::textFlags(layoutDirection(), Qt::AlignVCenter | Qt::AlignRight, row.value),
            row.value);
        QRectF bar(placed({left, top, room, rowHeight()}));
        bar = QRectF(bar.left(), top + (rowHeight() - kBarHeight) / 2.0, room, kBarHeight);
        if (broken) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme::color(row.tone, palette()), 1, Qt::DashLine));
            painter.drawRoundedRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), kBarRadius, kBarRadius);
            continue;
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme::track(palette()));
        painter.drawRoundedRect(bar, kBarRadius, kBarRadius);
        if (most > 0 && row.amount > 0) {
            const double filled = std::max(2.0, room * row.amount / most);
            bar.setLeft(isRightToLeft() ? bar.right() - filled : bar.left());
            bar.setWidth(filled);
            painter.setBrush(row.tone == theme::Tone::Plain ? theme::series(0, palette())
                                                            : theme::color(row.tone, palette()));
            painter.drawRoundedRect(bar, kBarRadius, kBarRadius);
        }
    }
}

bool RowBars::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const auto row =
            static_cast<std::size_t>(std::max(0, help->pos().y() / std::max(1, rowHeight())));
        if (row < m_rows.size() && !m_rows[row].whole.isEmpty()) {
            QToolTip::showText(help->globalPos(), text::toolTip(m_rows[row].whole), this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QWidget::event(event);
}

StackedBar::StackedBar(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(this, QAccessible::Graphic);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StackedBar::setParts(std::vector<double> parts) {
    m_parts = std::move(parts);
    update();
}

void StackedBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath outline;
    outline.addRoundedRect(rect(), kBarRadius, kBarRadius);
    painter.fillPath(outline, theme::track(palette()));
    painter.setClipPath(outline);
    const double sum = std::accumulate(m_parts.begin(), m_parts.end(), 0.0);
    mirror(painter, *this);
    double x = 0;
    for (std::size_t i = 0; i < m_parts.size() && sum > 0; ++i) {
        const double share = width() * m_parts[i] / sum;
        painter.fillRect(QRectF(x, 0, share, height()),
                         theme::series(static_cast<int>(i), palette()));
        x += share;
        if (i + 1 < m_parts.size()) {
            painter.fillRect(QRectF(x - 0.5, 0, 1.0, height()), theme::cardGround(palette()));
        }
    }
}

Swatch::Swatch(int index, QWidget* parent) : QWidget(parent), m_index(index) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Swatch::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme::series(m_index, palette()));
    painter.drawRoundedRect(rect(), 2, 2);
}

ByteProgress::ByteProgress(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(this, QAccessible::ProgressBar);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ByteProgress::setShares(double done, double ahead, theme::Tone tone) {
    m_done = std::clamp(done, 0.0, 1.0);
    m_ahead = std::clamp(ahead, 0.0, 1.0);
    m_tone = tone;
    setAccessiblePercent(this, done < 0 ? -1 : static_cast<int>(m_done * 100));
    update();
}

void ByteProgress::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath outline;
    outline.addRoundedRect(rect(), height() / 2.0, height() / 2.0);
    painter.fillPath(outline, theme::track(palette()));
    painter.setClipPath(outline);
    QColor fill =
        m_tone == theme::Tone::Accent ? theme::accent(palette()) : theme::color(m_tone, palette());
    QColor light = fill;
    light.setAlphaF(0.45F);
    mirror(painter, *this);
    painter.fillRect(QRectF(0, 0, width() * std::max(m_ahead, m_done), height()), light);
    painter.fillRect(QRectF(0, 0, width() * m_done, height()), fill);
}

Hairline::Hairline(QWidget* parent, Qt::Orientation orientation) : QWidget(parent) {
    if (orientation == Qt::Horizontal) {
        setFixedHeight(1);
    } else {
        setFixedWidth(1);
    }
}

void Hairline::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme::hairline(palette()));
}

} // namespace cairn::ui
