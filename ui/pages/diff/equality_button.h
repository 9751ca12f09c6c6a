// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/diff/equality.h"
#include "ui/widgets/button.h"

class QActionGroup;

namespace cairn::ui {

/// Says what counts as equal, and lets another notion be chosen from its menu.
class EqualityButton : public Button {
    Q_OBJECT

public:
    explicit EqualityButton(QWidget* parent = nullptr);
    const Equality& equality() const { return m_equality; }
    /// Only between two dtypes is there something to cast; falls back to bits where there is not.
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
