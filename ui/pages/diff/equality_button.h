// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/diff/equality.h"
#include "ui/widgets/button.h"

class QActionGroup;

namespace cairn::ui {

/// Shows the equality criterion; its menu changes it.
class EqualityButton : public Button {
    Q_OBJECT

public:
    explicit EqualityButton(QWidget* parent = nullptr);
    const Equality& equality() const { return m_equality; }
    /// Casting applies only between two dtypes; falls back to bits otherwise.
    void setCanCast(bool canCast);

Q_SIGNALS:
    void chosenByUser(const Equality& equality);

private:
    QAction* add(const QString& text, const QString& tip, const Equality& equality);
    void take(QAction* action, const Equality& equality);

    Equality m_equality;
    QActionGroup* m_group;
    QAction* m_bits;
    QAction* m_cast;
};

} // namespace cairn::ui
