// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

/// Reports changes in folders: a checkpoint appears, grows, is completed, or is removed.
namespace cairn {

struct WatchOptions {
    std::size_t maxWatches = 4096;           ///< folders beyond that are polled
    std::chrono::milliseconds coalesce{500}; ///< minimum interval between events
    std::chrono::milliseconds poll{5000};    ///< interval for folders that cannot be watched
    bool pollOnly = false;                   ///< as on network file systems
};

/// Watches folders (not their sub-folders) with inotify. If the kernel does not report changes
/// (network and FUSE file systems, too many watches), it compares the folders' times and entries
/// every `poll`. A separate thread calls `changed` once for any number of changes, at least
/// `coalesce` after the previous call; no change is lost: one during the call causes another call.
/// A file that is written continuously causes one event per interval. The destructor waits for a
/// running call: `changed` must not destroy the watch and must return soon. Any thread may call the
/// members.
class FolderWatch {
public:
    explicit FolderWatch(std::function<void()> changed, const WatchOptions& options = {});
    FolderWatch(const FolderWatch&) = delete;
    FolderWatch& operator=(const FolderWatch&) = delete;
    ~FolderWatch();

    /// Watches exactly these folders; returns how many of them were not watched before, or are now
    /// different folders with the same names, so that earlier changes in them were not seen.
    /// Missing folders are skipped.
    std::size_t watch(const std::vector<std::filesystem::path>& folders);

    [[nodiscard]] std::size_t watched() const; ///< by the kernel, not by polling
    [[nodiscard]] std::size_t polled() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace cairn
