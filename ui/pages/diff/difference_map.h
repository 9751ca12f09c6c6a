// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/diff/diff_rows.h"
#include "ui/widgets/painted_items.h"

#include <QString>

namespace cairn::ui {

/// A bar beside the rows that shows where all listed tensors differ, and how much, also those that
/// are scrolled away or in a collapsed module. A click goes to the most changed tensor there, as
/// Enter does.
class DifferenceMap : public ItemsWidget {
    Q_OBJECT

public:
    explicit DifferenceMap(QWidget* parent = nullptr);
    void show(DiffRowsPtr rows); ///< null: nothing
    /// Marks the part of the current row; of a module that of its first tensor. 0: none.
    void setCurrentNode(std::uint32_t node);
    int markedPart() const { return m_marked; } ///< -1: none
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    int itemCount() override;
    QString itemText(int item) override;
    QRectF itemRect(int item) override;

Q_SIGNALS:
    void tensorChosen(std::uint32_t node);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override; ///< the tensor under the pointer

private:
    void chooseAt(const QPointF& place);

    DiffRowsPtr m_rows;
    int m_marked = -1;
};

} // namespace cairn::ui
