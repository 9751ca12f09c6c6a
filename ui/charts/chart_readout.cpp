// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_readout.h"

#include "ui/theme/theme.h"
#include "ui/widgets/accessible.h"

#include <QPainter>

#include <utility>

namespace cairn::ui {
namespace {

constexpr int kPartGap = theme::kGrid + 2; ///< px between two values

} // namespace

ChartReadout::ChartReadout(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleRole(this, QAccessible::StaticText);
}

void ChartReadout::setParts(std::vector<Part> parts) {
    m_parts = std::move(parts);
    setAccessibleName(text());
    updateGeometry();
    update();
}

QString ChartReadout::text() const {
    QStringList texts;
    for (const Part& part : m_parts) {
        texts << part.text;
    }
    return texts.join(QStringLiteral("  "));
}

QSize ChartReadout::sizeHint() const {
    const QFontMetrics metrics(theme::mono(theme::small(font())));
    int width = 0;
    for (const Part& part : m_parts) {
        width += metrics.horizontalAdvance(part.text) + kPartGap;
    }
    return {width, metrics.height()};
}

void ChartReadout::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(theme::mono(theme::small(font())));
    const QFontMetrics metrics(painter.font());
    int right = width();
    const bool fits = sizeHint().width() - kPartGap <= width();
    for (std::size_t i = m_parts.size(); i-- > 0;) {
        const int wide = metrics.horizontalAdvance(m_parts[i].text);
        if (!fits && m_parts[i].isOptional) {
            continue;
        }
        if (right - wide < 0) {
            break; // its new size is not known yet
        }
        painter.setPen(m_parts[i].series < 0 ? theme::color(theme::Tone::Dim, palette())
                                             : theme::series(m_parts[i].series, palette()));
        painter.drawText(QRect(right - wide, 0, wide + 1, height()),
                         Qt::AlignLeft | Qt::AlignVCenter, m_parts[i].text);
        right -= wide + kPartGap;
    }
}

} // namespace cairn::ui
