// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/painted_items.h"

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/accessible.h"

#include <QAccessibleWidget>
#include <QKeyEvent>
#include <QPainter>
#include <QPointer>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace cairn::ui {

void installAccessFactory(); // accessible.cpp

namespace {

constexpr double kAcross = 2; ///< how much a step across the direction counts

} // namespace

/// One item; owned by Qt's cache of accessible interfaces.
class ItemAccess : public QAccessibleInterface {
public:
    ItemAccess(QWidget* widget, PaintedItems* items, int item)
        : m_widget(widget), m_items(items), m_item(item) {}

    bool isValid() const override { return m_widget != nullptr && m_item < m_items->itemCount(); }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override {
        return QAccessible::queryAccessibleInterface(m_widget);
    }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Name && isValid() ? m_items->itemText(m_item) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override {
        return isValid() ? m_items->itemRect(m_item).toAlignedRect().translated(
                               m_widget->mapToGlobal(QPoint()))
                         : QRect();
    }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.focusable = state.selectable = true;
        state.invalid = !isValid();
        state.selected = isValid() && m_items->currentItem() == m_item;
        state.focused = state.selected && m_widget->hasFocus();
        return state;
    }

private:
    QPointer<QWidget> m_widget;
    PaintedItems* m_items; ///< lives as long as m_widget
    int m_item;
};

class ItemsAccess : public QAccessibleWidget {
public:
    ItemsAccess(QWidget* widget, PaintedItems* items, QAccessible::Role role)
        : QAccessibleWidget(widget, role), m_items(items) {}
    ~ItemsAccess() override {
        forget();
        if (m_items != nullptr) {
            m_items->m_access = nullptr;
        }
    }

    int childCount() const override {
        return m_items == nullptr ? 0 : std::min(m_items->itemCount(), PaintedItems::kMostItems);
    }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount()) {
            return nullptr;
        }
        const auto at = static_cast<std::size_t>(index);
        m_children.resize(std::max(m_children.size(), at + 1), 0);
        if (m_children[at] == 0) {
            m_children[at] =
                QAccessible::registerAccessibleInterface(new ItemAccess(widget(), m_items, index));
        }
        return QAccessible::accessibleInterface(m_children[at]);
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        for (std::size_t i = 0; i < m_children.size(); ++i) {
            if (m_children[i] != 0 && QAccessible::accessibleInterface(m_children[i]) == child) {
                return static_cast<int>(i);
            }
        }
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        return childCount() == 0 ? nullptr
                                 : child(m_items->itemAt(widget()->mapFromGlobal(QPoint(x, y))));
    }
    QAccessibleInterface* focusChild() const override {
        return childCount() > 0 && widget()->hasFocus() ? child(m_items->currentItem()) : nullptr;
    }
    QString text(QAccessible::Text kind) const override {
        const int current =
            kind == QAccessible::Value && childCount() > 0 ? m_items->currentItem() : -1;
        return current >= 0 ? m_items->itemText(current) : QAccessibleWidget::text(kind);
    }
    void forget() {
        for (const QAccessible::Id id : std::exchange(m_children, {})) {
            if (id != 0) {
                QAccessible::deleteAccessibleInterface(id);
            }
        }
    }
    /// The widget is being destroyed, and its interface a little later.
    void leave() {
        forget();
        m_items = nullptr;
    }

private:
    PaintedItems* m_items;
    mutable std::vector<QAccessible::Id> m_children; ///< made when asked for; 0: not yet
};

std::optional<double> distanceTowards(const QRectF& from, const QRectF& to, int key) {
    const bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
    const double sign = key == Qt::Key_Right || key == Qt::Key_Down ? 1 : -1;
    const QPointF a = from.center();
    const QPointF b = to.center();
    const double along = sign * (sideways ? b.x() - a.x() : b.y() - a.y());
    if (along < 0.5) {
        return std::nullopt;
    }
    const auto gap = [](double low, double high, double otherLow, double otherHigh) {
        return std::max({0.0, otherLow - high, low - otherHigh});
    };
    const double beside = sideways ? gap(from.top(), from.bottom(), to.top(), to.bottom())
                                   : gap(from.left(), from.right(), to.left(), to.right());
    const double edge = sideways ? (sign > 0 ? to.left() - from.right() : from.left() - to.right())
                                 : (sign > 0 ? to.top() - from.bottom() : from.top() - to.bottom());
    if (edge < -0.5) {
        return std::nullopt;
    }
    const double shift = std::abs(sideways ? b.y() - a.y() : b.x() - a.x());
    return edge + kAcross * beside + shift / 1000;
}

