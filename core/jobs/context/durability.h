// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cairn {

/// Whether a step of a job waits until its data would survive a power failure.
enum class Durability : std::uint8_t {
    Synced, ///< on the device before the next step begins
    Cached, ///< left to the kernel (tests)
};

} // namespace cairn
