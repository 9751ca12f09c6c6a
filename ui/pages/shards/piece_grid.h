// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/shards/shard_index.h"
#include "ui/widgets/painted_items.h"

namespace cairn::ui {

/// The pieces of one tensor, drawn to scale over two of its dimensions: each box with the number of
/// its shard, missing ones dashed, elements in no piece hatched.
class PieceGrid : public ItemsWidget {
    Q_OBJECT

public:
    explicit PieceGrid(QWidget* parent = nullptr);
    void show(CheckpointPtr checkpoint, TensorIndex tensor, PieceLayout layout);
    void clear();
    QSize sizeHint() const override;
    int itemCount() override { return static_cast<int>(m_layout.parts.size()); }
    QString itemText(int item) override;
    QRectF itemRect(int item) override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    int axisRoom() const;
    QSizeF drawnSize() const;
    QRectF ground() const; ///< where the tensor is drawn
    QRectF rectOf(const PieceLayout::Part& part) const;
    void paintPart(QPainter& painter, const PieceLayout::Part& part, double position) const;
    void paintHoles(QPainter& painter) const;
    void paintAxes(QPainter& painter) const;
    QString describe(const PieceLayout::Part& part) const;
    QString toolTipAt(const QPointF& at) const;

    CheckpointPtr m_checkpoint;
    TensorIndex m_tensor;
    PieceLayout m_layout;
};

} // namespace cairn::ui
