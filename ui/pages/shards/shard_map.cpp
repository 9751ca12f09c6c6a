// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/shards/shard_map.h"

#include "ui/models/piece_colors.h"
#include "ui/models/role_color.h"
#include "ui/models/tensor_words.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace cairn::ui {
namespace {

constexpr int kBarHeight = 14;
constexpr int kLeastBar = 140; ///< px that the names leave to the bars
constexpr double kGapFrom = 5; ///< boxes as wide as this are separated by a gap

} // namespace

ShardMap::ShardMap(QWidget* parent) : QAbstractScrollArea(parent), PaintedItems(this) {
    setLayoutDirection(Qt::LeftToRight); // offsets in a file run so in any language
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    setAccessibleName(tr("Files"));
}

void ShardMap::show(ShardIndexPtr index) {
    itemsChanged();
    m_index = std::move(index);
    m_selected.reset();
    m_row = 0;
    m_segment = 0;
    QStringList accessibleText;
    for (std::size_t i = 0; m_index && i < std::min<std::size_t>(m_index->files.size(), 100); ++i) {
        const ShardIndex::File& file = m_index->files[i];
        accessibleText << tr("%1, %2, %3")
                              .arg(text::fromCore(m_index->checkpoint->files()[file.file].path),
                                   text::bytes(file.bytes), wordsOf(file));
    }
    setAccessibleDescription(accessibleText.join(QStringLiteral("; ")));
    verticalScrollBar()->setValue(0);
    updateGeometry();
    updateScroll();
    viewport()->update();
}

void ShardMap::select(std::optional<TensorIndex> tensor) {
    m_selected = tensor;
    viewport()->update();
}

void ShardMap::revealSelected() {
    if (!m_index || !m_selected) {
        return;
    }
    const PieceList& pieces = m_index->checkpoint->tensor(*m_selected).pieces;
    for (std::size_t row = 0; !pieces.empty() && row < m_index->files.size(); ++row) {
        if (m_index->files[row].file != pieces.front().file.value) {
            continue;
        }
        const int top = static_cast<int>(row) * rowHeight();
        const int first = verticalScrollBar()->value();
        if (top < first || top + rowHeight() > first + viewport()->height()) {
            verticalScrollBar()->setValue(top - viewport()->height() / 3);
        }
        return;
    }
}

QSize ShardMap::sizeHint() const {
    const std::size_t rows = m_index ? std::min<std::size_t>(m_index->files.size(), 1000) : 0;
    return {640, static_cast<int>(rows) * rowHeight()};
}

QSize ShardMap::minimumSizeHint() const {
    return {240, std::min(sizeHint().height(), 3 * rowHeight())};
}

int ShardMap::rowHeight() const {
    return std::max(26, fontMetrics().height() + theme::kGrid);
}

ShardMap::Columns ShardMap::columns() const {
    int widest = 0;
    int words = 0;
    for (std::size_t i = 0; m_index && i < std::min<std::size_t>(m_index->files.size(), 200); ++i) {
        const QString name =
            text::fromCore(m_index->checkpoint->files()[m_index->files[i].file].path);
        widest = std::max(widest, fontMetrics().horizontalAdvance(name));
        words = std::max(words, fontMetrics().horizontalAdvance(wordsOf(m_index->files[i])));
    }
    Columns columns;
    const int gap = 2 * theme::kGrid;
    const int bytes = fontMetrics().horizontalAdvance(QStringLiteral("999.9 MB"));
    columns.words = viewport()->width() - words;
    columns.bytes = columns.words - gap - bytes;
    columns.name = std::clamp(widest, 60, std::max(60, columns.bytes - 2 * gap - kLeastBar));
    columns.bar = columns.name + gap;
    columns.barWidth = std::max(40, columns.bytes - gap - columns.bar);
    return columns;
}