PaintedItems::PaintedItems(QWidget* widget, QAccessible::Role role)
    : m_widget(widget), m_role(role) {
    installAccessFactory();
}

PaintedItems::~PaintedItems() {
    if (m_access != nullptr) {
        m_access->leave();
    }
}

QAccessibleInterface* PaintedItems::makeAccess() {
    m_access = new ItemsAccess(m_widget, this, m_role);
    return m_access;
}

int PaintedItems::itemAt(const QPointF& place) {
    for (int i = itemCount(); i-- > 0;) {
        if (itemRect(i).contains(place)) {
            return i;
        }
    }
    return -1;
}

int PaintedItems::currentItem() {
    return m_current < itemCount() ? m_current : -1;
}

void PaintedItems::setCurrentItem(int item) {
    m_current = item;
    m_widget->update();
}

void PaintedItems::visit(int item) {
    setCurrentItem(item);
    speakCurrent();
    const int x = qRound(itemRect(item).center().x());
    QToolTip::showText(m_widget->mapToGlobal(QPoint(x, m_widget->height())),
                       text::toolTip(itemText(item)), m_widget);
}

std::optional<QRectF> PaintedItems::walkFrom() {
    const int current = currentItem();
    return current < 0 ? std::nullopt : std::optional(itemRect(current));
}

void PaintedItems::itemsChanged() {
    m_current = -1;
    m_spoken = -1;
    if (m_access != nullptr) {
        m_access->forget();
    }
}

void PaintedItems::speakCurrent() {
    const int item = m_widget->hasFocus() ? currentItem() : -1;
    if (item < 0 || item >= kMostItems) {
        return;
    }
    // A reader speaks an item that gets the focus, but Orca not one whose name changes: such an
    // item becomes another one.
    if (item == m_spoken && m_access != nullptr) {
        m_access->forget();
    }
    QAccessibleEvent event(m_widget, QAccessible::Focus);
    event.setChild(item);
    notifyScreenReaders(event);
    m_spoken = item;
}

std::optional<int> PaintedItems::neighbour(int key) {
    const std::optional<QRectF> start = walkFrom();
    if (!start) {
        return 0;
    }
    const int from = currentItem();
    std::optional<int> nearest;
    double least = std::numeric_limits<double>::max();
    for (int i = 0; i < itemCount(); ++i) {
        const auto away = distanceTowards(*start, itemRect(i), key);
        if (i != from && away && *away < least) {
            least = *away;
            nearest = i;
        }
    }
    return nearest;
}

bool PaintedItems::walk(const QKeyEvent& event) {
    if ((event.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier || itemCount() == 0) {
        return false;
    }
    std::optional<int> item;
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        item = neighbour(event.key());
        break;
    case Qt::Key_Home:
        item = 0;
        break;
    case Qt::Key_End:
        item = itemCount() - 1;
        break;
    default:
        return false;
    }
    if (!item) {
        return false;
    }
    visit(*item);
    return true;
}

void PaintedItems::paintCurrent(QPainter& painter) {
    if (!m_widget->hasFocus()) {
        return;
    }
    const int item = currentItem();
    painter.save();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme::accent(m_widget->palette()), item < 0 ? 1 : 2));
    const QRectF box = item < 0 ? QRectF(m_widget->rect()) : itemRect(item);
    painter.drawRect(item < 0 ? box.adjusted(0.5, 0.5, -0.5, -0.5) : box.adjusted(1, 1, -1, -1));
    painter.restore();
}

ItemsWidget::ItemsWidget(QWidget* parent, QAccessible::Role role)
    : QWidget(parent), PaintedItems(this, role) {}

void ItemsWidget::keyPressEvent(QKeyEvent* event) {
    if (!walk(*event)) {
        QWidget::keyPressEvent(event);
    }
}

void ItemsWidget::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    focusArrived();
}

} // namespace cairn::ui
