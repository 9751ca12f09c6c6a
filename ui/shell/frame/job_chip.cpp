// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/frame/job_chip.h"

#include "ui/pages/consolidate/job_words.h"
#include "ui/shell/frame/fitting_parts.h"
#include "ui/text/plain_text.h"
#include "ui/text/text_flags.h"

#include <QPainter>

#include <algorithm>

namespace cairn::ui {
namespace {
constexpr int kRing = 14;
constexpr double kRingWidth = 2.5;
constexpr int kTurn = 360 * 16; // QPainter counts sixteenths of a degree
} // namespace

JobChip::JobChip(QWidget* parent) : QAbstractButton(parent) {
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    hide();
}

void JobChip::showProgress(double fraction, const QStringList& parts, bool paused) {
    m_ended = false;
    m_fraction = fraction;
    m_tone = paused ? theme::Tone::Dim : theme::Tone::Accent;
    setParts(parts);
}

void JobChip::showOutcome(theme::Tone tone, const QString& text) {
    m_ended = true;
    m_tone = tone;
    setParts({text});
}

void JobChip::setParts(const QStringList& parts) {
    if (parts != m_parts) {
        m_parts = parts;
        const QString whole = joinedParts(parts);
        setAccessibleName(tr("Jobs: %1").arg(whole));
        text::setToolTip(this, whole + QLatin1Char('\n') + tr("Show the jobs"));
        updateGeometry();
    }
    update();
}

int JobChip::widthOf(const QString& text) const {
    return kRing + 3 * theme::kGrid + fontMetrics().horizontalAdvance(text);
}

QString JobChip::shownText() const {
    return fittingParts(m_parts, [this](const QString& line) { return widthOf(line) <= width(); });
}

QSize JobChip::sizeHint() const {
    return {widthOf(joinedParts(m_parts)), theme::kControlHeight};
}

QSize JobChip::minimumSizeHint() const {
    return {widthOf(m_parts.value(0)), theme::kControlHeight};
}

void JobChip::paintRing(QPainter& painter, const QRectF& place) const {
    if (m_ended) {
        painter.setPen(theme::color(m_tone, palette()));
        painter.drawText(place, Qt::AlignCenter, toneMark(m_tone));
        return;
    }
    const QRectF ring = place.adjusted(1.5, 1.5, -1.5, -1.5);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme::track(palette()), kRingWidth));
    painter.drawEllipse(ring);
    painter.setPen(QPen(theme::color(m_tone, palette()), kRingWidth));
    painter.drawArc(ring, kTurn / 4, -static_cast<int>(std::clamp(m_fraction, 0.0, 1.0) * kTurn));
}

void JobChip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool marked = hasFocus();
    painter.setPen(marked ? theme::color(theme::Tone::Accent, palette())
                          : theme::hairline(palette()));
    painter.setBrush(isDown() || underMouse() ? theme::track(palette())
                                              : palette().color(QPalette::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::kControlRadius,
                            theme::kControlRadius);
    const bool mirrored = layoutDirection() == Qt::RightToLeft;
    const QRectF ring(mirrored ? width() - kRing - theme::kGrid : theme::kGrid,
                      (height() - kRing) / 2.0, kRing, kRing);
    paintRing(painter, ring);
    painter.setPen(theme::color(theme::Tone::Plain, palette()));
    const int left = kRing + 2 * theme::kGrid;
    painter.drawText(
        rect().adjusted(mirrored ? 0 : left, 0, mirrored ? -left : 0, 0),
        text::textFlags(layoutDirection(), Qt::AlignVCenter | Qt::AlignLeading, shownText()),
        shownText());
}

} // namespace cairn::ui
