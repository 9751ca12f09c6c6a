// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessible>
#include <QRectF>
#include <QString>
#include <QWidget>

#include <optional>

class QKeyEvent;
class QPainter;

namespace cairn::ui {

class ItemsAccess;

/// Second base of a widget that paints items itself: tiles, bars, blocks, curves. Screen readers
/// get a list of them, the arrow keys walk from one to the next in the direction that is seen, and
/// the current one is spoken and shown as a tooltip. GUI thread only.
class PaintedItems {
public:
    virtual ~PaintedItems();
    PaintedItems(const PaintedItems&) = delete;
    PaintedItems& operator=(const PaintedItems&) = delete;

    virtual int itemCount() = 0;
    virtual QString itemText(int item) = 0; ///< name and value in one line
    virtual QRectF itemRect(int item) = 0;  ///< in the widget's coordinates
    virtual int itemAt(const QPointF& place);
    virtual int currentItem();          ///< -1: none
    QAccessibleInterface* makeAccess(); ///< for Qt's factory

    static constexpr int kMostItems = 1000; ///< that readers get

protected:
    /// `widget`: the object itself.
    explicit PaintedItems(QWidget* widget, QAccessible::Role role = QAccessible::List);

    /// Arrow keys, Home and End; false: another key, or no item in that direction.
    bool walk(const QKeyEvent& event);
    /// What a key does to the item that it reaches: makes it the current one, speaks it and shows
    /// its text as a tooltip.
    virtual void visit(int item);
    /// Where a step begins, if not at the current item.
    virtual std::optional<QRectF> walkFrom();
    void setCurrentItem(int item); ///< silently
    void itemsChanged();           ///< others than before; readers ask anew
    /// Readers hear the current item: where it or its text changes.
    void speakCurrent();
    /// For focusInEvent(): readers hear of the widget first, which Qt tells them.
    void focusArrived() { m_spoken = -1; }
    /// A frame around the current item while the widget has the focus.
    void paintCurrent(QPainter& painter);

private:
    friend class ItemsAccess;
    std::optional<int> neighbour(int key);

    QWidget* m_widget;
    ItemsAccess* m_access = nullptr; ///< Qt's cache owns it; null: nobody has asked yet
    QAccessible::Role m_role;
    int m_current = -1;
    int m_spoken = -1;
};

/// A widget of nothing but painted items: its keys walk them.
class ItemsWidget : public QWidget, public PaintedItems {
public:
    explicit ItemsWidget(QWidget* parent, QAccessible::Role role = QAccessible::List);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
};

/// How far `to` is from `from` in the direction of an arrow key; empty: it is not there.
std::optional<double> distanceTowards(const QRectF& from, const QRectF& to, int key);

} // namespace cairn::ui
