// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <hdf5.h>
#include <optional>

namespace cairn::hdf5 {

/// A file access list for H5Fopen: whatever the file name, it reads bytes [offset, offset + length)
/// of the open descriptor, and nothing else. Negative: failed.
hid_t rangeAccess(int descriptor, std::uint64_t offset, std::uint64_t length);

/// The file offset at which `read` first reads elements; empty: it reads nothing. The read itself
/// fails on purpose: no data is transferred.
std::optional<std::uint64_t> placeOfRead(const std::function<void()>& read);

} // namespace cairn::hdf5
