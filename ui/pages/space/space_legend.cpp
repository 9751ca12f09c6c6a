// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/space/space_legend.h"

#include "ui/pages/space/treemap_colors.h"
#include "ui/theme/theme.h"
#include "ui/widgets/accessible.h"

#include <QPainter>
#include <QStyle>

namespace cairn::ui {
namespace {

constexpr int kSquare = 10;
constexpr int kGap = 2 * theme::kGrid; ///< px after an entry, half of it where there is no room

QString words(SpaceMap::Fill fill) {
    switch (fill) {
    case SpaceMap::Fill::Weights:
        return SpaceLegend::tr("weights");
    case SpaceMap::Fill::Optimizer:
        return SpaceLegend::tr("optimizer");
    case SpaceMap::Fill::Other:
        return SpaceLegend::tr("other");
    case SpaceMap::Fill::Outside:
        break;
    }
    return SpaceLegend::tr("not in a checkpoint");
}

} // namespace

SpaceLegend::SpaceLegend(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(this, QAccessible::StaticText);
    setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
}

void SpaceLegend::show(const std::vector<SpaceMap::Fill>& fills, bool hatched) {
    m_entries.clear();
    QStringList spoken;
    for (const SpaceMap::Fill fill : fills) {
        m_entries.push_back({words(fill), fill, false});
        spoken << words(fill);
    }
    if (hatched) {
        const SpaceMap::Fill any = fills.empty() ? SpaceMap::Fill::Other : fills.front();
        m_entries.push_back({tr("would be moved"), any, true}); // as the tiles beside it
    }
    setAccessibleName(tr("Colours: %1").arg(spoken.join(QStringLiteral(", "))));
    updateGeometry();
    update();
}

int SpaceLegend::widthWith(int gap) const {
    int width = 0;
    for (const Entry& entry : m_entries) {
        width += kSquare + theme::kGrid / 2 + fontMetrics().horizontalAdvance(entry.text) + gap;
    }
    return width;
}

QSize SpaceLegend::sizeHint() const {
    return {widthWith(kGap), fontMetrics().height() + 4};
}

void SpaceLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    int at = 0;
    const int gap = widthWith(kGap) - kGap <= width() ? kGap : kGap / 2;
    const auto placed = [this](const QRect& rect) {
        return QStyle::visualRect(layoutDirection(), this->rect(), rect);
    };
    for (const Entry& entry : m_entries) {
        const QRect square = placed(QRect(at, (height() - kSquare) / 2, kSquare, kSquare));
        if (entry.hatched) {
            QColor pale = spaceColor(entry.fill, palette());
            pale.setAlphaF(0.32F);
            painter.fillRect(square, pale);
            painter.fillRect(square, hatchingOf(entry.fill, palette()));
        } else {
            painter.fillRect(square, spaceColor(entry.fill, palette()));
        }
        at += kSquare + theme::kGrid / 2;
        const int width = fontMetrics().horizontalAdvance(entry.text);
        painter.setPen(theme::color(theme::Tone::Dim, palette()));
        painter.drawText(placed(QRect(at, 0, width + 1, height())), Qt::AlignCenter, entry.text);
        at += width + gap;
    }
}

} // namespace cairn::ui
