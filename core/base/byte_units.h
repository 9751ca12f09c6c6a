// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cairn {

enum class ByteUnits : std::uint8_t {
    Decimal, ///< 1 kB = 1000 bytes
    Binary,  ///< 1 KiB = 1024 bytes
};

/// The units of formatBytes() in this process; Decimal at first. Any thread.
void setByteUnits(ByteUnits units);
ByteUnits byteUnits();

} // namespace cairn
