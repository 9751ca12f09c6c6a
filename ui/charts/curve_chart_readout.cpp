// SPDX-License-Identifier: GPL-3.0-or-later
// What of a chart is read out: at the crosshair, at the selected checkpoint or at the end; and
// where its curves were read from.
#include "ui/charts/chart_readout.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/curve_ink.h"
#include "ui/charts/curve_list.h"
#include "ui/charts/curve_table.h"
#include "ui/charts/plot_canvas.h"
#include "ui/charts/run_axis.h"
#include "ui/text/plain_text.h"

#include <QTableView>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace cairn::ui {
namespace {

constexpr std::size_t kReadOut = 8; ///< curves of many
constexpr std::size_t kSourced = 6; ///< curves whose sources are listed

} // namespace

QString differenceText(double left, double right) {
    if (!std::isfinite(left) || !std::isfinite(right)) {
        return {};
    }
    const auto sign = [](double value) {
        return value < 0 ? QStringLiteral("−") : value > 0 ? QStringLiteral("+") : QString();
    };
    const double difference = right - left;
    if (difference == 0) {
        return QStringLiteral("=");
    }
    const double share = difference / std::abs(left) * 100;
    if (left == 0 || std::abs(share) >= 1000) {
        return sign(difference) + text::number(std::abs(difference));
    }
    const double shown = std::abs(share);
    return sign(difference) +
           text::inLocale(QString::number(shown, 'f',
                                          shown < 0.1  ? 3
                                          : shown < 10 ? 1
                                                       : 0)) +
           QStringLiteral(" %");
}

QString CurveChart::readout() const {
    return m_content.isMany() && m_list != nullptr ? m_list->text() : m_readout->text();
}

/// Where the readout is while there is no crosshair: in a chart of one run at the value that is
/// recorded at, or next to, the selected checkpoint; else at the end of each curve, or of what is
/// in view of them.
std::optional<double> CurveChart::idlePosition() const {
    const auto& curves = m_content.curves;
    const Range shown = m_board.shown();
    const bool isZoomed = m_board.view().x.has_value();
    const auto isShown = [&](double x) { return !isZoomed || (x >= shown.low && x <= shown.high); };
    const auto selected = std::ranges::find_if(m_content.ticks, &ChartTick::selected);
    const bool isOneRun = std::ranges::all_of(
        curves, [&](const ChartCurve& curve) { return curve.run == curves.front().run; });
    if (selected != m_content.ticks.end() && isOneRun && isShown(selected->x)) {
        for (std::size_t i = 0; i < curves.size(); ++i) {
            if (const auto point = m_canvas->pointAt(i, selected->x)) {
                return curves[i].data->x()[*point];
            }
        }
    }
    std::optional<double> last;
    for (std::size_t i = 0; isZoomed && i < curves.size(); ++i) {
        if (const auto point = curves[i].data->lastWithin(shown)) {
            const double x = curves[i].data->x()[*point];
            last = last ? std::max(*last, x) : x;
        }
    }
    return last;
}

std::optional<std::size_t> CurveChart::readPoint(std::size_t curve, std::optional<double> x) const {
    const CurveData& points = *m_content.curves[curve].data;
    if (!x) {
        return points.size() > 0 ? std::optional(points.size() - 1) : std::nullopt;
    }
    const auto point = m_canvas->pointAt(curve, *x);
    if (m_board.crosshair() || !m_board.view().x) {
        return point;
    }
    const Range shown = m_board.shown(); // what is out of view is not read out
    const bool isShown =
        point && points.x()[*point] >= shown.low && points.x()[*point] <= shown.high;
    return isShown ? point : points.lastWithin(shown);
}

/// The curves whose values are read out: of many, those with the best values, the best one first;
/// without a better direction the first ones.
std::vector<CurveChart::Listed> CurveChart::listedCurves(std::optional<double> x) const {
    std::vector<Listed> listed;
    for (std::size_t i = 0; i < m_content.curves.size(); ++i) {
        if (const auto point = readPoint(i, x)) {
            listed.push_back({i, *point}); // else no value is recorded there, and none is made up
        }
    }
    if (m_content.isMany()) {
        std::ranges::stable_sort(listed, {}, [this](const Listed& each) {
            const double value = m_content.curves[each.curve].data->y()[each.point];
            return !std::isfinite(value) ? std::numeric_limits<double>::infinity()
                   : m_content.better == names::Direction::Larger  ? -value
                   : m_content.better == names::Direction::Smaller ? value
                                                                   : 0;
        });
        listed.resize(std::min(listed.size(), kReadOut));
    }
    return listed;
}

