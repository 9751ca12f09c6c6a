// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <string_view>

namespace cairn {

/// Inverse of errorName(); Io for a name that this version does not know.
ErrorCode errorCodeNamed(std::string_view name);

} // namespace cairn
