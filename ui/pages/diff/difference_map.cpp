// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/difference_map.h"

#include "ui/pages/diff/diff_model.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kMapWidth = 14;
constexpr float kPaleMark = 0.3F; ///< opacity of the smallest change

QString nameOfNode(const DiffTree& tree, std::uint32_t node) {
    QString name = text::fromCore(tree.nodes[node].name);
    for (std::uint32_t at = tree.nodes[node].parent; at != 0; at = tree.nodes[at].parent) {
        name = text::fromCore(tree.nodes[at].name) + QLatin1Char('.') + name;
    }
    return name;
}

} // namespace

DifferenceMap::DifferenceMap(QWidget* parent) : ItemsWidget(parent, QAccessible::Chart) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("Map of the differences"));
}

void DifferenceMap::show(DiffRowsPtr rows) {
    m_rows = std::move(rows);
    m_marked = -1;
    itemsChanged();
    setVisible(itemCount() > 1);
    update();
}

void DifferenceMap::setCurrentNode(std::uint32_t node) {
    const bool isListed = m_rows && node != 0 && node < m_rows->partOf.size();
    if (isListed) {
        while (!m_rows->children[node].empty()) {
            node = m_rows->children[node].front();
        }
    }
    m_marked = isListed && itemCount() > 0 ? static_cast<int>(m_rows->partOf[node]) : -1;
    update();
}

QSize DifferenceMap::sizeHint() const {
    return {kMapWidth, 2 * theme::kGrid};
}

int DifferenceMap::itemCount() {
    return m_rows ? static_cast<int>(m_rows->parts.size()) : 0;
}

QString DifferenceMap::itemText(int item) {
    const DiffTree& tree = m_rows->document->tree;
    const DiffRows::Part& part = m_rows->parts[static_cast<std::size_t>(item)];
    const DiffNode& node = tree.nodes[part.most];
    const QString name = nameOfNode(tree, part.most);
    if (node.sums.onlyLeft > 0) {
        return tr("%1: only in A").arg(name);
    }
    if (node.sums.onlyRight > 0) {
        return tr("%1: only in B").arg(name);
    }
    if (!m_rows->document->hasValues()) {
        return name;
    }
    return part.differs
               ? tr("%1: relative change %2").arg(name, relativeText(node.sums.relativeChange()))
               : tr("%1: equal").arg(name);
}

QRectF DifferenceMap::itemRect(int item) {
    const double step = static_cast<double>(height()) / std::max(1, itemCount());
    return {0, item * step, static_cast<double>(width()), step};
}

void DifferenceMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect().adjusted(3, 0, -3, 0), theme::track(palette()));
    for (int i = 0; i < itemCount(); ++i) {
        const DiffRows::Part& part = m_rows->parts[static_cast<std::size_t>(i)];
        if (!part.differs) {
            continue;
        }
        const DiffSums& sums = m_rows->document->tree.nodes[part.most].sums;
        QColor colour = theme::series(1, palette());
        if (sums.onlyLeft > 0 || sums.onlyRight > 0) {
            colour = theme::color(theme::Tone::Dim, palette());
        } else if (m_rows->document->hasValues()) {
            colour.setAlphaF(kPaleMark + (1 - kPaleMark) * static_cast<float>(part.change));
        }
        QRectF mark = itemRect(i).adjusted(3, 0, -3, 0);
        mark.setHeight(std::max(mark.height() - (mark.height() > 4 ? 1 : 0), 1.0));
        painter.fillRect(mark, colour);
    }
    if (m_marked >= 0) {
        QRectF mark = itemRect(m_marked);
        mark.setHeight(std::max(mark.height(), 3.0));
        painter.setPen(QPen(theme::accent(palette()), 1));
        painter.drawRect(mark.adjusted(0.5, 0, -0.5, -1));
    }
    paintCurrent(painter);
}

void DifferenceMap::chooseAt(const QPointF& place) {
    if (itemCount() > 0 && height() > 0) {
        const int item =
            std::clamp(static_cast<int>(place.y() * itemCount() / height()), 0, itemCount() - 1);
        setCurrentItem(item);
        Q_EMIT tensorChosen(m_rows->parts[static_cast<std::size_t>(item)].most);
    }
}

void DifferenceMap::mousePressEvent(QMouseEvent* event) {
    chooseAt(event->position());
}

void DifferenceMap::mouseMoveEvent(QMouseEvent* event) {
    if ((event->buttons() & Qt::LeftButton) != 0) {
        chooseAt(event->position());
    }
}

void DifferenceMap::keyPressEvent(QKeyEvent* event) {
    const bool enters = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enters && currentItem() >= 0) {
        Q_EMIT tensorChosen(m_rows->parts[static_cast<std::size_t>(currentItem())].most);
    } else {
        ItemsWidget::keyPressEvent(event);
    }
}

void DifferenceMap::focusInEvent(QFocusEvent* event) {
    ItemsWidget::focusInEvent(event);
    if (currentItem() < 0 && itemCount() > 0) {
        setCurrentItem(0);
    }
}

bool DifferenceMap::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) {
        return ItemsWidget::event(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    if (itemCount() > 0 && height() > 0) {
        const int item = std::clamp(help->pos().y() * itemCount() / height(), 0, itemCount() - 1);
        QToolTip::showText(help->globalPos(), text::toolTip(itemText(item)), this);
    }
    return true;
}

} // namespace cairn::ui
