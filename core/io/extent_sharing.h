// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

/// Blocks that files share on the disk: which file systems support it, and whether two ranges do.
/// Reads only. Sources: ioctl_ficlonerange(2), the kernel's Documentation/filesystems/fiemap.rst,
/// linux/btrfs.h, XFS_IOC_FSGEOMETRY_V1 of xfs_fs.h. Any thread.
namespace cairn {

/// A file system whose files can share blocks.
struct SharingFileSystem {
    std::string name;                        ///< "XFS", "btrfs"
    std::uint32_t block = 0;                 ///< unit of sharing, in bytes
    std::uint64_t device = 0;                ///< st_dev of the queried file
    std::array<std::uint8_t, 16> identity{}; ///< of the file system, the same for all subvolumes
    [[nodiscard]] bool same(const SharingFileSystem& other) const {
        return name == other.name && identity == other.identity;
    }
};

/// The file system of an open file or folder. Empty: an XFS without reflink, any other file system,
/// or unknown.
std::optional<SharingFileSystem> sharingFileSystem(int fd);

/// True if FIEMAP reports that both ranges are in the same blocks on the disk, after dirty pages
/// were written: then they are equal until one is modified. False: they are not, or it is unknown
/// (compressed, stored in the inode, no FIEMAP).
bool sameBlocks(int fd, std::uint64_t offset, int otherFd, std::uint64_t otherOffset,
                std::uint64_t length);

/// Bytes of [0, size) that FIEMAP flags as shared with another file or a snapshot; empty: no
/// FIEMAP.
std::optional<std::uint64_t> bytesFlaggedShared(int fd, std::uint64_t size);

} // namespace cairn
