// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_ticks.h"
#include "ui/charts/chart_content.h"
#include "ui/models/ordered_table.h"

#include <cstdint>
#include <vector>

namespace cairn::ui {

/// The points of a chart as rows: the position on the axis, then one column for each curve; a row
/// contains the points of all curves at the same position. After a restart, positions are repeated.
/// Contains every point, without downsampling. GUI thread only.
class CurveTable : public OrderedTable {
    Q_OBJECT

public:
    explicit CurveTable(QObject* parent = nullptr);

    void setContent(const ChartContent& content, AxisUnit unit, const QString& axisWord);
    /// The row of the first point at or after a place.
    int rowAt(double x) const;
    double placeOf(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    static constexpr std::uint32_t kNone = 0xffffffff;
    void merge();
    double storedPlace(std::size_t stored) const;
    /// First row of each stretch in which the positions ascend, and the number of rows.
    std::vector<int> stretches() const;

    std::vector<ChartCurve> m_curves;
    AxisUnit m_unit = AxisUnit::Plain;
    QString m_axisWord;
    /// With several curves: for each row and curve the index of its point. With one curve the row
    /// is the index.
    std::vector<std::uint32_t> m_rows;
    std::vector<int> m_stretches; ///< of m_rows
};

} // namespace cairn::ui
