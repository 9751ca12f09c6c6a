// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scatter_plot.h"

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace cairn::ui {
namespace {

constexpr double kRadius = 3.6;       ///< px of a point
constexpr double kReach = 10;         ///< px around a point that belong to it
constexpr double kMaxLeftShare = 0.3; ///< of the width, for labels of the y axis

} // namespace

ScatterPlot::ScatterPlot(QWidget* parent) : RelationPlot(parent) {
    setAccessibleName(tr("Scatter plot"));
}

void ScatterPlot::show(RelationPtr shown) {
    setRelation(std::move(shown));
    m_from.reset();
    m_drawn.clear();
    for (std::size_t i = 0; relation() != nullptr && i < relation()->items.size(); ++i) {
        if (relation()->axes[0].has(i) && relation()->axes[1].has(i)) {
            m_drawn.push_back(i);
        }
    }
    itemsChanged();
    if (relation() != nullptr) {
        setAccessibleDescription(
            tr("%Ln points, %1 against %2. Arrow keys walk the points, Space chooses one", nullptr,
               static_cast<int>(m_drawn.size()))
                .arg(relation()->axes[1].title, relation()->axes[0].title));
    }
    arrange();
}

void ScatterPlot::arrange() {
    if (relation() == nullptr) {
        return;
    }
    const RelationAxis& x = relation()->axes[0];
    const RelationAxis& y = relation()->axes[1];
    const QRectF place(rect());
    const double height = place.marginsRemoved(plotMargins(font())).height();
    m_ticks.y = y.ticks(std::clamp(static_cast<int>(height / 36), 2, 8));
    const QMarginsF margins = plotMargins(font(), m_ticks.y, width() * kMaxLeftShare);
    const QRectF area = place.marginsRemoved(margins).toAlignedRect();
    m_frame = {area, x.range, y.range, x.scale, y.scale};
    m_ticks.x = x.ticks(std::max(2, static_cast<int>(area.width() / 90)));
    const QFontMetrics metrics(theme::small(font()));
    for (AxisTick& tick : m_ticks.y) {
        tick.label =
            text::elided(tick.label, metrics, static_cast<int>(margins.left()) - theme::kGrid);
    }
    forgetBase();
}

std::optional<QPointF> ScatterPlot::placeOf(std::size_t item) const {
    if (relation() == nullptr || !relation()->axes[0].has(item) || !relation()->axes[1].has(item)) {
        return std::nullopt;
    }
    return m_frame.toPoint({relation()->axes[0].values[item], relation()->axes[1].values[item]});
}

QString ScatterPlot::itemText(int item) {
    const std::size_t at = m_drawn[static_cast<std::size_t>(item)];
    QString line = relation()->items[at].name;
    for (const RelationAxis& axis : {relation()->axes[1], relation()->axes[0]}) {
        line += QStringLiteral(" · ") + axis.title + QLatin1Char(' ') + axis.text(axis.values[at]);
    }
    if (isChosen(at)) {
        line += QStringLiteral(" · ") + tr("chosen");
    }
    return line;
}

QRectF ScatterPlot::itemRect(int item) {
    const QPointF place = *placeOf(m_drawn[static_cast<std::size_t>(item)]);
    return QRectF(place, QSizeF()).adjusted(-5, -5, 5, 5);
}

void ScatterPlot::choose(std::vector<bool> chosen) {
    if (std::ranges::find(chosen, true) == chosen.end()) {
        chosen.clear();
    }
    if (chosen != this->chosen()) {
        setChosen(std::move(chosen));
        Q_EMIT chosenChanged();
    }
}

int ScatterPlot::nearest(const QPointF& place) const {
    int best = -1;
    double least = kReach * kReach;
    for (std::size_t i = 0; i < m_drawn.size(); ++i) {
        const QPointF away = *placeOf(m_drawn[i]) - place;
        if (const double distance = QPointF::dotProduct(away, away); distance <= least) {
            least = distance;
            best = static_cast<int>(i);
        }
    }
    return best;
}

void ScatterPlot::chooseAt(const QPointF& place, bool adds) {
    if (const int point = nearest(place); point >= 0) {
        setCurrentItem(point);
        choosePoint(point, adds);
    } else if (!adds) {
        choose({});
    }
}

std::vector<bool> ScatterPlot::chosenBefore(bool adds) const {
    return adds && hasChosen() ? this->chosen()
                               : std::vector<bool>(relation()->items.size(), false);
}

void ScatterPlot::choosePoint(int point, bool adds) {
    const std::size_t item = m_drawn[static_cast<std::size_t>(point)];
    std::vector<bool> chosen = chosenBefore(adds);
    chosen[item] = !adds || !chosen[item];
    choose(std::move(chosen));
    Q_EMIT pointClicked();
}

void ScatterPlot::chooseWithin(const QRectF& box, bool adds) {
    std::vector<bool> chosen = chosenBefore(adds);
    for (const std::size_t item : m_drawn) {
        chosen[item] = chosen[item] || box.contains(*placeOf(item));
    }
    choose(std::move(chosen));
}

void ScatterPlot::paintPoint(QPainter& painter, std::size_t item, bool chosen) const {
    QColor color = ink(item, chosen);
    color.setAlphaF(chosen || !hasChosen() ? 0.85F : 0.3F);
    painter.setBrush(color);
    const double radius = kRadius + (relation()->items[item].series >= 0 ? 1 : 0);
    painter.drawEllipse(*placeOf(item), radius, radius);
}

void ScatterPlot::paintBase(QPainter& painter, std::size_t first, std::size_t last) const {
    if (first == 0) {
        paintAxes(painter, m_frame, m_ticks, font(), palette());
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme::cardGround(palette()), 1)); // points that overlap stay apart
    for (std::size_t i = first; i < last; ++i) {
        paintPoint(painter, m_drawn[i], false);
    }
}

