// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/shard_strip.h"

#include "ui/models/piece_colors.h"
#include "ui/models/tensor_words.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <numeric>

namespace cairn::ui {
namespace {

constexpr std::size_t kMaxParts = 512; ///< more would be indistinguishable
constexpr double kGap = 2;

} // namespace

ShardStrip::ShardStrip(QWidget* parent) : ItemsWidget(parent) {
    setLayoutDirection(Qt::LeftToRight); // dimensions run so in any language
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ShardStrip::show(const Checkpoint& checkpoint, const TensorEntry& tensor) {
    itemsChanged();
    m_parts.clear();
    m_starts.clear();
    std::vector<const Piece*> pieces;
    for (const Piece& piece : tensor.pieces) {
        pieces.push_back(&piece);
    }
    std::ranges::stable_sort(pieces, [](const Piece* a, const Piece* b) {
        return std::ranges::lexicographical_compare(a->box.origin.span(), b->box.origin.span());
    });
    pieces.resize(std::min(pieces.size(), kMaxParts));
    double sum = 0;
    for (const Piece* piece : pieces) {
        const CheckpointFile& file = checkpoint.files()[piece->file.position()];
        Part part;
        part.label = words::shardNumber(file.path, piece->file.position());
        part.whole =
            text::fromCore(file.path) + QLatin1Char('\n') + words::box(piece->box, tensor.shape);
        part.missing = file.missing;
        part.share =
            std::max(1.0, static_cast<double>(elementCount(piece->box.extent).value_or(0)));
        m_starts.push_back(sum);
        sum += part.share;
        m_parts.push_back(std::move(part));
    }
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        m_parts[i].share /= sum;
        m_starts[i] /= sum;
    }
    setAccessibleName(tr("Location"));
    setAccessibleDescription(words::fileList(checkpoint, tensor).join(QStringLiteral(", ")));
    update();
}

QRectF ShardStrip::rectOf(std::size_t part) const {
    const double gap = m_parts.size() > 40 ? 0.5 : kGap;
    const double room = width() + gap;
    return {m_starts[part] * room, 0, std::max(0.5, m_parts[part].share * room - gap),
            static_cast<double>(height())};
}

void ShardStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont small = theme::small(font());
    painter.setFont(small);
    const QFontMetrics metrics(small);
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const Part& part = m_parts[i];
        const QRectF box = rectOf(i);
        const double steps = static_cast<double>(std::max<std::size_t>(m_parts.size(), 2) - 1);
        const QColor fill = pieceShade(static_cast<double>(i) / steps, palette());
        if (part.missing) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme::color(theme::Tone::Broken, palette()), 1, Qt::DashLine));
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        } else {
            painter.setPen(Qt::NoPen);
            painter.setBrush(fill);
            painter.drawRoundedRect(box, 2, 2);
        }
        if (metrics.horizontalAdvance(part.label) + 4 < box.width()) {
            painter.setPen(part.missing ? theme::color(theme::Tone::Broken, palette())
                                        : textOn(fill));
            painter.drawText(box, Qt::AlignCenter, part.label);
        }
    }
    paintCurrent(painter);
}

QString ShardStrip::itemText(int item) {
    const Part& part = m_parts[static_cast<std::size_t>(item)];
    QString line = part.whole;
    line.replace(QLatin1Char('\n'), QStringLiteral(", "));
    return part.missing ? tr("%1 (missing)").arg(line) : line;
}

bool ShardStrip::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            if (rectOf(i).contains(help->pos())) {
                QToolTip::showText(help->globalPos(), text::toolTip(m_parts[i].whole), this);
                return true;
            }
        }
        QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

} // namespace cairn::ui
