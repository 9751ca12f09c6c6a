// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/equality_button.h"

#include "ui/text/plain_text.h"

#include <QActionGroup>
#include <QMenu>

namespace cairn::ui {

EqualityButton::EqualityButton(QWidget* parent)
    : Button(QString(), parent), m_group(new QActionGroup(this)) {
    auto* choices = new QMenu(this);
    choices->setToolTipsVisible(true);
    setMenu(choices);
    setToolTip(tr("Equality criterion"));
    m_bits = add(tr("Bit for bit"), tr("Same dtype and identical bits"), {});
    m_cast =
        add(tr("After cast"), tr("Same values after casting the wider dtype to the narrower one"),
            {Equality::Kind::AfterCast, 0});
    choices->addSeparator();
    for (const double rtol : {1e-6, 1e-5, 1e-3, 1e-2}) {
        add(tr("Within %1").arg(text::number(rtol)),
            tr("Every element: |A − B| ≤ %1 · |B|").arg(text::number(rtol)),
            {Equality::Kind::Within, rtol});
    }
    take(m_bits, {});
}

QAction* EqualityButton::add(const QString& text, const QString& tip, const Equality& equality) {
    QAction* action = menu()->addAction(text);
    action->setToolTip(text::toolTip(tip));
    action->setCheckable(true);
    m_group->addAction(action);
    connect(action, &QAction::triggered, this, [this, action, equality] {
        if (!(equality == m_equality)) {
            take(action, equality);
            Q_EMIT chosenByUser(equality);
        }
    });
    return action;
}

void EqualityButton::take(QAction* action, const Equality& equality) {
    action->setChecked(true);
    m_equality = equality;
    setText(tr("Equal: %1").arg(action->text()));
}

void EqualityButton::setCanCast(bool canCast) {
    m_cast->setVisible(canCast);
    if (!canCast && m_equality.kind == Equality::Kind::AfterCast) {
        take(m_bits, {});
    }
}

} // namespace cairn::ui
