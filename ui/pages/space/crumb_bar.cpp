// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/space/crumb_bar.h"

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace cairn::ui {
namespace {

constexpr int kLongest = 26; ///< characters of a part above the last one

} // namespace

CrumbBar::CrumbBar(QWidget* parent) : QWidget(parent), m_row(new QHBoxLayout(this)) {
    setAccessibleRole(this, QAccessible::Grouping); // also while it is empty
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(theme::kGrid / 2);
    setAccessibleName(tr("Shown part"));
}

void CrumbBar::setParts(const QStringList& parts, const QString& remark) {
    if (parts == m_parts && remark == m_remark) {
        return;
    }
    m_parts = parts;
    m_remark = remark;
    while (QLayoutItem* item = m_row->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater(); // may be the button that was clicked
        }
        delete item;
    }
    for (int i = 0; i + 1 < parts.size(); ++i) {
        auto* button = new QToolButton;
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        const QString& name = parts[i];
        button->setText(text::withoutMnemonic(name.size() <= kLongest
                                                  ? name
                                                  : name.left(kLongest / 2) + QStringLiteral("…") +
                                                        name.right(kLongest / 2)));
        button->setAccessibleName(name);
        text::setToolTip(button, name);
        connect(button, &QToolButton::clicked, this, [this, i] { Q_EMIT chosen(i); });
        m_row->addWidget(button);
        m_row->addWidget(new TextLabel(isRightToLeft() ? QStringLiteral("‹") : QStringLiteral("›"),
                                       theme::Tone::Dim));
    }
    if (parts.size() > 1) {
        m_row->addSpacing(theme::kGrid); // as wide as the frame of a button
    }
    auto* last = new TextLabel(parts.isEmpty() ? QString() : parts.last());
    QFont bold = last->font();
    bold.setWeight(QFont::DemiBold);
    last->setFont(bold);
    last->setElideMiddle(true);
    m_row->addWidget(last);
    auto* dim = new TextLabel(remark, theme::Tone::Dim);
    dim->setElideMiddle(true);
    m_row->addWidget(dim, 1);
}

} // namespace cairn::ui
