// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/cache_folder.h"

#include <cstdint>
#include <filesystem>
#include <utility>

/// A cache of facts about checkpoints and runs in the user's cache folder, so that opening them
/// again is fast. Nothing is written to the users' own folders.
namespace cairn {

/// $XDG_CACHE_HOME/cairn/index, else ~/.cache/cairn/index. Entries of other versions of Cairn, and
/// of other rules of core/runs/ (index_cache.cpp), are missing.
class IndexCache : public CacheFolder {
public:
    static IndexCache ofUser() { return IndexCache(CacheFolder::ofUser("index", kind())); }
    /// An empty path disables the cache.
    explicit IndexCache(std::filesystem::path folder) : CacheFolder(std::move(folder), kind()) {}

    static constexpr std::uint64_t kMaxEntry = std::uint64_t{256} << 20U;
    static constexpr std::uint64_t kMaxFolder = std::uint64_t{512} << 20U;

private:
    explicit IndexCache(CacheFolder folder) : CacheFolder(std::move(folder)) {}
    static CacheKind kind();
};

} // namespace cairn
