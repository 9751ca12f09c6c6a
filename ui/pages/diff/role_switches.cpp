// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/role_switches.h"

#include "ui/navigator/checkpoint_words.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/check_box.h"

#include <QHBoxLayout>

#include <algorithm>

namespace cairn::ui {

RoleSwitches::RoleSwitches(QWidget* parent) : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kGrid + 4);
    setAccessibleName(tr("Compared roles"));
}

QCheckBox* RoleSwitches::boxOf(Role role) {
    QCheckBox*& box = m_boxes[role];
    if (box == nullptr) {
        box = new CheckBox(QString());
        connect(box, &QCheckBox::clicked, this, &RoleSwitches::choose);
        for (const auto& [each, placed] : m_boxes) { // in the order of the roles
            layout()->removeWidget(placed);
            layout()->addWidget(placed);
        }
    }
    return box;
}

void RoleSwitches::show(const std::vector<RoleCount>& roles, const std::vector<Role>& shown) {
    m_roles = roles;
    for (const auto& [role, box] : m_boxes) {
        box->setVisible(std::ranges::find(roles, role, &RoleCount::role) != roles.end());
    }
    for (const RoleCount& share : roles) {
        QCheckBox* box = boxOf(share.role);
        const bool isShown = std::ranges::find(shown, share.role) != shown.end();
        box->setText(tr("%1 %2").arg(words::role(share.role), text::count(share.tensors)));
        box->setChecked(isShown);
        box->setEnabled(!isShown || shown.size() > 1);
        text::setToolTip(box, isShown ? tr("Leave out these tensors")
                                      : tr("Compare these tensors, too"));
        box->show();
    }
    setVisible(hasChoice());
    updateGeometry();
}

void RoleSwitches::choose() {
    std::vector<Role> shown;
    for (const RoleCount& share : m_roles) {
        if (m_boxes.at(share.role)->isChecked()) {
            shown.push_back(share.role);
        }
    }
    Q_EMIT chosenByUser(shown);
}

} // namespace cairn::ui
