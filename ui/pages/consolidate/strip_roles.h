// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/selection.h"
#include "ui/pages/consolidate/job_choices.h"

#include <QWidget>

#include <map>
#include <vector>

class QCheckBox;

namespace cairn::ui {

/// A box for each role in the shown checkpoint, with its size: a checked one is left out. Roles
/// that the job does not include anyway are checked and disabled.
class StripRoles : public QWidget {
    Q_OBJECT

public:
    explicit StripRoles(QWidget* parent = nullptr);

    void show(const JobChoices& choices, const std::vector<RoleContents>& roles);
    /// There is more than one role, or one is left out that the checkpoint does not have.
    bool hasChoice() const { return m_choice; }

Q_SIGNALS:
    void changed(const cairn::ui::ChoiceChange& change);

private:
    QCheckBox* boxOf(Role role);

    std::map<Role, QCheckBox*> m_boxes;
    bool m_choice = false;
};

/// "optimizer", "moving average", "buffers": the usual names of the roles that can be left out.
QString strippedWords(Role role);

/// "optimizer (63 tensors · 108.6 kB)".
QString countedRole(const RoleContents& contents);

} // namespace cairn::ui
