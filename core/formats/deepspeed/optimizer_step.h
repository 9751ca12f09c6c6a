// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/rank_member.h"

#include <optional>
#include <string>

namespace cairn::formats::deepspeed {

/// How often an optimizer has stepped, by the first entry of its "state": a plain number or a
/// tensor of one element, of which the few bytes are read. Nothing: not recorded, or no finite
/// number.
std::optional<double> stepIn(const Member& member, const Value& states);
/// "500".
std::string stepText(double step);

} // namespace cairn::formats::deepspeed
