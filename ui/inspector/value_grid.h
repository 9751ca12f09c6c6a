// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/tensor_preview.h"

#include <QWidget>

namespace cairn::ui {

/// Draws a TensorPreview: right-aligned figures, as many columns as fit, dots if there are more.
class ValueGrid : public QWidget {
    Q_OBJECT

public:
    explicit ValueGrid(QWidget* parent = nullptr);
    void show(TensorPreview preview);
    void clear();
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override; ///< the element under the pointer, with all digits

private:
    int lineHeight() const;
    int columnStep() const;
    TensorPreview m_preview;
};

} // namespace cairn::ui
