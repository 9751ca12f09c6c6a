// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/flow_layout.h"

#include <QStyle>
#include <QWidget>

#include <algorithm>

namespace cairn::ui {

FlowLayout::FlowLayout(int spacing, QWidget* parent) : QLayout(parent), m_gap(spacing) {
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() = default;

void FlowLayout::addItem(QLayoutItem* item) {
    m_items.emplace_back(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    if (index < 0 || index >= count()) {
        return nullptr;
    }
    QLayoutItem* item = m_items[static_cast<std::size_t>(index)].release();
    m_items.erase(m_items.begin() + index);
    return item;
}

int FlowLayout::heightForWidth(int width) const {
    return arrange({0, 0, width, 0}, false);
}

QSize FlowLayout::sizeHint() const {
    QSize size(0, 0);
    for (const auto& item : m_items) {
        if (!item->isEmpty()) {
            const QSize hint = item->sizeHint();
            size = {size.width() + hint.width() + (size.width() > 0 ? m_gap : 0),
                    std::max(size.height(), hint.height())};
        }
    }
    return size;
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const auto& item : m_items) {
        size = item->isEmpty() ? size : size.expandedTo(item->minimumSize());
    }
    return size;
}

void FlowLayout::setGeometry(const QRect& area) {
    QLayout::setGeometry(area);
    arrange(area, true);
}

int FlowLayout::arrange(const QRect& area, bool place) const {
    const Qt::LayoutDirection direction =
        parentWidget() != nullptr ? parentWidget()->layoutDirection() : Qt::LeftToRight;
    int x = area.x();
    int y = area.y();
    int row = 0; // its height
    for (const auto& item : m_items) {
        if (item->isEmpty()) {
            continue;
        }
        const QSize hint = item->sizeHint();
        const QSize size(
            std::max(std::min(hint.width(), area.width()), item->minimumSize().width()),
            hint.height());
        if (x > area.x() && x + size.width() > area.x() + area.width()) {
            x = area.x();
            y += row + m_gap;
            row = 0;
        }
        if (place) {
            item->setGeometry(QStyle::visualRect(direction, area, QRect(QPoint(x, y), size)));
        }
        x += size.width() + m_gap;
        row = std::max(row, size.height());
    }
    return y + row - area.y();
}

} // namespace cairn::ui
