// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/figure_grid.h"

#include "ui/charts/axis_ticks.h"
#include "ui/charts/chart_controls.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/card.h"
#include "ui/widgets/run_letter.h"

#include <QGridLayout>

#include <cmath>

namespace cairn::ui {
namespace {

const QString kNone = QStringLiteral("—");

QString valueText(const std::optional<double>& value) {
    return value ? text::number(*value) : kNone;
}

std::optional<double> valueOf(const std::optional<CurvePoint>& point) {
    return point ? std::optional(point->value) : std::nullopt;
}

} // namespace

FigureGrid::FigureGrid(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(theme::kGrid + 4);
    m_grid->setVerticalSpacing(theme::kGrid / 2 + 1);
    m_grid->setColumnStretch(0, 1);
}

void FigureGrid::clear() {
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    m_row = 0;
}

void FigureGrid::head() {
    m_grid->addWidget(new RunLetter(0, Qt::AlignRight, false), m_row, 1);
    m_grid->addWidget(new RunLetter(1, Qt::AlignRight, false), m_row++, 2);
    m_grid->addWidget(new Hairline, m_row++, 0, 1, 3);
}

void FigureGrid::line(const QString& what, const QString& left, const QString& right,
                      Better better) {
    auto* name = new TextLabel(what, theme::Tone::Dim);
    name->setElideMiddle(true);
    m_grid->addWidget(name, m_row, 0);
    for (const int column : {1, 2}) {
        const bool good = better == (column == 1 ? Better::Left : Better::Right);
        auto* value = new TextLabel(column == 1 ? left : right,
                                    good ? theme::Tone::Good : theme::Tone::Plain);
        value->setFont(theme::mono(theme::small(value->font())));
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_grid->addWidget(value, m_row, column);
    }
    ++m_row;
}

void FigureGrid::values(const QString& what, const std::optional<double>& left,
                        const std::optional<double>& right, names::Direction direction) {
    Better better = Better::Neither;
    if (direction != names::Direction::Unknown && left && right && std::isfinite(*left) &&
        std::isfinite(*right) && *left != *right) {
        better = (*left > *right) == (direction == names::Direction::Larger) ? Better::Left
                                                                             : Better::Right;
    }
    line(what, valueText(left), valueText(right), better);
}

void FigureGrid::show(const MetricComparison& metric, const AxisChoice& axis) {
    clear();
    head();
    const AxisUnit unit = axisUnit(axis);
    const QString word = ChartControls::axisWord(axis);
    const names::Direction larger = metric.better;
    const auto place = [&](const std::optional<double>& x) {
        return x ? axisValue(*x, unit) : kNone;
    };
    const auto placeOf = [&](const std::optional<CurvePoint>& point) {
        return point ? axisValue(point->x, unit) : kNone;
    };
    values(tr("best"), valueOf(metric.left.best), valueOf(metric.right.best), larger);
    line(tr("at %1").arg(word), placeOf(metric.left.best), placeOf(metric.right.best));
    values(tr("last"), valueOf(metric.left.last), valueOf(metric.right.last), larger);
    if (metric.lastCommon) {
        values(tr("at %1 %2").arg(word, axisValue(*metric.lastCommon, unit)), metric.left.atCommon,
               metric.right.atCommon, larger);
    }
    if (metric.left.reaches || metric.right.reaches) {
        const auto when = [&](const MetricSide& side) {
            return side.reaches ? place(side.reaches) : tr("never");
        };
        line(tr("other's best at"), when(metric.left), when(metric.right));
    }
    if (metric.left.area && metric.right.area) {
        values(tr("area"), metric.left.area, metric.right.area, larger);
    }
    if (metric.left.wallSeconds || metric.right.wallSeconds) {
        const auto took = [](const MetricSide& side) {
            return side.wallSeconds ? text::duration(*side.wallSeconds) : kNone;
        };
        line(tr("wall time"), took(metric.left), took(metric.right));
    }
    line(tr("points"), text::count(metric.left.points), text::count(metric.right.points));
    if (metric.left.nonFinite + metric.right.nonFinite > 0) {
        line(tr("non-finite"), text::count(metric.left.nonFinite),
             text::count(metric.right.nonFinite));
    }
}

} // namespace cairn::ui
