// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

/// Files into which blocks can be inserted without copying what follows. Sources: fallocate(2),
/// lseek(2), ioctl_iflags(2), and what ext4 and XFS of Linux 6.18 do.
namespace cairn {

struct MovableBlocks {
    std::uint64_t unit = 0; ///< bytes: inserted ranges begin and end at its multiples; 0: cannot
    std::string why;        ///< it cannot, in words: "tmpfs cannot insert blocks"
};

/// What the file system that an open file is on can do, by its kind and the file's flags: asking
/// with a call that must fail would already change the file's times. Reads only.
MovableBlocks movableBlocks(int fd);

/// Where the first hole (unwritten blocks count, too) at or after `from` begins; the file's size
/// when there is none. Nothing: it cannot be reported.
std::optional<std::uint64_t> nextHole(int fd, std::uint64_t from);
/// Where the first data at or after `from` begin; nothing: there are none, or it cannot be
/// reported.
std::optional<std::uint64_t> nextData(int fd, std::uint64_t from);

} // namespace cairn
