// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/space/treemap_view.h"

#include "ui/navigator/checkpoint_words.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace cairn::ui {
TreemapView::TreemapView(QWidget* parent) : ItemsWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Treemap"));
}

void TreemapView::show(SpaceMapPtr map, std::uint32_t root) {
    m_map = std::move(map);
    m_root = m_map && root < m_map->nodes.size() ? root : 0;
    m_hatched.clear();
    m_selected.reset();
    m_hovered.reset();
    relayout();
}

void TreemapView::setHatched(std::vector<bool> hatched) {
    m_hatched = std::move(hatched);
    repaintTiles();
}

void TreemapView::select(std::optional<std::uint32_t> node) {
    m_selected = m_map && node && *node < m_map->nodes.size() ? node : std::nullopt;
    update();
}

void TreemapView::relayout() {
    m_isLaidOut = false;
    itemsChanged();
    repaintTiles();
}

void TreemapView::repaintTiles() {
    if (!m_map) {
        m_picture.clear();
        return;
    }
    m_picture.change(1, 1, [this](QPainter& onto, std::size_t, std::size_t) { paintTiles(onto); });
}

QString TreemapView::nameOf(std::uint32_t node) const {
    const SpaceMap::Node& each = m_map->nodes[node];
    if (node == 0 && m_map->checkpoint) {
        return text::fromPath(m_map->checkpoint->path().filename());
    }
    return text::fromCore(each.name);
}

QString TreemapView::labelOf(std::uint32_t node) const {
    const std::uint32_t start = startOfChain(*m_map, node, m_root);
    QString label = nameOf(node);
    while (node != start) {
        node = m_map->nodes[node].parent;
        label.prepend(nameOf(node) + (m_map->tree ? QLatin1Char('/') : QLatin1Char('.')));
    }
    return label;
}

QString TreemapView::describe(std::uint32_t node) const {
    const std::uint32_t unit = m_map->unitOf(node);
    const SpaceMap::Node& each = m_map->nodes[unit];
    QString name;
    if (const auto tensor = m_map->tensorOf(unit)) {
        name = text::fromCore(m_map->checkpoint->tensor(*tensor).name);
    } else if (m_map->tree) {
        const std::filesystem::path path = m_map->tree->pathOf(each.source);
        const std::filesystem::path below = path.lexically_relative(m_map->tree->path);
        name = text::fromPath(below.empty() || below == "." ? path.filename() : below);
    } else {
        QStringList parts;
        for (std::uint32_t at = unit; at != 0; at = m_map->nodes[at].parent) {
            if (at == unit || !m_map->nodes[at].range) { // which are no part of a name
                parts.prepend(text::fromCore(m_map->nodes[at].name));
            }
        }
        name = parts.join(QLatin1Char('.'));
    }
    QString line = tr("%1, %2").arg(name, text::bytes(each.bytes));
    if (unit != node) {
        constexpr Role kRoles[] = {Role::Weight, Role::Optimizer, Role::Other};
        line =
            tr("%1; %2 %3")
                .arg(line, words::role(kRoles[static_cast<std::size_t>(m_map->nodes[node].fill)]),
                     text::bytes(m_map->nodes[node].bytes));
    }
    if (m_map->tree && m_map->tree->nodes[each.source].shared > 0) {
        line = tr("%1; %2 more in files that count elsewhere")
                   .arg(line, text::bytes(m_map->tree->nodes[each.source].shared));
    }
    return isHatched(unit) ? tr("%1; would be moved").arg(line) : line;
}

const std::vector<MapTile>& TreemapView::tiles() {
    if (!m_isLaidOut) {
        m_isLaidOut = true;
        m_tiles.clear();
        m_stops.clear();
        m_hasStops = false;
        if (m_map) {
            MapStyle style;
            style.head = fontMetrics().height();
            style.margin = 2;
            style.mirrored = isRightToLeft();
            m_tiles = layOutMap(*m_map, m_root, QRectF(rect()), style);
        }
    }
    return m_tiles;
}

const std::vector<std::size_t>& TreemapView::stops() {
    tiles();
    if (!m_hasStops && m_map) {
        m_hasStops = true;
        for (std::size_t i = 1; i < m_tiles.size(); ++i) {
            const SpaceMap::Node& node = m_map->nodes[m_tiles[i].node];
            const bool holdsParts = node.childCount > 0 && m_map->nodes[node.firstChild].part;
            if (!node.part && (m_tiles[i].isLeaf || holdsParts)) {
                m_stops.push_back(i);
            }
        }
        std::ranges::stable_sort(m_stops, std::ranges::greater(), [this](std::size_t tile) {
            return m_map->nodes[m_tiles[tile].node].bytes;
        });
    }
    return m_stops;
}

