// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/space/treemap_access.h"

#include "ui/pages/space/treemap_view.h"

#include <QAccessible>
#include <QAccessibleWidget>

#include <algorithm>
#include <vector>

namespace cairn::ui {
namespace {

/// One tile; owned by Qt's cache of accessible interfaces.
class TileAccess : public QAccessibleInterface {
public:
    TileAccess(TreemapView* view, std::uint32_t node) : m_view(view), m_node(node) {}

    bool isValid() const override {
        return m_view != nullptr && m_view->map() && m_node < m_view->map()->nodes.size();
    }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override {
        return QAccessible::queryAccessibleInterface(m_view);
    }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Name && isValid() ? m_view->describe(m_node) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override {
        if (!isValid()) {
            return {};
        }
        const auto& tiles = m_view->tiles();
        const auto at = std::ranges::find(tiles, m_node, &MapTile::node);
        return at == tiles.end()
                   ? QRect()
                   : at->rect.toAlignedRect().translated(m_view->mapToGlobal(QPoint()));
    }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.focusable = state.selectable = true;
        state.invalid = !isValid();
        state.selected = isValid() && m_view->selected() == m_node;
        state.focused = state.selected && m_view->hasFocus();
        return state;
    }
    std::uint32_t node() const { return m_node; }

private:
    QPointer<TreemapView> m_view;
    std::uint32_t m_node;
};

class MapAccess : public QAccessibleWidget {
public:
    explicit MapAccess(TreemapView* view)
        : QAccessibleWidget(view, QAccessible::List), m_view(view) {}
    ~MapAccess() override { forget(); }

    int childCount() const override {
        items();
        return static_cast<int>(m_items.size());
    }
    QAccessibleInterface* child(int index) const override {
        items();
        return index >= 0 && index < static_cast<int>(m_items.size())
                   ? QAccessible::accessibleInterface(m_items[static_cast<std::size_t>(index)])
                   : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        items();
        for (std::size_t i = 0; i < m_items.size(); ++i) {
            if (QAccessible::accessibleInterface(m_items[i]) == child) {
                return static_cast<int>(i);
            }
        }
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        const auto node = m_view->nodeAt(m_view->mapFromGlobal(QPoint(x, y)));
        return node ? child(indexOf(m_view->map()->unitOf(*node))) : nullptr;
    }
    QAccessibleInterface* focusChild() const override {
        const auto selected = m_view->selected();
        return m_view->hasFocus() && selected ? child(indexOf(*selected)) : nullptr;
    }
    int indexOf(std::uint32_t node) const {
        items();
        const auto at = std::ranges::find(m_nodes, node);
        return at == m_nodes.end() ? -1 : static_cast<int>(at - m_nodes.begin());
    }
    void forget() const {
        for (const QAccessible::Id id : m_items) {
            QAccessible::deleteAccessibleInterface(id);
        }
        m_items.clear();
        m_nodes.clear();
        m_made = false;
    }

private:
    void items() const {
        if (m_made) {
            return;
        }
        m_made = true;
        for (const std::size_t stop : m_view->stops()) {
            m_nodes.push_back(m_view->tiles()[stop].node);
        }
        m_nodes.resize(std::min<std::size_t>(m_nodes.size(), kMaxTreemapItems));
        for (const std::uint32_t node : m_nodes) {
            m_items.push_back(
                QAccessible::registerAccessibleInterface(new TileAccess(m_view, node)));
        }
    }

    TreemapView* m_view;
    mutable std::vector<std::uint32_t> m_nodes;
    mutable std::vector<QAccessible::Id> m_items; ///< parallel
    mutable bool m_made = false;
};

QAccessibleInterface* make(const QString&, QObject* object) {
    auto* view = qobject_cast<TreemapView*>(object);
    return view != nullptr ? new MapAccess(view) : nullptr;
}

const MapAccess* accessOf(TreemapView* view) {
    return dynamic_cast<MapAccess*>(QAccessible::queryAccessibleInterface(view));
}

} // namespace

void installTreemapAccess() {
    static const bool installed = [] {
        QAccessible::installFactory(make);
        return true;
    }();
    (void)installed;
}

void treemapAccessChanged(TreemapView* view) {
    if (const MapAccess* access = accessOf(view)) {
        access->forget();
    }
}

int treemapAccessChild(TreemapView* view, std::size_t tile) {
    const MapAccess* access = QAccessible::isActive() ? accessOf(view) : nullptr;
    return access != nullptr ? access->indexOf(view->tiles()[tile].node) : -1;
}

} // namespace cairn::ui
