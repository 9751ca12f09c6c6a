// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/members/rank_member.h"

#include <optional>
#include <string>

namespace cairn::formats::deepspeed {

/// Number of steps of an optimizer, from the first entry of its "state": a plain number or a
/// one-element tensor, which is read. Empty: not recorded, or not a finite number.
std::optional<double> stepIn(const Member& member, const Value& states);
/// The step as text: "500".
std::string stepText(double step);

} // namespace cairn::formats::deepspeed
