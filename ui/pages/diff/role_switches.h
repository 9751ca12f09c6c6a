// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diff_roles.h"

#include <QWidget>

#include <map>
#include <vector>

class QCheckBox;

namespace cairn::ui {

/// A switch for each role of the compared tensors, with their number. The last one that is on
/// cannot be switched off. Hidden while there is one role only.
class RoleSwitches : public QWidget {
    Q_OBJECT

public:
    explicit RoleSwitches(QWidget* parent = nullptr);
    void show(const std::vector<RoleCount>& roles, const std::vector<Role>& shown);
    /// There is more than one role.
    bool hasChoice() const { return m_roles.size() > 1; }

Q_SIGNALS:
    void chosenByUser(const std::vector<cairn::Role>& shown);

private:
    QCheckBox* boxOf(Role role);
    void choose();

    std::vector<RoleCount> m_roles;
    std::map<Role, QCheckBox*> m_boxes;
};

} // namespace cairn::ui
