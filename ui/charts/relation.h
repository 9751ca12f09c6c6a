// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_ticks.h"
#include "ui/charts/chart_content.h"
#include "ui/charts/curve_data.h"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

/// The same things by several columns, as plain values, for a scatter plot and for parallel
/// coordinates. All text may come from files.
namespace cairn::ui {

/// A column as an axis.
struct RelationAxis {
    QString key;                ///< of the column
    QString title;              ///< as shown: "lr"
    std::vector<double> values; ///< of each thing; of categories their number from 0; NaN: none
    QStringList categories;     ///< in the order of the axis; empty: numbers
    std::vector<double> stops;  ///< ascending: all values, where they are few; they are the ticks
    AxisUnit unit = AxisUnit::Plain;
    Scale scale = Scale::Linear;
    Range range; ///< of the axis, with margins

    /// Chooses scale and range: logarithmic if all values are positive and span two decades, or as
    /// stops one; or as wished, if it can be.
    void fit(std::optional<Scale> wished = {});
    /// A logarithmic scale can show all of its values: they are positive numbers.
    [[nodiscard]] bool canBeLog() const;
    [[nodiscard]] bool has(std::size_t item) const;     ///< a value that can be drawn
    [[nodiscard]] double share(std::size_t item) const; ///< 0 to 1 along the axis
    [[nodiscard]] double valueAt(double share) const;
    /// Where the part of another axis of the same column is on this one; nothing: on neither end
    /// of it, or the categories are others.
    [[nodiscard]] std::optional<Range> partOf(const RelationAxis& other, Range shares) const;
    [[nodiscard]] QString text(double value) const;   ///< "0.0003", "adamw"
    [[nodiscard]] QString textAt(double share) const; ///< the value there
    /// About `wanted` ticks; of categories all.
    [[nodiscard]] std::vector<AxisTick> ticks(int wanted) const;
};

struct RelationItem {
    QString name;
    int series = -1;                  ///< of its mark; -1: not marked
    std::optional<double> share = {}; ///< of the scale of colours; nothing: no value
};

struct Relation {
    std::vector<RelationAxis> axes; ///< of a scatter plot: x, y
    std::vector<RelationItem> items;
    CurveScalePtr scale; ///< what the colours stand for; null: for marks
};
using RelationPtr = std::shared_ptr<const Relation>;

} // namespace cairn::ui
