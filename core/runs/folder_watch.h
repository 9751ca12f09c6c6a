// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

/// Reports changes in folders: a checkpoint appears, grows, is finished, or is removed.
namespace cairn {

struct WatchOptions {
    std::size_t maxWatches = 4096;           ///< folders beyond that are polled
    std::chrono::milliseconds coalesce{500}; ///< at most one event in this time
    std::chrono::milliseconds poll{5000};    ///< the interval for folders that cannot be watched
    bool pollOnly = false;                   ///< as for network file systems
};

/// Watches folders (not what is below them) with inotify. Where the kernel reports nothing, on
/// network and FUSE file systems and beyond the number of watches, it examines the folders'
/// times and entries every `poll`. One thread of its own, which calls `changed` once for any number
/// of changes, never sooner than `coalesce` after the last call; nothing is missed: a change during
/// the call leads to another. A file that is written to without pause gives an event in each
/// interval. The destructor waits for a call under way: `changed` must not destroy the watch and
/// must return soon. Any thread may use the members.
class FolderWatch {
public:
    explicit FolderWatch(std::function<void()> changed, const WatchOptions& options = {});
    FolderWatch(const FolderWatch&) = delete;
    FolderWatch& operator=(const FolderWatch&) = delete;
    ~FolderWatch();

    /// Watches these folders and no others; returns how many of them were not watched before, or
    /// are other folders now under the same names: what happened in those until now was not seen.
    /// Those that are missing are left out.
    std::size_t watch(const std::vector<std::filesystem::path>& folders);

    [[nodiscard]] std::size_t watched() const; ///< by the kernel
    [[nodiscard]] std::size_t polled() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace cairn
