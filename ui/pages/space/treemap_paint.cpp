// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a treemap's tiles.
#include "ui/pages/space/treemap_colors.h"
#include "ui/pages/space/treemap_view.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QStyle>

#include <algorithm>
#include <array>

namespace cairn::ui {
namespace {

constexpr int kGapFrom = 6;     ///< px; tiles as wide as this are separated by a gap
constexpr int kNamedWidth = 40; ///< px; smaller tiles carry no name
constexpr std::size_t kMaxNames = 400;
constexpr qsizetype kLeastName = 5; ///< characters; a shorter rest of a name says nothing
constexpr double kShade = 0.86;     ///< of every other tile
constexpr double kHatched = 0.32;   ///< of the colour below the hatching
constexpr double kGround = 0.16;    ///< of the colour in a group's ground

QColor mix(const QColor& over, const QColor& under, double share) {
    const auto channel = [share](int a, int b) {
        return static_cast<int>(std::lround(share * a + (1 - share) * b));
    };
    return {channel(over.red(), under.red()), channel(over.green(), under.green()),
            channel(over.blue(), under.blue())};
}

/// A path as lines that fit, where possible: "mlp.", "gate_proj.weight.", "exp_avg".
template <class Fits> QStringList brokenPath(const QStringList& parts, const Fits& fits) {
    QStringList lines;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const QString part = i + 1 < parts.size() ? parts[i] + QLatin1Char('.') : parts[i];
        if (!lines.isEmpty() && fits(lines.back() + part)) {
            lines.back() += part;
        } else {
            lines << part;
        }
    }
    return lines;
}

} // namespace

QColor spaceColor(SpaceMap::Fill fill, const QPalette& palette) {
    return fill == SpaceMap::Fill::Outside
               ? mix(theme::color(theme::Tone::Dim, palette), theme::cardGround(palette), 0.75)
               : theme::series(static_cast<int>(fill), palette);
}

QBrush hatchingOf(SpaceMap::Fill fill, const QPalette& palette) {
    return {spaceColor(fill, palette), Qt::BDiagPattern};
}

QRect TreemapView::inked(const MapTile& tile) const {
    const QRectF& from = tile.rect;
    QRect rect(QPoint(qRound(from.left()), qRound(from.top())),
               QPoint(qRound(from.right()) - 1, qRound(from.bottom()) - 1));
    if (tile.isLeaf || m_map->nodes[tile.node].part) {
        rect.adjust(0, 0, rect.width() >= kGapFrom ? -1 : 0, rect.height() >= kGapFrom ? -1 : 0);
    }
    return rect;
}

void TreemapView::paintTiles(QPainter& painter) const {
    const QColor ground = theme::cardGround(palette());
    painter.fillRect(rect(), ground);
    painter.setFont(font());
    constexpr std::size_t kFills = 4;
    std::array<std::array<QColor, 2>, kFills> full;
    std::array<QColor, kFills> pale;
    for (std::size_t i = 0; i < kFills; ++i) {
        const QColor color = spaceColor(static_cast<SpaceMap::Fill>(i), palette());
        full[i] = {color, mix(color, ground, kShade)};
        pale[i] = mix(color, ground, kHatched);
    }
    for (const MapTile& tile : m_tiles) {
        const SpaceMap::Node& node = m_map->nodes[tile.node];
        const auto fill = static_cast<std::size_t>(node.fill);
        if (!tile.isLeaf) {
            paintGroup(painter, tile);
        } else if (isHatched(m_map->unitOf(tile.node))) {
            painter.fillRect(inked(tile), pale[fill]);
            painter.fillRect(inked(tile), hatchingOf(node.fill, palette()));
        } else {
            painter.fillRect(inked(tile), full[fill][node.part ? 0 : tile.node % 2]);
        }
    }
    paintNames(painter);
}