void CurveChart::refreshReadout() {
    const std::optional<double> crosshair = m_board.crosshair();
    const std::optional<double> x = crosshair ? crosshair : idlePosition();
    const std::vector<Listed> listed = listedCurves(x);
    if (m_content.isMany() && m_list != nullptr) {
        refreshList(x, listed);
    } else {
        refreshParts(x, listed);
    }
    if (m_tableView != nullptr && m_tableView->isVisible() && crosshair &&
        !m_tableView->hasFocus()) {
        const int row = m_table->rowAt(*crosshair);
        if (row >= 0) {
            m_tableView->selectRow(row);
        }
    }
}

void CurveChart::refreshList(std::optional<double> x, const std::vector<Listed>& listed) {
    std::vector<CurveList::Row> rows;
    for (const Listed& each : listed) {
        const ChartCurve& curve = m_content.curves[each.curve];
        const QString elsewhere = x ? m_canvas->elsewhere(each.curve, each.point, *x) : QString();
        rows.push_back({curve.series, curve.run,
                        text::number(curve.data->y()[each.point]) + elsewhere,
                        curveColor(m_content, curve, palette())});
    }
    const QString place =
        x ? m_board.options().axisWord + QLatin1Char(' ') + axisValue(*x, m_board.options().unit)
          : tr("last values");
    m_list->show(m_content.scale, place.trimmed(), std::move(rows),
                 m_content.curves.size() - listed.size());
}

void CurveChart::refreshParts(std::optional<double> x, const std::vector<Listed>& listed) {
    std::vector<ChartReadout::Part> parts;
    std::vector<double> values;
    std::vector<double> places;
    bool isAtPlace = false; // some value is recorded exactly there
    for (const auto& [i, point] : listed) {
        const ChartCurve& curve = m_content.curves[i];
        const CurveData& points = *curve.data;
        values.push_back(points.y()[point]);
        places.push_back(points.x()[point]);
        QString words = curve.letter.isEmpty() ? QString() : curve.letter + QLatin1Char(' ');
        words += text::number(values.back());
        const QString elsewhere = x ? m_canvas->elsewhere(i, point, *x) : QString();
        isAtPlace = isAtPlace || elsewhere.isEmpty();
        if (curve.count) { // at the same places
            words +=
                QStringLiteral(" n") + QString::number(static_cast<int>(curve.count->y()[point]));
        }
        const auto& smoothed = m_canvas->smoothed();
        if (m_board.crosshair() && m_content.curves.size() == 1 && i < smoothed.size() &&
            smoothed[i]) {
            parts.push_back(
                {tr("smoothed %1").arg(text::number(smoothed[i]->y()[point])), -1, true});
        }
        parts.push_back({words + elsewhere, curve.series});
    }
    if (m_content.curves.size() == 2 && values.size() == 2) {
        const QString difference = differenceText(values[0], values[1]);
        const bool apart = std::abs(places[1] - places[0]) > m_board.whole().length() * 1e-3;
        if (!difference.isEmpty()) { // the nearest points are not always at the same position
            parts.push_back({(apart ? QStringLiteral("≈ ") : QString()) + difference, -1, true});
        }
    }
    if (x && isAtPlace) {
        const QString place = axisValue(*x, m_board.options().unit);
        parts.insert(parts.begin(), {m_content.curves.size() == 1
                                         ? m_board.options().axisWord + QLatin1Char(' ') + place
                                         : place,
                                     -1});
    }
    m_readout->setParts(std::move(parts));
}

QString CurveChart::sources() const {
    QStringList lines;
    const std::size_t all = m_content.curves.size();
    const std::size_t shown = all > kSourced + 1 ? kSourced : all;
    for (std::size_t i = 0; i < shown; ++i) {
        const ChartCurve& curve = m_content.curves[i];
        const QString whose = m_content.isMany() ? curve.run : curve.letter;
        lines << (whose.isEmpty() || whose == curve.source
                      ? curve.source
                      : whose + QStringLiteral(": ") + curve.source) +
                     QStringLiteral(" · ") +
                     tr("%Ln points", nullptr, static_cast<int>(curve.data->size())) +
                     (curve.read.isEmpty() ? QString() : QStringLiteral(" · ") + curve.read);
        if (curve.interpolated) {
            lines << tr("positions on the axis are interpolated");
        }
        if (curve.data->wasSorted()) {
            lines << tr("steps restart too often; the points were sorted by step");
        }
        lines << curve.warnings.mid(0, 4);
    }
    if (all > shown) {
        lines << tr("and %Ln more curves", nullptr, static_cast<int>(all - shown));
    }
    lines << tr(
        "Drag to zoom into a range, double-click to enlarge; after a click, scroll to zoom");
    return lines.join(QLatin1Char('\n'));
}

} // namespace cairn::ui
