// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/relation_plot.h"

#include "ui/theme/theme.h"

#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QPainter>

#include <utility>

namespace cairn::ui {
namespace {

constexpr std::size_t kItemsOfPart = 80; ///< take 1 to 2 ms

} // namespace

RelationPlot::RelationPlot(QWidget* parent) : PlotWidget(parent) {}

void RelationPlot::setRelation(RelationPtr relation) {
    m_relation = std::move(relation);
    m_chosen.clear();
    forgetBase();
}

void RelationPlot::forgetBase() {
    m_accent = theme::accent(palette()); // these take longer than the painting of an item
    m_dim = theme::color(theme::Tone::Dim, palette());
    if (isEmpty()) {
        m_base.clear();
        return;
    }
    m_base.change(baseItems(), kItemsOfPart,
                  [this](QPainter& onto, std::size_t first, std::size_t last) {
                      paintBase(onto, first, last);
                  });
}

QColor RelationPlot::ink(std::size_t item, bool chosen) const {
    const int series = m_relation->items[item].series;
    if (m_relation->scale != nullptr) {
        const std::optional<double> share = m_relation->items[item].share;
        return share ? theme::shade(*share, palette()) : m_dim;
    }
    return series >= 0 ? theme::series(series, palette()) : chosen ? m_accent : m_dim;
}

void RelationPlot::setChosen(std::vector<bool> chosen) {
    if (chosen.empty() != m_chosen.empty()) { // the others become faint, or no longer are
        forgetBase();
    }
    m_chosen = std::move(chosen);
    update();
}

void RelationPlot::paintEvent(QPaintEvent*) {
    if (isEmpty()) {
        return;
    }
    QPainter painter(this);
    m_base.paint(painter);
    paintChosen(painter);
    paintPointer(painter);
}

QByteArray RelationPlot::picture(ExportFormat format) const {
    constexpr int kPadding = 2 * theme::kGrid;
    const QString title = pictureTitle();
    const int head = title.isEmpty() ? 0 : QFontMetrics(font()).height() + theme::kGrid;
    const QSize whole = size() + QSize(2 * kPadding, 2 * kPadding + head);
    return drawnPicture(format, whole, [&](QPainter& painter) {
        painter.setFont(font());
        painter.fillRect(QRect(QPoint(), whole), theme::cardGround(palette()));
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QRect(kPadding, kPadding, width(), head), Qt::AlignLeft | Qt::AlignTop,
                         title);
        if (!isEmpty()) {
            painter.translate(kPadding, kPadding + head);
            paintBase(painter, 0, baseItems());
            paintChosen(painter);
        }
    });
}

void RelationPlot::contextMenuEvent(QContextMenuEvent* event) {
    if (!isEmpty()) {
        Q_EMIT menuRequested(event->globalPos());
    }
}

} // namespace cairn::ui
