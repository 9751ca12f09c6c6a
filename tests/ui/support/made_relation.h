// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/relation.h"

#include <cstddef>
#include <memory>

namespace cairn::ui::test {

/// As many things, of which each fiftieth is marked, by six columns of different order.
inline RelationPtr madeRelation(int runs) {
    constexpr std::size_t kAxes = 6;
    auto relation = std::make_shared<Relation>();
    relation->axes.resize(kAxes);
    for (int i = 0; i < runs; ++i) {
        relation->items.push_back({QString::number(i), i % 50 == 0 ? i / 50 : -1});
        for (std::size_t axis = 0; axis < kAxes; ++axis) {
            relation->axes[axis].values.push_back((i * 7919 + static_cast<int>(axis) * 31) % 1009);
        }
    }
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
        relation->axes[axis].key = relation->axes[axis].title = QString::number(axis);
        relation->axes[axis].fit();
    }
    return relation;
}

} // namespace cairn::ui::test
