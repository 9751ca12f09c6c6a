// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>

namespace cairn::ui {

/// A check box whose square is seen on a card's ground in light and dark, whatever the platform's
/// style draws. Behaves as any QCheckBox of two states. Without room its text is cut in the middle.
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
