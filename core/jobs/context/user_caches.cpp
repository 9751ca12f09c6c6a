// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/context/user_caches.h"

#include "core/runs/facts/index_cache.h"
#include "core/store/block_cache.h"

namespace cairn {

CachesUse usedByCaches() {
    const IndexCache facts = IndexCache::ofUser();
    const store::BlockCache blocks = store::BlockCache::ofUser();
    return {{facts.folder(), facts.used()}, {blocks.folder(), blocks.used()}};
}

void clearCaches() {
    IndexCache::ofUser().clear();
    store::BlockCache::ofUser().clear();
}

} // namespace cairn