void ScatterPlot::paintChosen(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme::cardGround(palette()), 1));
    for (const std::size_t item : m_drawn) {
        if (isChosen(item)) {
            paintPoint(painter, item, true);
        }
    }
}

void ScatterPlot::paintPointer(QPainter& painter) {
    if (m_from && m_dragged) {
        QColor fill = theme::accent(palette());
        painter.setPen(fill);
        fill.setAlphaF(0.12F);
        painter.setBrush(fill);
        painter.drawRect(QRectF(*m_from, m_to).normalized().intersected(m_frame.area));
    }
    RelationPlot::paintPointer(painter);
}

QString ScatterPlot::pictureTitle() const {
    return relation() == nullptr
               ? QString()
               : tr("%1 against %2").arg(relation()->axes[1].title, relation()->axes[0].title);
}

QString ScatterPlot::tipAt(const QPointF& place) {
    const int point = relation() != nullptr ? nearest(place) : -1;
    return point >= 0 ? itemText(point) : QString();
}

void ScatterPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && relation() != nullptr) {
        m_from = event->position();
        m_dragged = false;
    }
}

void ScatterPlot::mouseMoveEvent(QMouseEvent* event) {
    if (m_from) {
        m_to = event->position();
        m_dragged =
            m_dragged || (m_to - *m_from).manhattanLength() >= QApplication::startDragDistance();
        if (m_dragged) {
            chooseWithin(QRectF(*m_from, m_to).normalized(),
                         event->modifiers().testFlag(Qt::ControlModifier));
        }
        update();
    }
}

void ScatterPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_from || event->button() != Qt::LeftButton) {
        return;
    }
    m_from.reset();
    if (!m_dragged) {
        chooseAt(event->position(), event->modifiers().testFlag(Qt::ControlModifier));
    }
    update();
}

void ScatterPlot::keyPressEvent(QKeyEvent* event) {
    const bool chooses = event->key() == Qt::Key_Space || event->key() == Qt::Key_Return ||
                         event->key() == Qt::Key_Enter;
    if (relation() != nullptr && event->key() == Qt::Key_Escape && hasChosen()) {
        choose({});
    } else if (relation() != nullptr && chooses && currentItem() >= 0) {
        choosePoint(currentItem(), event->modifiers().testFlag(Qt::ControlModifier));
        speakCurrent();
    } else {
        ItemsWidget::keyPressEvent(event);
    }
}

} // namespace cairn::ui
