// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/space/space_map.h"

#include <QRectF>

#include <cstdint>
#include <vector>

namespace cairn::ui {

/// A laid out node of a treemap.
struct MapTile {
    QRectF rect;
    std::uint32_t node = 0;
    std::uint16_t depth = 0; ///< below the root of the layout
    bool isLeaf = false;     ///< nothing is drawn inside it
    bool hasHead = false;    ///< a group with room for its name above its children
    std::uint32_t below = 0; ///< the nearest group around it that has a head, else the root
};

struct MapStyle {
    double head = 0;      ///< height of a group's name; 0: none
    double margin = 0;    ///< around the children of the outer two levels of groups
    double leastSide = 2; ///< px; a tile that is narrower or lower is not laid out
    bool mirrored = false;
};

/// The node that a tile of `node` stands for: groups that contain nothing but one group or tensor
/// are drawn as one ("optimizer.state", "q_proj.weight").
std::uint32_t endOfChain(const SpaceMap& map, std::uint32_t node);
/// The outermost of these groups, below `root`.
std::uint32_t startOfChain(const SpaceMap& map, std::uint32_t node, std::uint32_t root);

/// A squarified treemap (Bruls, Huizing, van Wijk 2000) of everything below `root`, in `area`: the
/// areas of siblings are as their sizes, tiles never overlap, and the largest is at the leading
/// upper corner. Parents precede their children. What would be smaller than `leastSide` is left out
/// with everything in it, so that the number of tiles, and the time, are limited by the pixels.
/// Pure.
std::vector<MapTile> layOutMap(const SpaceMap& map, std::uint32_t root, const QRectF& area,
                               const MapStyle& style);

} // namespace cairn::ui