void ShardMap::updateScroll() {
    const int rows = m_index ? static_cast<int>(m_index->files.size()) : 0;
    verticalScrollBar()->setRange(0, std::max(0, rows * rowHeight() - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(rowHeight());
}

void ShardMap::resizeEvent(QResizeEvent*) {
    updateScroll();
}

QString ShardMap::wordsOf(const ShardIndex::File& file) const {
    if (file.missing) {
        return tr("missing");
    }
    if (file.tensors == 0) {
        return tr("no tensors");
    }
    if (file.against != 0) {
        const long percent = std::lround(std::abs(file.against) * 100);
        return file.against < 0 ? tr("%1 % smaller than others").arg(percent)
                                : tr("%1 % larger than others").arg(percent);
    }
    return tr("%Ln tensors", nullptr, static_cast<int>(file.tensors));
}

void ShardMap::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.setLayoutDirection(layoutDirection());
    if (!m_index) {
        return;
    }
    const int first = verticalScrollBar()->value() / rowHeight();
    const int last = (verticalScrollBar()->value() + viewport()->height()) / rowHeight();
    for (int row = first; row <= last && row < static_cast<int>(m_index->files.size()); ++row) {
        paintRow(painter, static_cast<std::size_t>(row),
                 row * rowHeight() - verticalScrollBar()->value());
    }
}

void ShardMap::paintRow(QPainter& painter, std::size_t row, int top) const {
    const ShardIndex::File& file = m_index->files[row];
    const Columns at = columns();
    const QColor dim = theme::color(theme::Tone::Dim, palette());
    const QColor broken = theme::color(theme::Tone::Broken, palette());
    const QRect name(0, top, at.name, rowHeight());
    painter.setPen(file.missing ? broken : theme::color(theme::Tone::Plain, palette()));
    painter.drawText(name, Qt::AlignVCenter | Qt::AlignLeft,
                     text::elided(text::fromCore(m_index->checkpoint->files()[file.file].path),
                                  fontMetrics(), at.name));
    if (hasFocus() && row == m_row) {
        painter.fillRect(QRectF(0, top + rowHeight() - 4, at.name, 1.5), theme::accent(palette()));
    }
    QRectF bar(at.bar, top + (rowHeight() - kBarHeight) / 2.0, at.barWidth, kBarHeight);
    const double share = m_index->largest == 0 ? 0
                                               : static_cast<double>(file.bytes) /
                                                     static_cast<double>(m_index->largest);
    bar.setWidth(std::clamp(share, 0.0, 1.0) * at.barWidth);
    if (file.missing) {
        painter.setPen(QPen(broken, 1, Qt::DashLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    } else if (file.tensors > 0) {
        painter.fillRect(bar, theme::track(palette()));
    }
    if (file.tensors > 0) {
        paintSegments(painter, file, bar);
    }
    painter.setPen(file.missing || file.tensors == 0 ? dim
                                                     : theme::color(theme::Tone::Plain, palette()));
    painter.drawText(QRect(at.bytes, top, at.words - 2 * theme::kGrid - at.bytes, rowHeight()),
                     Qt::AlignVCenter | Qt::AlignRight,
                     file.missing ? QString() : text::bytes(file.bytes));
    painter.setPen(file.missing        ? broken
                   : file.against != 0 ? theme::color(theme::Tone::Attention, palette())
                                       : dim);
    painter.drawText(QRect(at.words, top, viewport()->width() - at.words, rowHeight()),
                     Qt::AlignVCenter | Qt::AlignLeft, wordsOf(file));
}

void ShardMap::paintSegments(QPainter& painter, const ShardIndex::File& file,
                             const QRectF& bar) const {
    const double scale = file.bytes == 0 ? 0 : bar.width() / static_cast<double>(file.bytes);
    const double ratio = viewport()->devicePixelRatioF();
    double paintedTo = bar.left();
    for (const ShardIndex::Segment& segment : file.segments) {
        const TensorIndex tensor{std::size_t{segment.tensor}};
        const bool isSelected = m_selected == tensor;
        const double left = bar.left() + static_cast<double>(segment.offset) * scale;
        const double right = left + static_cast<double>(segment.length) * scale;
        if (!isSelected && (file.missing || right < paintedTo + 1 / ratio)) {
            continue; // less than a pixel beyond the painted part
        }
        QRectF box(left, bar.top(), right - left, bar.height());
        if (isSelected) {
            box.setWidth(std::max(box.width(), 3.0));
            box.adjust(0, -3, 0, 3);
            const QColor broken = theme::color(theme::Tone::Broken, palette());
            painter.fillRect(box, file.missing ? QBrush(broken, Qt::BDiagPattern)
                                               : QBrush(theme::accent(palette())));
            continue;
        }
        box.setLeft(std::max(box.left(), paintedTo));
        box.setWidth(std::max(box.width(), 1 / ratio)); // those within it are not painted
        const bool faded = m_selected.has_value();
        QColor fill = roleColor(m_index->checkpoint->tensor(tensor).role, palette());
        fill.setAlphaF(faded ? 0.35F : segment.tensor % 2 == 0 ? 1.0F : 0.78F);
        paintedTo = box.right();
        if (right - left >= kGapFrom) {
            box.setRight(box.right() - 1);
        }
        painter.fillRect(box, fill);
    }
}

std::optional<std::size_t> ShardMap::rowAt(int y) const {
    const int row = (y + verticalScrollBar()->value()) / rowHeight();
    const bool isThere = m_index && y >= 0 && row < static_cast<int>(m_index->files.size());
    return isThere ? std::optional(static_cast<std::size_t>(row)) : std::nullopt;
}

const ShardIndex::Segment* ShardMap::segmentAt(const QPoint& at) const {
    const std::optional<std::size_t> row = rowAt(at.y());
    const Columns column = columns();
    if (!row || at.x() < column.bar || at.x() > column.bar + column.barWidth ||
        m_index->largest == 0) {
        return nullptr;
    }
    const ShardIndex::File& file = m_index->files[*row];
    const double perPixel = static_cast<double>(m_index->largest) / column.barWidth;
    const double offset = (at.x() - column.bar) * perPixel;
    // The last box that starts at or before the pointer, within two pixels.
    const auto after = std::ranges::upper_bound(
        file.segments, offset + perPixel, {},
        [](const ShardIndex::Segment& s) { return static_cast<double>(s.offset); });
    if (after == file.segments.begin()) {
        return nullptr;
    }
    const ShardIndex::Segment& hit = *std::prev(after);
    const bool isInside = static_cast<double>(hit.offset + hit.length) + 2 * perPixel >= offset;
    return isInside ? &hit : nullptr;
}

void ShardMap::mousePressEvent(QMouseEvent* event) {
    const ShardIndex::Segment* segment = segmentAt(event->pos());
    if (event->button() != Qt::LeftButton || segment == nullptr) {
        return;
    }
    const std::size_t row = *rowAt(event->pos().y());
    choose(row, static_cast<std::size_t>(segment - m_index->files[row].segments.data()));
}

void ShardMap::choose(std::size_t row, std::size_t segment) {
    m_row = row;
    m_segment = segment;
    m_selected = TensorIndex(std::size_t{m_index->files[row].segments[segment].tensor});
    viewport()->update();
    Q_EMIT chosen(*m_selected);
}

void ShardMap::step(int rows, int segments) {
    if (!m_index || m_index->files.empty()) {
        return;
    }
    const auto moved = [](std::size_t from, int by, std::size_t count) {
        const auto target = static_cast<std::ptrdiff_t>(from) + by;
        return static_cast<std::size_t>(
            std::clamp<std::ptrdiff_t>(target, 0, static_cast<std::ptrdiff_t>(count) - 1));
    };
    m_row = moved(m_row, rows, m_index->files.size());
    const std::size_t count = m_index->files[m_row].segments.size();
    if (count > 0) {
        choose(m_row, moved(m_segment, segments, count));
    }
    revealSelected();
    speakCurrent();
    viewport()->update();
}

int ShardMap::itemCount() {
    return m_index ? static_cast<int>(m_index->files.size()) : 0;
}

QString ShardMap::itemText(int item) {
    const auto row = static_cast<std::size_t>(item);
    const ShardIndex::File& file = m_index->files[row];
    const QString line = tr("%1, %2, %3")
                             .arg(text::fromCore(m_index->checkpoint->files()[file.file].path),
                                  text::bytes(file.bytes), wordsOf(file));
    if (!m_selected || row != m_row || m_segment >= file.segments.size()) {
        return line;
    }
    const ShardIndex::Segment& segment = file.segments[m_segment];
    const TensorEntry& tensor = m_index->checkpoint->tensors()[segment.tensor];
    return tr("%1, %2; %3").arg(text::fromCore(tensor.name), text::bytes(segment.length), line);
}

QRectF ShardMap::itemRect(int item) {
    const int top = item * rowHeight() - verticalScrollBar()->value();
    return QRectF(0, top, viewport()->width(), rowHeight())
        .translated(viewport()->geometry().topLeft());
}

int ShardMap::currentItem() {
    return m_row < static_cast<std::size_t>(itemCount()) ? static_cast<int>(m_row) : -1;
}

void ShardMap::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    focusArrived();
    viewport()->update();
}

void ShardMap::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void ShardMap::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Up:
        return step(-1, 0);
    case Qt::Key_Down:
        return step(1, 0);
    case Qt::Key_Left:
        return step(0, -1);
    case Qt::Key_Right:
        return step(0, 1);
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

QString ShardMap::toolTipAt(const QPoint& at) const {
    const std::optional<std::size_t> row = rowAt(at.y());
    if (!row) {
        return {};
    }
    const ShardIndex::File& file = m_index->files[*row];
    const QString path = text::fromCore(m_index->checkpoint->files()[file.file].path);
    if (const ShardIndex::Segment* segment = segmentAt(at)) {
        const TensorEntry& tensor = m_index->checkpoint->tensors()[segment->tensor];
        return tr("%1\n%2\n%3 at byte %4 of %5")
            .arg(text::fromCore(tensor.name),
                 words::box(tensor.pieces[segment->piece].box, tensor.shape),
                 text::bytes(segment->length), text::count(segment->offset), path);
    }
    const QString size = file.missing ? tr("listed in the index, but not in the folder")
                                      : text::exactBytes(file.bytes);
    return path + QLatin1Char('\n') + size + QLatin1Char('\n') + wordsOf(file);
}

bool ShardMap::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), text::toolTip(toolTipAt(help->pos())), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace cairn::ui
