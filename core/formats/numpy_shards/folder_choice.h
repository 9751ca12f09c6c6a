// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/numpy_shards/manifest.h"
#include "core/formats/numpy_shards/shard_names.h"

#include <string>
#include <vector>

/// Which files of a folder make the checkpoint. Pure. Private to this folder.
namespace cairn::formats::numpy_shards {

struct ChosenFile {
    std::string name;
    std::string prefix;  ///< of its arrays' names, with its dot
    std::string label;   ///< "shard_0003."; empty: it belongs to no numbered set
    std::size_t set = 0; ///< files of one numbered set have one number; 0: none
};

struct FolderChoice {
    std::vector<ChosenFile> files;
    std::vector<std::string> missing; ///< at most kMaxMissing of them
    std::uint64_t missingCount = 0;
    std::vector<std::string> strays;      ///< arrays that the manifest does not name
    std::vector<std::string> stale;       ///< shards of another count
    std::vector<std::string> others;      ///< sets of other steps, one name each
    std::vector<std::string> sizes;       ///< one sentence for each set about its shards' sizes
    std::vector<std::string> uneven;      ///< files far smaller or larger than their neighbours
    std::optional<std::int64_t> position; ///< step of the chosen set
    bool counted = false; ///< the names or the manifest record how many files there should be
    static constexpr std::size_t kMaxMissing = 100;
};

FolderChoice chooseFiles(const FolderNames& names, const Manifest& manifest);

} // namespace cairn::formats::numpy_shards
