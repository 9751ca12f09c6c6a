// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/codec/framing/block_log.h"

#include <string>
#include <vector>

namespace cairn::history {

/// Adds notices about what was skipped in a log of records.
void noteDamage(const BlockLogDamage& damage, const std::string& file,
                std::vector<Notice>& notices);

} // namespace cairn::history
