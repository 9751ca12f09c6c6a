// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// Bugs in how a staged output is read back and compared. seeded_reads.cpp stands in for pread()
/// and memcmp() of the whole program; while no SeededReading exists, they do what they always do.
namespace cairn::jobtest {

enum class SeededReads : std::uint8_t {
    None,
    BlockFurther,    ///< reads 4 KiB further on
    Beginning,       ///< reads the beginning of the file each time
    Short,           ///< reads half, and says it read all
    Nothing,         ///< leaves the buffer as it was
    EverythingEqual, ///< memcmp() of what was read back is 0
    FirstHalfEqual,  ///< only the first half is compared
    LastByteEqual,   ///< the last byte is not compared
};

/// While it exists, a staged output is read back with this bug. One at a time.
class SeededReading {
public:
    explicit SeededReading(SeededReads bug);
    SeededReading(const SeededReading&) = delete;
    SeededReading& operator=(const SeededReading&) = delete;
    ~SeededReading();
    /// How often it came into effect.
    static std::size_t met();
};

/// Of an open file; empty if unknown.
std::string pathOf(int fd);

} // namespace cairn::jobtest
