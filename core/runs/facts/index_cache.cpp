// SPDX-License-Identifier: Apache-2.0
#include "core/runs/facts/index_cache.h"

#include <string>
#include <string_view>

namespace cairn {
namespace {

/// What is cached are also decisions: steps, best checkpoints, rows. To be raised with every change
/// of core/runs/ after which the same files give other ones, so that a build does not repeat those
/// of an earlier one of the same version.
constexpr std::string_view kDecisions = "2";

} // namespace

CacheKind IndexCache::kind() {
    return {.ending = ".index",
            .version = CAIRN_VERSION "/" + std::string(kDecisions),
            .mostEntry = kMaxEntry,
            .mostFolder = kMaxFolder};
}

} // namespace cairn
