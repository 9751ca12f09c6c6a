// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/strip_roles.h"

#include "ui/navigator/checkpoint_words.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/check_box.h"
#include "ui/widgets/flow_layout.h"

#include <algorithm>

namespace cairn::ui {
namespace {

ChoiceChange stripping(Role role, bool strip) {
    return [role, strip](JobChoices& choices) {
        std::vector<Role>& roles = choices.request.only.without; // in the order of Role
        std::erase(roles, role);
        if (strip) {
            roles.insert(std::ranges::upper_bound(roles, role), role);
        }
    };
}

QString amount(const RoleContents& contents) {
    if (contents.tensors == 0) {
        return contents.values ? StripRoles::tr("plain values")
                               : StripRoles::tr("none in this checkpoint");
    }
    return StripRoles::tr("%Ln tensors", nullptr, static_cast<int>(contents.tensors)) +
           QStringLiteral(" · ") + text::bytes(contents.bytes);
}

} // namespace

QString countedRole(const RoleContents& contents) {
    return QStringLiteral("%1 (%2)").arg(strippedWords(contents.role), amount(contents));
}

QString strippedWords(Role role) {
    return role == Role::Buffer ? StripRoles::tr("buffers") : words::role(role);
}

StripRoles::StripRoles(QWidget* parent) : QWidget(parent) {
    setLayout(new FlowLayout(theme::kGrid + theme::kGrid / 2));
}

QCheckBox* StripRoles::boxOf(Role role) {
    QCheckBox*& box = m_boxes[role];
    if (box == nullptr) {
        box = new CheckBox(QString());
        connect(box, &QCheckBox::clicked, this,
                [this, role](bool strip) { Q_EMIT changed(stripping(role, strip)); });
        for (const auto& [each, placed] : m_boxes) { // in the order of the roles
            layout()->removeWidget(placed);
            layout()->addWidget(placed);
        }
    }
    return box;
}

void StripRoles::show(const JobChoices& choices, const std::vector<RoleContents>& roles) {
    std::vector<RoleContents> shown = roles;
    for (const Role role :
         choices.request.only.without) { // of an earlier checkpoint: it stays in the command
        if (std::ranges::find(shown, role, &RoleContents::role) == shown.end()) {
            shown.push_back({role});
        }
    }
    m_choice = shown.size() > 1 || !choices.request.only.without.empty();
    for (const auto& [role, box] : m_boxes) {
        if (std::ranges::find(shown, role, &RoleContents::role) == shown.end()) {
            box->hide(); // the other boxes keep the focus
        }
    }
    for (const RoleContents& contents : shown) {
        QCheckBox* box = boxOf(contents.role);
        const bool taken = takes(choices, contents.role);
        box->setText(countedRole(contents));
        box->setChecked(!taken || strips(choices, contents.role));
        box->setEnabled(taken);
        text::setToolTip(
            box, taken ? QString()
                       : tr("Excluded by “Weights only”; choose “Everything” to include it"));
        box->show();
    }
    updateGeometry();
}

} // namespace cairn::ui