void TreemapView::paintGroup(QPainter& painter, const MapTile& tile) const {
    const QColor ground = theme::cardGround(palette());
    const SpaceMap::Node& node = m_map->nodes[tile.node];
    if (tile.depth == 0) {
        return;
    }
    const bool holdsParts = m_map->nodes[node.firstChild].part;
    const QRect rect = inked(tile);
    painter.fillRect(rect,
                     holdsParts ? ground : mix(spaceColor(node.fill, palette()), ground, kGround));
    if (rect.width() >= 2 * kGapFrom && rect.height() >= 2 * kGapFrom) {
        painter.setPen(theme::hairline(palette()));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(0, 0, -1, -1));
    }
}

/// The parts of a tensor's name below the nearest group whose name is drawn around it.
QStringList TreemapView::pathOf(const MapTile& tile) const {
    QStringList parts;
    for (std::uint32_t node = tile.node; node != tile.below && node != m_root && node != 0;
         node = m_map->nodes[node].parent) {
        if (node == tile.node || !m_map->nodes[node].range) {
            parts.prepend(nameOf(node));
        }
    }
    return parts;
}

QStringList TreemapView::linesOf(const MapTile& tile, const QSize& size) const {
    const QFontMetrics metrics = fontMetrics();
    const SpaceMap::Node& node = m_map->nodes[tile.node];
    const int width = size.width();
    const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= width; };
    QStringList lines{labelOf(tile.node)};
    if (tile.isLeaf && m_map->checkpoint) {
        const QStringList path = brokenPath(pathOf(tile), fits);
        const auto most = std::max<qsizetype>(1, (size.height() - 2) / metrics.height());
        const bool isChain = startOfChain(*m_map, tile.node, m_root) != tile.node;
        if (path.size() <= most) {
            lines = path;
        } else if (!isChain && node.parent != tile.below && node.parent != m_root) {
            lines.prepend(labelOf(node.parent)); // whose state it is
            lines = lines.mid(0, most);
        }
    }
    const QString sized = tr("%1 · %2").arg(lines.back(), text::bytes(node.bytes));
    if (fits(sized) && !(tile.hasHead && m_map->nodes[node.firstChild].part)) {
        lines.back() = sized;
        return lines;
    }
    for (QString& line : lines) {
        const qsizetype whole = line.size();
        line = m_map->tree // numbers are at the end of a folder's name
                   ? text::elided(line, metrics, width)
                   : metrics.elidedText(line, Qt::ElideRight, width);
        if (line.size() < std::min(whole, kLeastName)) {
            return {};
        }
    }
    return lines;
}

/// The names of groups with a head, and of tiles that have room for one.
void TreemapView::paintNames(QPainter& painter) const {
    const QColor plain = theme::color(theme::Tone::Plain, palette());
    const int line = fontMetrics().height();
    std::size_t names = 0;
    for (const MapTile& tile : m_tiles) {
        const SpaceMap::Node& node = m_map->nodes[tile.node];
        const bool isNamed =
            tile.hasHead || (tile.isLeaf && !node.part && tile.depth > 0 &&
                             tile.rect.width() >= kNamedWidth && tile.rect.height() >= line + 4);
        if (!isNamed) {
            continue;
        }
        if (++names > kMaxNames) {
            return;
        }
        const QRect rect = inked(tile).adjusted(4, tile.hasHead ? 1 : 2, -3, 0);
        const QStringList lines = linesOf(tile, rect.size());
        if (lines.isEmpty()) {
            continue;
        }
        QColor color = plain;
        if (tile.isLeaf && !isHatched(tile.node)) {
            const QColor fill = spaceColor(node.fill, palette());
            color = theme::contrast(fill, Qt::white) >= theme::contrast(fill, Qt::black)
                        ? QColor(Qt::white)
                        : QColor(Qt::black);
        }
        painter.setPen(color);
        painter.drawText(rect,
                         static_cast<int>(QStyle::visualAlignment(layoutDirection(),
                                                                  Qt::AlignTop | Qt::AlignLeft)),
                         lines.join(QLatin1Char('\n')));
    }
}

} // namespace cairn::ui
