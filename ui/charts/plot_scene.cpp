// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_scene.h"

#include "ui/charts/curve_ink.h"
#include "ui/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <set>

namespace cairn::ui {
namespace {

constexpr double kDotRoom = 14;      ///< px between points from which each gets a dot
constexpr std::size_t kMaxDots = 60; ///< of one curve
constexpr double kDashLength =
    5; ///< in units of the line's width: the shortest line on which dashes are visible
constexpr double kTickReach = 8; ///< px around a mark that belong to it
constexpr double kTickRoom = 7;  ///< px for each mark; with less they are drawn small

constexpr double kMaxLabelShare = 0.3;    ///< of the width, for labels of the y axis
constexpr std::size_t kMaxDrawn = 12'000; ///< points of all curves of a chart
constexpr std::size_t kMinDrawn = 100;    ///< of one curve: each column still has its extremes

void unite(std::optional<Range>& all, const std::optional<Range>& more) {
    if (more) {
        all = all ? Range{std::min(all->low, more->low), std::max(all->high, more->high)} : *more;
    }
}

} // namespace

void PlotScene::arrange(const ChartContent& content, const std::vector<CurveDataPtr>& smoothed,
                        const ChartBoard& board, const QRectF& place, const QFont& font) {
    const ChartBoard::Options& options = board.options();
    QRectF& area = m_frame.area;
    area = place.marginsRemoved(plotMargins(font)).toAlignedRect();
    m_frame.x = board.shown();
    m_frame.xScale = options.xScale;
    m_frame.yScale = options.yScale;
    m_curves.clear();
    std::optional<Range> values;
    const std::size_t most = std::clamp(kMaxDrawn / std::max<std::size_t>(1, content.curves.size()),
                                        kMinDrawn, kMaxCurvePoints);
    for (std::size_t i = 0; i < content.curves.size(); ++i) {
        const ChartCurve& curve = content.curves[i];
        DrawnCurve drawn;
        drawn.raw = curve.data->sample(m_frame.x, options.xScale, options.yScale, most);
        if (curve.low && curve.high) {
            drawn.low = curve.low->sample(m_frame.x, options.xScale, options.yScale, most);
            drawn.high = curve.high->sample(m_frame.x, options.xScale, options.yScale, most);
            unite(values, drawn.low->values);
            unite(values, drawn.high->values);
        }
        if (i < smoothed.size() && smoothed[i]) {
            drawn.smoothed = smoothed[i]->sample(m_frame.x, options.xScale, options.yScale, most);
        }
        unite(values, drawn.raw.values);
        m_curves.push_back(std::move(drawn));
    }
    const auto boxed = board.view().y.find(content.name);
    if (boxed != board.view().y.end()) {
        m_frame.y = *boxed;
    } else {
        const Range fallback = options.yScale == Scale::Log ? Range{0.1, 1} : Range{0, 1};
        m_frame.y = withMargin(values.value_or(fallback), options.yScale, 0.06);
        if (!content.ticks.empty() && area.height() > 4 * kTickSize) { // space for their marks
            const double low = PlotFrame::place(m_frame.y.low, options.yScale);
            const double high = PlotFrame::place(m_frame.y.high, options.yScale);
            const double room = (kTickSize + 2) / (area.height() - kTickSize - 2);
            m_frame.y.low = PlotFrame::unplace(low - room * (high - low), options.yScale);
        }
    }
    m_ticks.y = axisTicks(m_frame.y, options.yScale, AxisUnit::Plain,
                          std::clamp(static_cast<int>(area.height() / 36), 2, 8));
    area = place.marginsRemoved(plotMargins(font, m_ticks.y, place.width() * kMaxLabelShare))
               .toAlignedRect();
    m_ticks.x = axisTicks(m_frame.x, options.xScale, options.unit,
                          std::max(2, static_cast<int>(area.width() / 90)));
}

int PlotScene::tickAt(const ChartContent& content, QPointF place) const {
    if (place.y() < m_frame.area.bottom() - kTickSize - kTickReach ||
        place.y() > m_frame.area.bottom() + kTickReach) {
        return -1;
    }
    int best = -1;
    double distance = kTickReach;
    for (std::size_t i = 0; i < content.ticks.size(); ++i) {
        const double away = std::abs(m_frame.toX(content.ticks[i].x) - place.x());
        if (away < distance) {
            distance = away;
            best = static_cast<int>(i);
        }
    }
    return best;
}

bool PlotScene::showsDashes(const SampledCurve& curve) const {
    double room = kDashLength * m_frame.area.width();
    for (const auto& line : curve.lines) {
        for (std::size_t i = 1; i < line.size() && room > 0; ++i) {
            const QPointF way = m_frame.toPoint(line[i]) - m_frame.toPoint(line[i - 1]);
            room -= std::abs(way.x()) + std::abs(way.y());
        }
    }
    return room > 0;
}

void PlotScene::paintGround(QPainter& painter, const QFont& font, const QPalette& palette) const {
    paintAxes(painter, m_frame, m_ticks, font, palette);
}

void PlotScene::paintBands(QPainter& painter, const ChartContent& content,
                           const QPalette& palette) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(m_frame.area);
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        const DrawnCurve& drawn = m_curves[i];
        if (!drawn.low || !drawn.high || drawn.low->lines.size() != drawn.high->lines.size()) {
            continue; // part of an edge cannot be drawn on a log axis
        }
        QColor color = curveColor(content, content.curves[i], palette);
        color.setAlphaF((theme::isDark(palette) ? 0.22F : 0.17F) *
                        (content.curves[i].faint ? 0.3F : 1.0F));
        painter.setBrush(color);
        for (std::size_t line = 0; line < drawn.low->lines.size(); ++line) {
            QPolygonF outline;
            for (const PlotPoint& point : drawn.high->lines[line]) {
                outline << m_frame.toPoint(point);
            }
            const std::vector<PlotPoint>& low = drawn.low->lines[line];
            for (auto point = low.rbegin(); point != low.rend(); ++point) {
                outline << m_frame.toPoint(*point);
            }
            painter.drawPolygon(outline, Qt::WindingFill);
        }
    }
    painter.restore();
}

