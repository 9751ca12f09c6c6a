// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cairn::ui {

/// Property of an action or a button: it takes back, removes or moves what somebody may still need.
/// The palette lists it last and never selects it by itself.
inline constexpr const char* kRisky = "risky";

} // namespace cairn::ui
