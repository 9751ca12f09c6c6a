// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/space/space_map.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace cairn::ui {

/// What the colours of a treemap mean, one swatch each.
class SpaceLegend : public QWidget {
    Q_OBJECT

public:
    explicit SpaceLegend(QWidget* parent = nullptr);
    /// `hatched`: the colour of what would be moved; nothing: nothing would be.
    void show(const std::vector<SpaceMap::Fill>& fills, std::optional<SpaceMap::Fill> hatched);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int widthWith(int gap) const;

    struct Entry {
        QString text;
        SpaceMap::Fill fill;
        bool hatched;
    };
    std::vector<Entry> m_entries;
};

} // namespace cairn::ui
