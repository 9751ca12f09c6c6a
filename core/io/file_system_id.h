// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace cairn {

/// Which file system a path is on, as a short text that stays the same while it exists, through
/// reboots and wherever it is mounted; empty: it cannot be reported. Two file systems may have the
/// same one where the system gives nothing better (two exports of one name), so use it only
/// where a mistake does no harm. Reads (statfs, the list of mounts); any thread; may
/// wait for a network file system.
///
/// Sources: statfs(2), proc_pid_mountinfo(5), and what file systems of Linux 6.18 give as f_fsid:
/// - a number of their own (ext4, btrfs, f2fs, ZFS, overlayfs): that;
/// - their device's number (XFS, FAT, exFAT, NTFS, ISO 9660), which the next disk may have after a
///   reboot: that and the file system's size;
/// - a new one with each mount (tmpfs): "memory", for all are the same memory;
/// - 0 (NFS, SMB, FUSE): type and source in the list of mounts, "nfs4 server:/export".
std::string fileSystemId(const std::filesystem::path& path);

} // namespace cairn
