// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>

namespace cairn::ui {

/// A check box whose square is visible on a card's background in light and dark with every platform
/// style. Behaves like a QCheckBox with two states. Its text is elided in the middle if there is no
/// space.
class CheckBox : public QCheckBox {
    Q_OBJECT

public:
    explicit CheckBox(const QString& text, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool hitButton(const QPoint& at) const override { return rect().contains(at); }
    void paintEvent(QPaintEvent* event) override;
};

} // namespace cairn::ui