void PlotScene::paintDots(QPainter& painter, const DrawnCurve& drawn, const QColor& color,
                          Dots which) const {
    const SampledCurve& curve = drawn.raw; // what was measured, also where a smoothed line is drawn
    const bool all = which == Dots::All && curve.points <= kMaxDots &&
                     static_cast<double>(curve.points) * kDotRoom <= m_frame.area.width();
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    for (const auto& line : curve.lines) {
        if (!all && line.size() > 1) {
            continue;
        }
        for (const PlotPoint& point : line) {
            if (m_frame.area.adjusted(-1, -1, 1, 1).contains(m_frame.toPoint(point))) {
                painter.drawEllipse(m_frame.toPoint(point), 2.2, 2.2);
            }
        }
    }
}

void PlotScene::paintEdgeMarks(QPainter& painter, const SampledCurve& curve,
                               const QColor& color) const {
    const QRectF& area = m_frame.area;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, 1.5));
    for (const EdgeMark& mark : curve.marks) {
        const double x = m_frame.toX(mark.x);
        const double top = area.top() + 4;
        const double bottom = area.bottom() - 5;
        switch (mark.why) {
        case OffScale::NotANumber: // a cross
            painter.drawLine(QPointF(x - 3, top - 3), QPointF(x + 3, top + 3));
            painter.drawLine(QPointF(x - 3, top + 3), QPointF(x + 3, top - 3));
            break;
        case OffScale::Infinite: // points up, out of the plot
            painter.drawPolyline(QPolygonF({{x - 3.5, top + 3}, {x, top - 3}, {x + 3.5, top + 3}}));
            break;
        case OffScale::MinusInfinite:
        case OffScale::NotPositive: // points down
            painter.drawPolyline(
                QPolygonF({{x - 3.5, bottom - 3}, {x, bottom + 3}, {x + 3.5, bottom - 3}}));
            break;
        }
    }
}

void PlotScene::paintRestarts(QPainter& painter, const CurveData& data, const QColor& color) const {
    QColor quiet = color;
    quiet.setAlphaF(0.6F);
    painter.setPen(QPen(quiet, 1, Qt::DotLine));
    double lastX = -1e9;
    for (std::size_t i = 1; i < data.segments().size(); ++i) {
        const double value = data.x()[data.segments()[i].first];
        if (m_frame.xScale == Scale::Log && value <= 0) {
            continue;
        }
        const double x = std::round(m_frame.toX(value)) + 0.5;
        if (x < m_frame.area.left() || x > m_frame.area.right() || std::abs(x - lastX) < 2) {
            continue;
        }
        lastX = x;
        painter.drawLine(QPointF(x, m_frame.area.top()), QPointF(x, m_frame.area.bottom()));
        // A small hook at the top marks a restart.
        QPainterPath hook;
        hook.moveTo(x + 6, m_frame.area.top() + 2);
        hook.lineTo(x, m_frame.area.top() + 5);
        hook.lineTo(x + 6, m_frame.area.top() + 8);
        painter.fillPath(hook, color);
    }
}

bool PlotScene::hasDenseTicks(const ChartContent& content) const {
    const auto inView = std::ranges::count_if(content.ticks, [this](const ChartTick& tick) {
        return tick.x >= m_frame.x.low && tick.x <= m_frame.x.high;
    });
    return static_cast<double>(inView) * kTickRoom > m_frame.area.width();
}

