// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/compare/compare.h"
#include "ui/charts/run_axis.h"

#include <QWidget>

class QGridLayout;

namespace cairn::ui {

/// The figures of one metric in both runs, in three columns; the better one of two is green where
/// one is better.
class FigureGrid : public QWidget {
    Q_OBJECT

public:
    explicit FigureGrid(QWidget* parent = nullptr);
    void show(const MetricComparison& metric, const AxisChoice& axis);

private:
    enum class Better { Neither, Left, Right };
    void clear();
    void head();
    void line(const QString& what, const QString& left, const QString& right,
              Better better = Better::Neither);
    void values(const QString& what, const std::optional<double>& left,
                const std::optional<double>& right, names::Direction direction);

    QGridLayout* m_grid;
    int m_row = 0;
};

} // namespace cairn::ui
