// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/forecast_label.h"

#include "ui/shell/fitting_parts.h"
#include "ui/text/plain_text.h"
#include "ui/text/text_flags.h"
#include "ui/widgets/accessible.h"

#include <QPainter>

namespace cairn::ui {

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
    const auto fits = [this](const QString& line) {
        return fontMetrics().horizontalAdvance(line) <= width();
    };
    if (QString line = fittingParts(m_parts, fits); !line.isEmpty()) {
        return line;
    }
    // The beginning of a sentence is of use, "4 …" is not.
    const bool isSentence = m_tone == theme::Tone::Attention;
    QStringList words = m_parts.value(0).split(QLatin1Char(' '));
    while (isSentence && words.size() > 1) {
        words.removeLast();
        const QString line = words.join(QLatin1Char(' ')) + QStringLiteral(" …");
        if (fits(line)) {
            return line;
        }
    }
    return {};
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
    const QString shown = shownText();
    painter.drawText(rect(),
                     text::textFlags(layoutDirection(), Qt::AlignVCenter | Qt::AlignLeading, shown),
                     shown);
}

} // namespace cairn::ui
