// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/space/treemap_layout.h"

#include <algorithm>
#include <limits>

namespace cairn::ui {
namespace {

constexpr double kHeadedWidth = 48;
constexpr int kMarginLevels = 3;

class Layout {
public:
    Layout(const SpaceMap& map, const QRectF& area, const MapStyle& style)
        : m_map(map), m_area(area), m_style(style) {}

    std::vector<MapTile> layOut(std::uint32_t root) {
        m_tiles.push_back({m_area, root, 0, true, false, root});
        for (std::size_t i = 0; i < m_tiles.size(); ++i) {
            fill(i);
        }
        if (m_style.mirrored) {
            for (MapTile& tile : m_tiles) {
                tile.rect.moveLeft(m_area.left() + m_area.right() - tile.rect.right());
            }
        }
        return std::move(m_tiles);
    }

private:
    void fill(std::size_t at) {
        const SpaceMap::Node& node = m_map.nodes[m_tiles[at].node];
        if (node.childCount == 0 || node.bytes == 0) {
            return;
        }
        MapTile& tile = m_tiles[at];
        QRectF inner = tile.rect;
        // The root is the map itself: the breadcrumb names it. Roles need no name.
        const bool parts = m_map.nodes[node.firstChild].part;
        if (tile.depth > 0 && tile.depth <= kMarginLevels) {
            const double margin = m_style.margin;
            inner.adjust(margin, margin, -margin, -margin);
            if (m_style.head > 0 && inner.height() >= (parts ? 2 : 3) * m_style.head &&
                inner.width() >= kHeadedWidth / (parts ? 2 : 1)) {
                tile.hasHead = true;
                inner.setTop(inner.top() + m_style.head);
            }
        }
        if (inner.width() < m_style.leastSide || inner.height() < m_style.leastSide) {
            return;
        }
        const std::size_t before = m_tiles.size();
        squarify(m_tiles[at].node, inner, static_cast<std::uint16_t>(m_tiles[at].depth + 1));
        m_tiles[at].isLeaf = m_tiles.size() == before;
        m_tiles[at].hasHead = m_tiles[at].hasHead && !m_tiles[at].isLeaf;
        const std::uint32_t below = m_tiles[at].hasHead ? m_tiles[at].node : m_tiles[at].below;
        for (std::size_t i = before; i < m_tiles.size(); ++i) {
            m_tiles[i].below = below;
        }
    }

    /// The worst ratio of sides in a row of tiles: `sum`, `least` and `most` of their areas.
    static double worst(double sum, double least, double most, double side) {
        const double square = side * side;
        return std::max(square * most / (sum * sum), sum * sum / (square * least));
    }

    void squarify(std::uint32_t parent, QRectF rest, std::uint16_t depth) {
        const SpaceMap::Node& node = m_map.nodes[parent];
        const double scale =
            rest.width() * rest.height() / static_cast<double>(node.bytes); // area of a byte
        const std::uint32_t end = node.firstChild + node.childCount;
        const double tooSmall = m_style.leastSide * m_style.leastSide;
        const auto areaOf = [&](std::uint32_t child) {
            return static_cast<double>(m_map.nodes[child].bytes) * scale;
        };
        for (std::uint32_t first = node.firstChild; first < end && areaOf(first) >= tooSmall;) {
            const double side = std::min(rest.width(), rest.height());
            double sum = areaOf(first);
            double ratio = worst(sum, sum, sum, side);
            std::uint32_t next = first + 1;
            for (; next < end && m_map.nodes[next].bytes > 0; ++next) {
                const double area = areaOf(next);
                const double with = worst(sum + area, area, areaOf(first), side);
                if (with > ratio) {
                    break;
                }
                sum += area;
                ratio = with;
            }
            place(first, next, sum, scale, rest, depth);
            first = next;
        }
    }

    /// One row along the shorter side of `rest`, which shrinks by it.
    void place(std::uint32_t first, std::uint32_t end, double sum, double scale, QRectF& rest,
               std::uint16_t depth) {
        const bool column = rest.width() >= rest.height(); // the row is a column at the left
        const double side = column ? rest.height() : rest.width();
        const double thick = std::min(sum / side, column ? rest.width() : rest.height());
        double at = column ? rest.top() : rest.left();
        for (std::uint32_t child = first; child < end; ++child) {
            const double length = static_cast<double>(m_map.nodes[child].bytes) * scale / thick;
            const QRectF rect = column ? QRectF(rest.left(), at, thick, length)
                                       : QRectF(at, rest.top(), length, thick);
            at += length;
            if (thick >= m_style.leastSide && length >= m_style.leastSide) {
                m_tiles.push_back({rect, endOfChain(m_map, child), depth, true, false, 0});
            }
        }
        if (column) {
            rest.setLeft(rest.left() + thick);
        } else {
            rest.setTop(rest.top() + thick);
        }
    }

    const SpaceMap& m_map;
    QRectF m_area;
    MapStyle m_style;
    std::vector<MapTile> m_tiles;
};

/// Nothing is lost when its only child is drawn in its place.
bool containsOnlyOne(const SpaceMap& map, std::uint32_t node) {
    const SpaceMap::Node& each = map.nodes[node];
    if (each.childCount != 1 || map.nodes[each.firstChild].bytes != each.bytes ||
        map.nodes[each.firstChild].part || map.isCheckpoint(node) ||
        map.isCheckpoint(each.firstChild)) {
        return false;
    }
    return map.tree == nullptr ? each.source == SpaceMap::kNone
                               : map.tree->nodes[each.source].kind == SpaceKind::Folder;
}

} // namespace

std::uint32_t endOfChain(const SpaceMap& map, std::uint32_t node) {
    while (containsOnlyOne(map, node)) {
        node = map.nodes[node].firstChild;
    }
    return node;
}

std::uint32_t startOfChain(const SpaceMap& map, std::uint32_t node, std::uint32_t root) {
    while (node != root && map.nodes[node].parent != root &&
           containsOnlyOne(map, map.nodes[node].parent)) {
        node = map.nodes[node].parent;
    }
    return node;
}

std::vector<MapTile> layOutMap(const SpaceMap& map, std::uint32_t root, const QRectF& area,
                               const MapStyle& style) {
    if (area.isEmpty() || root >= map.nodes.size()) {
        return {};
    }
    return Layout(map, area, style).layOut(root);
}

} // namespace cairn::ui
