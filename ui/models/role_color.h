// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/tensor_entry.h"
#include "ui/theme/theme.h"

namespace cairn::ui {

constexpr int kRoleGroups = 3;
/// The meanings of a box's colour: 0 weights and buffers, 1 optimizer state, 2 everything else.
inline int roleGroup(Role role) {
    if (role == Role::Weight || role == Role::Buffer) {
        return 0;
    }
    return role == Role::Optimizer ? 1 : 2;
}

inline QColor roleColor(Role role, const QPalette& palette) {
    return theme::series(roleGroup(role), palette);
}

} // namespace cairn::ui
