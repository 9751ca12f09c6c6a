// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QPushButton>

class QAction;

namespace cairn::ui {

/// A quiet push button: hairline outline on the palette's button ground, or filled with the accent
/// when it is the one primary action of the window. Behaves as any QPushButton (focus, mnemonics,
/// accessibility).
class Button : public QPushButton {
    Q_OBJECT

public:
    explicit Button(const QString& text, QWidget* parent = nullptr);
    /// Text, enabled state and tooltip follow the action; a click triggers it.
    explicit Button(QAction* action, QWidget* parent = nullptr);

    void setPrimary(bool primary);
    bool isPrimary() const { return m_primary; }
    /// A click opens a list that is no QMenu of this button: shown with the same arrow.
    void setOpensList(bool opens);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void followAction();
    bool hasArrow() const { return m_opensList || menu() != nullptr; }
    QPointer<QAction> m_action;
    bool m_primary = false;
    bool m_opensList = false;
};

} // namespace cairn::ui
