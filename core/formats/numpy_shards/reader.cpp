// SPDX-License-Identifier: Apache-2.0
#include "core/formats/numpy_shards/joiner.h"
#include "core/formats/numpy_shards/layout.h"
#include "core/formats/numpy_shards/shard_names.h"

#include <array>

// Folders of .npy and .npz files that were split by hand. README.md describes the rules for joining
// them.

namespace cairn::formats::numpy_shards {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>({"*shard*.npz", "*shard*.npy"});

Match probe(const Candidate& candidate) {
    if (!candidate.isFolder) {
        return Match::No;
    }
    return isOneCheckpoint(sortNames(candidate.entries)) ? Match::Yes : Match::No;
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    return joinFolder(request, sortNames(request.entries));
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{.id = "numpy-shards",
                         .title = "NumPy shards",
                         .globs = kGlobs,
                         .probe = probe,
                         .open = open,
                         .layout = layOut};

} // namespace cairn::formats::numpy_shards
