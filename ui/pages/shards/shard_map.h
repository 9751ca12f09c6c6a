// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/shards/shard_index.h"
#include "ui/widgets/painted_items.h"

#include <QAbstractScrollArea>

#include <optional>

namespace cairn::ui {

/// The files of a checkpoint, one row each: name, its bytes as a bar made of the boxes in it, size,
/// and remarks. Bars share one scale. Only visible rows are painted, and boxes narrower than a
/// pixel are merged, so that the cost depends only on the visible part. Clicking a box or the arrow
/// keys select a tensor.
class ShardMap : public QAbstractScrollArea, public PaintedItems {
    Q_OBJECT

public:
    explicit ShardMap(QWidget* parent = nullptr);

    /// Null: empty.
    void show(ShardIndexPtr index);
    /// Marks a tensor's boxes; the others step back.
    void select(std::optional<TensorIndex> tensor);
    std::optional<TensorIndex> selected() const { return m_selected; }
    void revealSelected();

    QSize sizeHint() const override; ///< all rows
    QSize minimumSizeHint() const override;
    int itemCount() override; ///< the files
    QString itemText(int item) override;
    QRectF itemRect(int item) override;
    int currentItem() override;

Q_SIGNALS:
    void chosen(cairn::TensorIndex tensor);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    struct Columns {
        int name = 0; ///< width
        int bar = 0;  ///< left edge
        int barWidth = 0;
        int bytes = 0; ///< left edge
        int words = 0; ///< left edge
    };

    int rowHeight() const;
    Columns columns() const;
    void updateScroll();
    void paintRow(QPainter& painter, std::size_t row, int top) const;
    void paintSegments(QPainter& painter, const ShardIndex::File& file, const QRectF& bar) const;
    QString wordsOf(const ShardIndex::File& file) const;
    QString toolTipAt(const QPoint& at) const;
    std::optional<std::size_t> rowAt(int y) const;
    const ShardIndex::Segment* segmentAt(const QPoint& at) const;
    void choose(std::size_t row, std::size_t segment);
    void step(int rows, int segments);

    ShardIndexPtr m_index;
    std::optional<TensorIndex> m_selected;
    std::size_t m_row = 0; ///< of the keyboard
    std::size_t m_segment = 0;
};

} // namespace cairn::ui