std::optional<std::size_t> TreemapView::selectedTile() {
    if (!m_map || !m_selected || tiles().empty()) {
        return std::nullopt;
    }
    for (std::uint32_t node = *m_selected;; node = m_map->nodes[node].parent) {
        const auto at = std::ranges::find(m_tiles, node, &MapTile::node);
        if (at != m_tiles.end()) {
            const auto tile = static_cast<std::size_t>(at - m_tiles.begin());
            return tile == 0 ? std::nullopt : std::optional(tile);
        }
        if (node == 0) {
            return std::nullopt;
        }
    }
}

std::optional<std::uint32_t> TreemapView::nodeAt(const QPointF& at) {
    tiles();
    for (std::size_t i = m_tiles.size(); i-- > 1;) {
        if (m_tiles[i].rect.contains(at)) {
            return m_tiles[i].node;
        }
    }
    return std::nullopt;
}

void TreemapView::resizeEvent(QResizeEvent*) {
    relayout();
}

void TreemapView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LayoutDirectionChange) {
        relayout();
    } else if (event->type() == QEvent::PaletteChange) {
        repaintTiles();
    }
    QWidget::changeEvent(event);
}

bool TreemapView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto node = nodeAt(help->pos());
        QToolTip::showText(help->globalPos(), node ? text::toolTip(describe(*node)) : QString(),
                           this);
        return true;
    }
    return QWidget::event(event);
}

void TreemapView::choose(std::uint32_t node) {
    select(m_map->unitOf(node));
    speakCurrent();
    Q_EMIT pointed(describe(*m_selected));
    Q_EMIT chosen(*m_selected);
}

QString TreemapView::itemText(int item) {
    return describe(m_tiles[stops()[static_cast<std::size_t>(item)]].node);
}

QRectF TreemapView::itemRect(int item) {
    return m_tiles[stops()[static_cast<std::size_t>(item)]].rect;
}

int TreemapView::itemAt(const QPointF& place) {
    const auto node = nodeAt(place);
    const auto at = node
                        ? std::ranges::find(stops(), m_map->unitOf(*node),
                                            [this](std::size_t tile) { return m_tiles[tile].node; })
                        : stops().end();
    return at == m_stops.end() ? -1 : static_cast<int>(at - m_stops.begin());
}

int TreemapView::currentItem() {
    const auto tile = selectedTile();
    const auto at = tile ? std::ranges::find(stops(), *tile) : stops().end();
    return at == m_stops.end() ? -1 : static_cast<int>(at - m_stops.begin());
}

std::optional<QRectF> TreemapView::walkFrom() {
    const auto tile = selectedTile(); // also a group, which is no item
    return tile ? std::optional(m_tiles[*tile].rect) : std::nullopt;
}

void TreemapView::visit(int item) {
    choose(m_tiles[stops()[static_cast<std::size_t>(item)]].node);
}

void TreemapView::mousePressEvent(QMouseEvent* event) {
    const auto node = nodeAt(event->position());
    if (event->button() == Qt::LeftButton && node) {
        choose(*node);
    }
}

void TreemapView::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto node = nodeAt(event->position());
    if (event->button() == Qt::LeftButton && node) {
        Q_EMIT entered(m_map->unitOf(*node));
    }
}

void TreemapView::mouseMoveEvent(QMouseEvent* event) {
    hover(nodeAt(event->position()));
}

void TreemapView::leaveEvent(QEvent*) {
    hover(std::nullopt);
}

void TreemapView::hover(std::optional<std::uint32_t> node) {
    if (node == m_hovered) {
        return;
    }
    m_hovered = node;
    update();
    const auto shown = node ? node : m_selected;
    Q_EMIT pointed(shown ? describe(*shown) : QString());
}

void TreemapView::keyPressEvent(QKeyEvent* event) {
    if (walk(*event)) {
        return;
    }
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_map && m_selected) {
            Q_EMIT entered(*m_selected);
        }
        return;
    case Qt::Key_Backspace:
    case Qt::Key_Escape:
        Q_EMIT left();
        return;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        return; // there is no tile in that direction
    default:
        QWidget::keyPressEvent(event);
    }
}

void TreemapView::outline(QPainter& painter, std::uint32_t node, const QPen& pen) {
    for (const MapTile& tile : m_tiles) {
        if (tile.node == node) {
            painter.setPen(pen);
            painter.setBrush(Qt::NoBrush);
            const double half = pen.widthF() / 2;
            painter.drawRect(tile.rect.adjusted(half, half, -half - 1, -half - 1));
            return;
        }
    }
}

void TreemapView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!m_map || tiles().empty()) {
        return;
    }
    m_picture.paint(painter);
    if (m_hovered) {
        outline(painter, m_map->unitOf(*m_hovered),
                QPen(theme::color(theme::Tone::Plain, palette()), 1));
    }
    if (const auto tile = selectedTile()) {
        const QColor ground = theme::cardGround(palette());
        const double width = hasFocus() ? 3 : 2;
        outline(painter, m_tiles[*tile].node,
                QPen(ground, width + 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        outline(painter, m_tiles[*tile].node,
                QPen(theme::accent(palette()), width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    }
}

} // namespace cairn::ui
