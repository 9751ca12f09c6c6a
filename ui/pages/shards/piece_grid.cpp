// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/shards/piece_grid.h"

#include "ui/models/piece_colors.h"
#include "ui/models/tensor_words.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace cairn::ui {
namespace {

constexpr int kHeight = 160;
constexpr int kWidest = 400;
constexpr int kBand = 36;           ///< height of a vector
constexpr double kMaxUnequal = 5.0; ///< sides are drawn at most this unequal

} // namespace

PieceGrid::PieceGrid(QWidget* parent) : ItemsWidget(parent, QAccessible::Chart) {
    setLayoutDirection(Qt::LeftToRight); // dimensions run so in any language
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(tr("Pieces"));
}

void PieceGrid::show(CheckpointPtr checkpoint, TensorIndex tensor, PieceLayout layout) {
    itemsChanged();
    m_checkpoint = std::move(checkpoint);
    m_tensor = tensor;
    m_layout = std::move(layout);
    QStringList accessibleText;
    const TensorEntry& entry = m_checkpoint->tensor(m_tensor);
    for (std::size_t i = 0; i < std::min<std::size_t>(entry.pieces.size(), 64); ++i) {
        const CheckpointFile& file = m_checkpoint->files()[entry.pieces[i].file.position()];
        accessibleText << tr("%1 in %2")
                              .arg(words::box(entry.pieces[i].box, entry.shape),
                                   text::fromCore(file.path));
    }
    setAccessibleDescription(accessibleText.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

void PieceGrid::clear() {
    itemsChanged();
    m_checkpoint.reset();
    m_layout = {};
    update();
}

int PieceGrid::axisRoom() const {
    return fontMetrics().height() + 6;
}

QSizeF PieceGrid::drawnSize() const {
    if (m_layout.vertical < 0) {
        return {kWidest, kBand};
    }
    const double ratio =
        std::clamp(m_layout.width / m_layout.height, 1.0 / kMaxUnequal, kMaxUnequal);
    const double width = std::min<double>(kWidest, kHeight * ratio);
    return {width, width / ratio};
}

QSize PieceGrid::sizeHint() const {
    const QSizeF drawn = drawnSize();
    const int left = m_layout.vertical < 0 ? 0 : axisRoom();
    const int least = fontMetrics().horizontalAdvance(QStringLiteral("dim 0: 151,936"));
    return {std::max(static_cast<int>(std::ceil(drawn.width())) + left, least) + 1,
            static_cast<int>(std::ceil(drawn.height())) + axisRoom() + 1};
}

QRectF PieceGrid::ground() const {
    const int left = m_layout.vertical < 0 ? 0 : axisRoom();
    return {QPointF(left, axisRoom()), drawnSize()};
}

QRectF PieceGrid::rectOf(const PieceLayout::Part& part) const {
    const QRectF all = ground();
    const double sx = all.width() / m_layout.width;
    const double sy = all.height() / m_layout.height;
    return {all.left() + part.x * sx, all.top() + part.y * sy, part.width * sx, part.height * sy};
}

void PieceGrid::paintPart(QPainter& painter, const PieceLayout::Part& part, double position) const {
    QRectF box = rectOf(part);
    if (box.width() > 4 && box.height() > 4) {
        box.adjust(0, 0, -1.5, -1.5);
    }
    const CheckpointFile& file =
        m_checkpoint->files()[m_checkpoint->tensor(m_tensor).pieces[part.piece].file.position()];
    const QColor broken = theme::color(theme::Tone::Broken, palette());
    const QColor fill = pieceShade(position, palette());
    if (part.missing) {
        painter.setPen(QPen(broken, 1, Qt::DashLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        QColor faint = broken;
        faint.setAlphaF(0.35F);
        painter.fillRect(box, QBrush(faint, Qt::BDiagPattern));
    } else {
        painter.fillRect(box, fill);
    }
    QString label = words::shardNumber(
        file.path, m_checkpoint->tensor(m_tensor).pieces[part.piece].file.position());
    if (part.missing) {
        const QString whole = tr("%1 missing").arg(label);
        label = fontMetrics().horizontalAdvance(whole) + 6 < box.width() ? whole : label;
    }
    if (fontMetrics().horizontalAdvance(label) + 4 < box.width() &&
        fontMetrics().height() <= box.height()) {
        painter.setPen(part.missing ? broken : textOn(fill));
        painter.drawText(box, Qt::AlignCenter, label);
    }
}

void PieceGrid::paintHoles(QPainter& painter) const {
    const QColor broken = theme::color(theme::Tone::Broken, palette());
    for (const PieceLayout::Part& hole : m_layout.holes) {
        const QRectF box = rectOf(hole);
        painter.fillRect(box, QBrush(broken, Qt::BDiagPattern));
        painter.setPen(broken);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void PieceGrid::paintAxes(QPainter& painter) const {
    const QRectF all = ground();
    const auto across = static_cast<std::uint64_t>(m_layout.width);
    const auto down = static_cast<std::uint64_t>(m_layout.height);
    painter.setFont(theme::small(font()));
    painter.setPen(theme::color(theme::Tone::Dim, palette()));
    const QString horizontal =
        m_layout.vertical < 0 ? tr("%1 elements").arg(text::count(across))
                              : tr("dim %1: %2").arg(m_layout.horizontal).arg(text::count(across));
    painter.drawText(QRectF(all.left(), 0, width() - all.left(), all.top() - 2),
                     Qt::AlignLeft | Qt::AlignVCenter, horizontal);
    if (m_layout.vertical >= 0) {
        const QString vertical = tr("dim %1: %2").arg(m_layout.vertical).arg(text::count(down));
        painter.save();
        painter.translate(0, all.bottom());
        painter.rotate(-90);
        painter.drawText(QRectF(0, 0, all.height(), all.left() - 4),
                         Qt::AlignRight | Qt::AlignVCenter, vertical);
        painter.restore();
    }
}

void PieceGrid::paintEvent(QPaintEvent*) {
    if (!m_checkpoint) {
        return;
    }
    QPainter painter(this);
    painter.setLayoutDirection(layoutDirection());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.save();
    paintAxes(painter);
    painter.restore();
    painter.fillRect(ground(), theme::track(palette()));
    const double steps = static_cast<double>(std::max<std::size_t>(m_layout.parts.size(), 2) - 1);
    for (std::size_t i = 0; i < m_layout.parts.size(); ++i) {
        paintPart(painter, m_layout.parts[i], static_cast<double>(i) / steps);
    }
    paintHoles(painter);
    paintCurrent(painter);
}

QString PieceGrid::describe(const PieceLayout::Part& part) const {
    const TensorEntry& tensor = m_checkpoint->tensor(m_tensor);
    const Piece& piece = tensor.pieces[part.piece];
    const QString path = text::fromCore(m_checkpoint->files()[piece.file.position()].path);
    const QString bytes =
        tr("%1 at byte %2").arg(text::bytes(piece.bytes.length), text::count(piece.bytes.offset));
    return (part.missing ? tr("%1 (missing)").arg(path) : path) + QLatin1Char('\n') +
           words::box(piece.box, tensor.shape) + QLatin1Char('\n') + bytes;
}

QString PieceGrid::itemText(int item) {
    return describe(m_layout.parts[static_cast<std::size_t>(item)])
        .replace(QLatin1Char('\n'), QStringLiteral(", "));
}

QRectF PieceGrid::itemRect(int item) {
    return rectOf(m_layout.parts[static_cast<std::size_t>(item)]);
}

QString PieceGrid::toolTipAt(const QPointF& at) const {
    if (!m_checkpoint) {
        return {};
    }
    for (const PieceLayout::Part& hole : m_layout.holes) {
        if (rectOf(hole).contains(at)) {
            return tr("Not covered by any piece");
        }
    }
    for (const PieceLayout::Part& part : m_layout.parts) {
        if (rectOf(part).contains(at)) {
            return describe(part);
        }
    }
    return {};
}

bool PieceGrid::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), text::toolTip(toolTipAt(help->pos())), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace cairn::ui
