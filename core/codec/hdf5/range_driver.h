// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <hdf5.h>

namespace cairn::hdf5 {

/// A file access list for H5Fopen: whatever name it is given, it reads bytes
/// [offset, offset + length) of the open descriptor, and nothing else. Negative: failed.
hid_t rangeAccess(int descriptor, std::uint64_t offset, std::uint64_t length);

} // namespace cairn::hdf5
