// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <hdf5.h>
#include <map>

/// A virtual file driver that keeps what the library writes in memory: the metadata of a new file,
/// whose elements are not written. One file in a process; not thread-safe.
namespace cairn::hdf5 {

inline constexpr std::uint64_t kPageBytes = 4096;
using Page = std::array<char, kPageBytes>;

struct PagedFile {
    std::map<std::uint64_t, Page> pages; ///< by offset; others were never written
    std::uint64_t size = 0;              ///< end of the file's addresses
};
PagedFile& pagedFile();

/// An access property list with the driver; negative: the library refused.
hid_t pageAccess();

} // namespace cairn::hdf5
