// SPDX-License-Identifier: Apache-2.0
#include "core/runs/facts/index_cache.h"

namespace cairn {

CacheKind IndexCache::kind() {
    return {.ending = ".index",
            .version = CAIRN_VERSION,
            .mostEntry = kMaxEntry,
            .mostFolder = kMaxFolder};
}

} // namespace cairn
