// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/value.h"

#include <string_view>

namespace cairn {

/// The value at a dotted path below `root`; keys may contain dots. Null if missing. Pure.
const Value* valueAt(const Value& root, std::string_view dottedPath);

} // namespace cairn