void PlotScene::paintTick(QPainter& painter, const ChartTick& tick, const QColor& color,
                          const QColor& ground, std::set<int>& filled) const {
    const double bottom = m_frame.area.bottom();
    const double x = m_frame.toX(tick.x);
    if (tick.selected) {
        painter.setPen(QPen(color, 1));
        painter.drawLine(QPointF(x, m_frame.area.top()), QPointF(x, bottom - kTickSize));
    }
    const double half = tick.selected ? 6 : 5;
    const double height = tick.selected ? kTickSize + 2 : kTickSize;
    const bool broken = tick.state == ChartTick::State::Broken; // drawn upside down
    const double base = broken ? bottom - height : bottom;
    const double tip = broken ? bottom : bottom - height;
    const QPolygonF triangle({{x - half, base}, {x, tip}, {x + half, base}});
    const bool hollow = tick.state == ChartTick::State::Writing || tick.series % 2 == 1;
    painter.setPen(QPen(color, 1.2));
    const int place = static_cast<int>(std::lround(x));
    const bool isAround = hollow && filled.contains(place) && !broken;
    painter.setBrush(isAround ? QBrush(Qt::NoBrush) : QBrush(hollow ? ground : color));
    if (!hollow) {
        filled.insert(place);
    }
    painter.drawPolygon(triangle);
}

void PlotScene::paintTicks(QPainter& painter, const ChartContent& content, const QPalette& palette,
                           int hovered) const {
    const double bottom = m_frame.area.bottom();
    painter.setRenderHint(QPainter::Antialiasing);
    const bool several = std::any_of(content.ticks.begin(), content.ticks.end(),
                                     [](const ChartTick& tick) { return tick.series > 0; });
    const bool isDense = hasDenseTicks(content);
    std::set<int> filled; // px: the outline of another run's checkpoint is drawn around these
    const auto paint = [&](const ChartTick& tick, bool isLarge) {
        const double x = (m_frame.xScale == Scale::Log && tick.x <= 0) ? -1 : m_frame.toX(tick.x);
        if (x < m_frame.area.left() - 1 || x > m_frame.area.right() + 1) {
            return;
        }
        const bool broken = tick.state == ChartTick::State::Broken;
        const QColor color = broken          ? theme::color(theme::Tone::Broken, palette)
                             : tick.selected ? theme::accent(palette)
                             : several       ? theme::series(tick.series, palette)
                                             : theme::color(theme::Tone::Dim, palette);
        if (isLarge) {
            paintTick(painter, tick, color, theme::cardGround(palette), filled);
            return;
        }
        painter.setPen(QPen(color, 1));
        const double place = std::round(x) + 0.5; // a line of its own where there is a pixel
        painter.drawLine(QPointF(place, bottom), QPointF(place, bottom - kTickSize * 2 / 3));
    };
    for (const bool selected : {false, true}) { // the selected one is drawn on top
        for (const ChartTick& tick : content.ticks) {
            if (tick.selected == selected) {
                paint(tick, !isDense || selected || tick.state == ChartTick::State::Broken);
            }
        }
    }
    if (isDense && hovered >= 0 && hovered < static_cast<int>(content.ticks.size())) {
        paint(content.ticks[static_cast<std::size_t>(hovered)], true);
    }
}

void PlotScene::paintMarks(QPainter& painter, const ChartContent& content, const QPalette& palette,
                           std::size_t first, std::size_t last) const {
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isMany = content.isMany();
    for (std::size_t i = first; i < last; ++i) {
        QColor color = curveColor(content, content.curves[i], palette);
        color.setAlphaF(content.curves[i].faint ? 0.3F : 1.0F);
        if (!isMany) {
            paintRestarts(painter, *content.curves[i].data, color);
        }
        paintDots(painter, m_curves[i], color, isMany ? Dots::Lone : Dots::All);
        paintEdgeMarks(painter, m_curves[i].raw, color);
    }
}

void PlotScene::paintBold(QPainter& painter, const ChartContent& content, const QPalette& palette,
                          std::size_t curve) const {
    const DrawnCurve& drawn = m_curves[curve];
    const SampledCurve& line = drawn.smoothed ? *drawn.smoothed : drawn.raw;
    QPen pen = boldPen(content, content.curves[curve], palette);
    if (!showsDashes(line)) {
        pen.setStyle(Qt::SolidLine);
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(m_frame.area);
    painter.setBrush(Qt::NoBrush);
    for (const QPen& each : {QPen(theme::cardGround(palette), pen.widthF() + 2), pen}) { // a halo
        painter.setPen(each);
        for (const auto& part : line.lines) {
            QPolygonF points;
            for (const PlotPoint& point : part) {
                points << m_frame.toPoint(point);
            }
            painter.drawPolyline(points);
        }
    }
    paintRestarts(painter, *content.curves[curve].data, pen.color());
    paintDots(painter, drawn, pen.color(), Dots::All);
    painter.restore();
    paintEdgeMarks(painter, drawn.raw, pen.color());
}

} // namespace cairn::ui
