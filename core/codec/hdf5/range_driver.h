// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <hdf5.h>
#include <optional>

namespace cairn::hdf5 {

/// A file access list for H5Fopen: whatever name it is given, it reads bytes
/// [offset, offset + length) of the open descriptor, and nothing else. Negative: failed.
hid_t rangeAccess(int descriptor, std::uint64_t offset, std::uint64_t length);

/// Where `read` first asks for elements, counted from the file's first byte; nothing: nowhere. What
/// it asks for fails: nothing is read.
std::optional<std::uint64_t> placeOfRead(const std::function<void()>& read);

} // namespace cairn::hdf5
