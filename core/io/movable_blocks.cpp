// SPDX-License-Identifier: Apache-2.0
#include "core/io/movable_blocks.h"

#include "core/io/file_systems.h"

#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>

#include <algorithm>
#include <unistd.h>

namespace cairn {
namespace {

constexpr std::uint64_t kLeastUnit = 4096; ///< so that page-aligned data stays aligned

Sentence fileSystemName(std::uint32_t magic) {
    switch (magic) {
    case TMPFS_MAGIC:
        return "tmpfs";
    case OVERLAYFS_SUPER_MAGIC:
        return "overlayfs";
    case BTRFS_SUPER_MAGIC:
        return "btrfs";
    case NFS_SUPER_MAGIC:
        return "NFS";
    default:
        return "This file system";
    }
}

} // namespace

MovableBlocks movableBlocks(int fd) {
    struct statfs status {};
    if (::fstatfs(fd, &status) != 0) {
        return {0, "The file system type cannot be read"};
    }
    const auto magic = static_cast<std::uint32_t>(status.f_type);
    if (magic != EXT4_SUPER_MAGIC && magic != kXfsMagic && magic != F2FS_SUPER_MAGIC) {
        return {0, sentence("%1 cannot insert blocks into a file", fileSystemName(magic))};
    }
    unsigned long flags = 0; // the kernel writes an int
    if (magic == EXT4_SUPER_MAGIC &&
        (::ioctl(fd, FS_IOC_GETFLAGS, &flags) != 0 || (flags & FS_EXTENT_FL) == 0)) {
        return {0, "The file does not use extents (ext2, ext3), so blocks cannot be inserted"};
    }
    return {std::max(static_cast<std::uint64_t>(status.f_bsize), kLeastUnit), {}};
}

std::optional<std::uint64_t> nextHole(int fd, std::uint64_t from) {
    const off_t place = ::lseek(fd, static_cast<off_t>(from), SEEK_HOLE);
    return place < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(place));
}

std::optional<std::uint64_t> nextData(int fd, std::uint64_t from) {
    const off_t place = ::lseek(fd, static_cast<off_t>(from), SEEK_DATA);
    return place < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(place));
}

} // namespace cairn
