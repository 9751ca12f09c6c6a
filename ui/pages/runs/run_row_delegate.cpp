// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/run_row_delegate.h"

#include "ui/pages/runs/run_table_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/mark_box.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace cairn::ui {
namespace {

void paintPanel(QPainter* painter, const QStyleOptionViewItem& option) {
    const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, option.widget);
}

void paintOutline(QPainter& painter, const QRectF& area, const std::vector<float>& values,
                  const QColor& color) {
    float low = INFINITY;
    float high = -INFINITY;
    for (const float value : values) {
        low = std::isfinite(value) ? std::min(low, value) : low;
        high = std::isfinite(value) ? std::max(high, value) : high;
    }
    if (!(low <= high)) {
        return;
    }
    const double range = high > low ? high - low : 1;
    QPolygonF line;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) {
            continue; // the line goes on at the next value
        }
        const double share =
            values.size() > 1 ? static_cast<double>(i) / static_cast<double>(values.size() - 1) : 0;
        const double height = high > low ? (values[i] - low) / range : 0.5;
        line << QPointF(area.left() + area.width() * share, area.bottom() - area.height() * height);
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.2));
    if (line.size() == 1) {
        painter.drawPoint(line.front());
    } else {
        painter.drawPolyline(line);
    }
    painter.restore();
}

} // namespace

static_assert(RunRowDelegate::kBoxRoom == RowDelegate::kPadding + kMarkBoxSize);

QRect RunRowDelegate::markRect(const QStyleOptionViewItem& option) {
    const QRect box(option.rect.left() + kPadding, option.rect.center().y() - kMarkBoxSize / 2,
                    kMarkBoxSize, kMarkBoxSize);
    return QStyle::visualRect(option.direction, option.rect, box);
}

void RunRowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
    const int slot = index.data(RunTableModel::SlotRole).toInt();
    if (index.data(RunTableModel::OutlineRole).toBool()) {
        paintPanel(painter, option);
        const auto* model = qobject_cast<const RunTableModel*>(index.model());
        const QRectF area = QRectF(option.rect).adjusted(kPadding, 5, -kPadding, -5);
        paintOutline(*painter, area, model->row(index).outline,
                     slot >= 0 ? theme::series(slot, option.palette)
                               : theme::color(theme::Tone::Dim, option.palette));
        return;
    }
    QStyleOptionViewItem cell(option);
    if (index.data(RunTableModel::GoodRole).toBool()) {
        cell.palette.setColor(QPalette::Text, theme::color(theme::Tone::Good, option.palette));
    }
    if (index.column() == 0) {
        paintPanel(painter, option);
        const bool some = index.data(Qt::CheckStateRole).toInt() == Qt::PartiallyChecked;
        painter->save();
        painter->setOpacity(some ? 0.5 : 1.0);
        paintMarkBox(*painter, markRect(option), slot, option.palette, option.font);
        painter->restore();
        cell.rect = QStyle::visualRect(option.direction, option.rect,
                                       option.rect.adjusted(kBoxRoom, 0, 0, 0));
    }
    RowDelegate::paint(painter, cell, index);
}

QSize RunRowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QSize size = RowDelegate::sizeHint(option, index);
    if (index.data(RunTableModel::OutlineRole).toBool()) {
        return {kOutlineWidth + 2 * kPadding, size.height()};
    }
    return {size.width() + (index.column() == 0 ? kBoxRoom : 0), size.height()};
}

bool RunRowDelegate::editorEvent(QEvent* event, QAbstractItemModel* model,
                                 const QStyleOptionViewItem& option, const QModelIndex& index) {
    if (event->type() == QEvent::KeyPress) { // any cell may be the current one
        return editMark(event, model, index.siblingAtColumn(0), {});
    }
    return editMark(event, model, index, markRect(option));
}

} // namespace cairn::ui
