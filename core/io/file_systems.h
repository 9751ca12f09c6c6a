// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cairn {

/// statfs::f_type of XFS, "XFSB"; missing in linux/magic.h.
inline constexpr std::uint32_t kXfsMagic = 0x58465342;

} // namespace cairn
