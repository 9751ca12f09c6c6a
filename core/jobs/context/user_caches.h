// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace cairn {

struct CacheUse {
    std::filesystem::path folder; ///< empty: the cache is switched off
    std::uint64_t bytes = 0;      ///< that its entries take now
};

/// What the program keeps in the user's cache folder, so that it need not be read again.
struct CachesUse {
    CacheUse facts;  ///< about checkpoints and runs
    CacheUse blocks; ///< of files on other machines
};

/// Reads folders. Any thread.
CachesUse usedByCaches();

/// Removes all entries of all caches; what cannot be removed stays. Any thread.
void clearCaches();

} // namespace cairn
