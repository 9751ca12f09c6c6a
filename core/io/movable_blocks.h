// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"

#include <cstdint>
#include <optional>
#include <string>

/// Files into which blocks can be inserted without copying the data after them. Sources:
/// fallocate(2), lseek(2), ioctl_iflags(2), and the behaviour of ext4 and XFS of Linux 6.18.
namespace cairn {

struct MovableBlocks {
    std::uint64_t unit =
        0;        ///< inserted ranges start and end at multiples of this; 0: not supported
    Sentence why; ///< why not: "tmpfs cannot insert blocks"
};

/// Whether the file system of an open file supports it, from its type and the file's flags: trying
/// it with an invalid call would already change the file's times. Reads only.
MovableBlocks movableBlocks(int fd);

/// Start of the first hole (including unwritten blocks) at or after `from`; the file's size if
/// there is none. Empty: unknown.
std::optional<std::uint64_t> nextHole(int fd, std::uint64_t from);
/// Start of the first data at or after `from`; empty: none, or unknown.
std::optional<std::uint64_t> nextData(int fd, std::uint64_t from);

} // namespace cairn
