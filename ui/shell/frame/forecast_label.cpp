// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/frame/forecast_label.h"

#include "ui/shell/frame/fitting_parts.h"
#include "ui/text/plain_text.h"
#include "ui/text/text_flags.h"
#include "ui/widgets/accessible.h"

#include <QPainter>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr qsizetype kLines = 2;
constexpr qsizetype kLeastLetters = 10; ///< of a shortened sentence
const QString kEllipsis = QStringLiteral(" …");

} // namespace

ForecastLabel::ForecastLabel(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(this, QAccessible::StaticText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ForecastLabel::setParts(const QStringList& parts, const QString& tip, theme::Tone tone) {
    if (parts != m_parts || tone != m_tone) {
        m_parts = parts;
        m_tone = tone;
        setAccessibleName(text());
        update();
    }
    text::setToolTip(this, tip);
}

QString ForecastLabel::text() const {
    return joinedParts(m_parts);
}

QString ForecastLabel::shownText() const {
    return shownLines().join(QLatin1Char(' '));
}

QStringList ForecastLabel::shownLines() const {
    const auto fits = [this](const QString& line) {
        return fontMetrics().horizontalAdvance(line) <= width();
    };
    if (const QString line = fittingParts(m_parts, fits); !line.isEmpty()) {
        return {line};
    }
    return m_tone == theme::Tone::Dim ? QStringList() : sentenceLines();
}

/// A sentence in two lines of the small font, shortened after a word. The beginning of a sentence
/// is of use, "4 …" is not.
QStringList ForecastLabel::sentenceLines() const {
    const QFontMetrics metrics(theme::small(font()));
    const auto fits = [&](const QString& line) {
        return metrics.horizontalAdvance(line) <= width();
    };
    QStringList lines{QString()};
    for (const QString& word : m_parts.value(0).split(QLatin1Char(' '))) {
        const QString longer =
            lines.last().isEmpty() ? word : lines.last() + QLatin1Char(' ') + word;
        if (fits(longer)) {
            lines.last() = longer;
        } else {
            lines << word;
        }
    }
    if (lines.size() <= kLines && std::ranges::all_of(lines, fits)) {
        return lines;
    }
    lines = lines.mid(0, kLines);
    while (!lines.isEmpty() && !fits(lines.last() + kEllipsis)) {
        const qsizetype word = lines.last().lastIndexOf(QLatin1Char(' '));
        word < 0 ? lines.removeLast() : lines.last().truncate(word);
    }
    if (lines.join(QLatin1Char(' ')).size() < kLeastLetters) {
        return {};
    }
    lines.last() += kEllipsis;
    return lines;
}

QSize ForecastLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(text()), fontMetrics().height()};
}

QSize ForecastLabel::minimumSizeHint() const {
    return {0, fontMetrics().height()};
}

void ForecastLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(theme::color(m_tone, palette()));
    const QStringList lines = shownLines();
    const QString shown = lines.join(QLatin1Char('\n'));
    if (lines.size() > 1 || shown.endsWith(kEllipsis)) {
        painter.setFont(theme::small(font()));
    }
    painter.drawText(rect(),
                     text::textFlags(layoutDirection(), Qt::AlignVCenter | Qt::AlignLeading, shown),
                     shown);
}

} // namespace cairn::ui
