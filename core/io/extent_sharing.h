// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

/// Files whose blocks are one and the same on the disk: where that can be, and whether it is so.
/// Reads only. Sources: ioctl_ficlonerange(2), the kernel's Documentation/filesystems/fiemap.rst,
/// linux/btrfs.h, XFS_IOC_FSGEOMETRY_V1 of xfs_fs.h. Any thread.
namespace cairn {

/// A file system whose files can share blocks.
struct SharingFileSystem {
    std::string name;                        ///< "XFS", "btrfs"
    std::uint32_t block = 0;                 ///< that is shared as one, in bytes
    std::uint64_t device = 0;                ///< st_dev of the file asked about
    std::array<std::uint8_t, 16> identity{}; ///< the file system's own, whatever the subvolume
    [[nodiscard]] bool same(const SharingFileSystem& other) const {
        return name == other.name && identity == other.identity;
    }
};

/// The one that an open file or folder is on. Nothing: an XFS made without reflink, any other
/// file system, or not recorded.
std::optional<SharingFileSystem> sharingFileSystem(int fd);

/// True when FIEMAP states for every byte of both ranges that it is the same one on the disk, after
/// writing out what was dirty: then they are equal and stay so unless one is written to. False:
/// they are not, or it cannot be reported (compressed, packed into the inode, no FIEMAP).
bool sameBlocks(int fd, std::uint64_t offset, int otherFd, std::uint64_t otherOffset,
                std::uint64_t length);

/// Bytes of [0, size) that FIEMAP flags as shared with some other file or snapshot; nothing: no
/// FIEMAP.
std::optional<std::uint64_t> bytesFlaggedShared(int fd, std::uint64_t size);

} // namespace cairn
