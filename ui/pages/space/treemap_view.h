// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/kept_picture.h"
#include "ui/pages/space/treemap_layout.h"
#include "ui/widgets/painted_items.h"

#include <optional>
#include <vector>

namespace cairn::ui {

/// A SpaceMap as tiles. A click or the arrow keys choose a tile; Enter or a double click asks to
/// enter it, Backspace or Esc to leave the shown part. Laid out and painted once for a size; what
/// follows the pointer is drawn above that picture.
class TreemapView : public ItemsWidget {
    Q_OBJECT

public:
    explicit TreemapView(QWidget* parent = nullptr);

    /// Shows what is below `root`. Null: empty. The selection is dropped.
    void show(SpaceMapPtr map, std::uint32_t root = 0);
    const SpaceMapPtr& map() const { return m_map; }
    std::uint32_t root() const { return m_root; }
    /// By node: those that a plan would move; empty: none.
    void setHatched(std::vector<bool> hatched);
    bool isHatched(std::uint32_t node) const { return node < m_hatched.size() && m_hatched[node]; }
    /// Marks a node, or the smallest tile around it; emits nothing. One that the map does not have,
    /// such as SpaceMap::kNone, is none.
    void select(std::optional<std::uint32_t> node);
    std::optional<std::uint32_t> selected() const { return m_selected; }
    /// Of a group or of one thing, for readers and for the line below the map.
    QString nameOf(std::uint32_t node) const;
    QString labelOf(std::uint32_t node) const; ///< of a tile: with the groups that it stands for
    QString describe(std::uint32_t node) const;
    /// What is written in a tile, at most `size` large; empty: nothing. A tensor whose groups have
    /// no head carries their names, too.
    QStringList linesOf(const MapTile& tile, const QSize& size) const;

    /// Up to date with the size; parents precede their children.
    const std::vector<MapTile>& tiles();
    /// The tiles that the arrow keys visit: positions in tiles(), the largest first.
    const std::vector<std::size_t>& stops();
    /// The tile of the selected node, or the smallest one around it.
    std::optional<std::size_t> selectedTile();
    std::optional<std::uint32_t> nodeAt(const QPointF& at);

    // The items are the stops.
    int itemCount() override { return static_cast<int>(stops().size()); }
    QString itemText(int item) override;
    QRectF itemRect(int item) override;
    int itemAt(const QPointF& place) override;
    int currentItem() override;

    QSize sizeHint() const override { return {640, 380}; }
    QSize minimumSizeHint() const override { return {200, 60}; }

Q_SIGNALS:
    void chosen(std::uint32_t node);
    void entered(std::uint32_t node);
    void left();
    /// The description of what is below the pointer or chosen by a key; empty: nothing.
    void pointed(const QString& description);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void visit(int item) override;
    std::optional<QRectF> walkFrom() override;

private:
    void relayout();
    void repaintTiles();
    void choose(std::uint32_t node);
    void hover(std::optional<std::uint32_t> node);
    void outline(QPainter& painter, std::uint32_t node, const QPen& pen);

    // treemap_paint.cpp
    void paintTiles(QPainter& painter) const;
    void paintGroup(QPainter& painter, const MapTile& tile) const;
    void paintNames(QPainter& painter) const;
    QRect inked(const MapTile& tile) const;
    QStringList pathOf(const MapTile& tile) const;

    SpaceMapPtr m_map;
    std::uint32_t m_root = 0;
    std::vector<bool> m_hatched;
    std::optional<std::uint32_t> m_selected;
    std::optional<std::uint32_t> m_hovered;
    std::vector<MapTile> m_tiles;
    std::vector<std::size_t> m_stops;
    bool m_isLaidOut = false;
    bool m_hasStops = false;
    KeptPicture m_picture{*this}; ///< of the tiles
};

} // namespace cairn::ui
