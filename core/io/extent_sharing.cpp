// SPDX-License-Identifier: Apache-2.0
#include "core/io/extent_sharing.h"

#include "core/io/file_systems.h"

#include <linux/btrfs.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace cairn {
namespace {

constexpr std::uint32_t kXfsReflink = 1U << 20U;

/// The part of xfs_fsop_geom that all versions have in common; its header is in a separate package.
struct XfsGeometry {
    std::uint32_t blockSize;
    std::array<std::uint32_t, 7> sizes;
    std::array<std::uint64_t, 4> counts;
    std::array<std::uint8_t, 16> uuid;
    std::uint32_t stripeUnit;
    std::uint32_t stripeWidth;
    std::int32_t version;
    std::uint32_t flags;
    std::array<std::uint32_t, 3> sectors;
};
static_assert(sizeof(XfsGeometry) == 112);

bool queryXfs(int fd, SharingFileSystem& found) {
    XfsGeometry geometry{};
    if (::ioctl(fd, _IOR('X', 100, XfsGeometry), &geometry) != 0 ||
        (geometry.flags & kXfsReflink) == 0) {
        return false;
    }
    found.name = "XFS";
    found.block = geometry.blockSize;
    found.identity = geometry.uuid;
    return true;
}

bool queryBtrfs(int fd, SharingFileSystem& found) {
    btrfs_ioctl_fs_info_args info{};
    if (::ioctl(fd, BTRFS_IOC_FS_INFO, &info) != 0) {
        return false;
    }
    found.name = "btrfs";
    found.block = info.sectorsize;
    std::ranges::copy(info.fsid, found.identity.begin());
    return true;
}

struct Extent {
    std::uint64_t begin = 0; ///< relative to the start of the range
    std::uint64_t end = 0;
    std::uint64_t physical = 0;
    friend bool operator==(const Extent&, const Extent&) = default;
};

constexpr std::uint32_t kBatch = 256;

/// Calls `add` for each extent that overlaps `length` bytes at `offset`; false if the file system
/// does not report extents or `add` returns false.
template <class Add>
bool forEachExtent(int fd, std::uint64_t offset, std::uint64_t length, const Add& add) {
    std::vector<std::byte> memory(sizeof(fiemap) + kBatch * sizeof(fiemap_extent));
    for (std::uint64_t at = offset; at < offset + length;) {
        std::ranges::fill(memory, std::byte{0});
        auto* map = reinterpret_cast<fiemap*>(memory.data());
        map->fm_start = at;
        map->fm_length = offset + length - at;
        map->fm_flags = FIEMAP_FLAG_SYNC;
        map->fm_extent_count = kBatch;
        if (::ioctl(fd, FS_IOC_FIEMAP, map) != 0) {
            return false;
        }
        const std::uint32_t count = std::min(map->fm_mapped_extents, kBatch);
        for (std::uint32_t i = 0; i < count; ++i) {
            fiemap_extent extent{};
            std::memcpy(&extent, memory.data() + offsetof(fiemap, fm_extents) + i * sizeof(extent),
                        sizeof(extent));
            if (!add(extent)) {
                return false;
            }
            at = std::max<std::uint64_t>(at, extent.fe_logical + extent.fe_length);
            if ((extent.fe_flags & FIEMAP_EXTENT_LAST) != 0) {
                return true;
            }
        }
        if (count < kBatch) {
            return true;
        }
    }
    return true;
}

/// Disk locations of a range; contiguous extents are merged. Empty: unknown.
std::optional<std::vector<Extent>> placesOf(int fd, std::uint64_t offset, std::uint64_t length) {
    constexpr std::uint32_t kElsewhere = FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC |
                                         FIEMAP_EXTENT_ENCODED | FIEMAP_EXTENT_DATA_ENCRYPTED |
                                         FIEMAP_EXTENT_NOT_ALIGNED | FIEMAP_EXTENT_DATA_INLINE |
                                         FIEMAP_EXTENT_DATA_TAIL | FIEMAP_EXTENT_UNWRITTEN;
    std::vector<Extent> places;
    const bool listed = forEachExtent(fd, offset, length, [&](const fiemap_extent& extent) {
        if ((extent.fe_flags & kElsewhere) != 0) {
            return false;
        }
        const std::uint64_t begin = std::max<std::uint64_t>(extent.fe_logical, offset);
        const std::uint64_t end =
            std::min<std::uint64_t>(extent.fe_logical + extent.fe_length, offset + length);
        if (begin >= end) {
            return true;
        }
        const Extent next{begin - offset, end - offset,
                          extent.fe_physical + (begin - extent.fe_logical)};
        if (!places.empty() && places.back().end == next.begin &&
            places.back().physical + (next.begin - places.back().begin) == next.physical) {
            places.back().end = next.end;
        } else {
            places.push_back(next);
        }
        return true;
    });
    std::uint64_t placed = 0;
    for (const Extent& extent : places) {
        placed += extent.end - extent.begin;
    }
    return listed && placed == length ? std::optional(std::move(places)) : std::nullopt;
}

} // namespace

std::optional<SharingFileSystem> sharingFileSystem(int fd) {
    struct statfs status {};
    struct stat file {};
    if (::fstatfs(fd, &status) != 0 || ::fstat(fd, &file) != 0) {
        return std::nullopt;
    }
    SharingFileSystem found;
    found.device = file.st_dev;
    const auto magic = static_cast<std::uint32_t>(status.f_type);
    const bool shares = magic == kXfsMagic           ? queryXfs(fd, found)
                        : magic == BTRFS_SUPER_MAGIC ? queryBtrfs(fd, found)
                                                     : false;
    return shares && found.block > 0 ? std::optional(std::move(found)) : std::nullopt;
}

bool sameBlocks(int fd, std::uint64_t offset, int otherFd, std::uint64_t otherOffset,
                std::uint64_t length) {
    const auto places = placesOf(fd, offset, length);
    const auto others = placesOf(otherFd, otherOffset, length);
    return places && others && *places == *others;
}

std::optional<std::uint64_t> bytesFlaggedShared(int fd, std::uint64_t size) {
    std::uint64_t bytes = 0;
    const bool listed = forEachExtent(fd, 0, size, [&](const fiemap_extent& extent) {
        const std::uint64_t end =
            std::min<std::uint64_t>(extent.fe_logical + extent.fe_length, size);
        const bool shared = (extent.fe_flags & FIEMAP_EXTENT_SHARED) != 0;
        bytes += shared && end > extent.fe_logical ? end - extent.fe_logical : 0;
        return true;
    });
    return listed ? std::optional(bytes) : std::nullopt;
}

} // namespace cairn
