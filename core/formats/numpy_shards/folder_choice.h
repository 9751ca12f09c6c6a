// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/formats/numpy_shards/manifest.h"
#include "core/formats/numpy_shards/shard_names.h"

#include <string>
#include <vector>

/// Selects the files of a folder that form the checkpoint. Pure. Private to this folder.
namespace cairn::formats::numpy_shards {

struct ChosenFile {
    std::string name;
    std::string prefix;  ///< prefix for its arrays' names, with a trailing dot
    std::string label;   ///< "shard_0003."; empty: not part of a numbered set
    std::size_t set = 0; ///< number of its set; 0: none
};

struct FolderChoice {
    std::vector<ChosenFile> files;
    std::vector<std::string> missing; ///< at most kMaxMissing
    std::uint64_t missingCount = 0;
    std::vector<std::string> strays;      ///< shards with a different count
    std::vector<std::string> stale;       ///< sets of other steps, one name each
    std::vector<std::string> others;      ///< sets of other steps, one name each
    std::vector<Sentence> sizes;          ///< one sentence per set about unusual shard sizes
    std::vector<std::string> uneven;      ///< files much smaller or larger than their neighbours
    std::optional<std::int64_t> position; ///< step of the selected set
    bool counted = false; ///< the expected number of files is recorded in names or manifest
    static constexpr std::size_t kMaxMissing = 100;
};

FolderChoice chooseFiles(const FolderNames& names, const Manifest& manifest);

} // namespace cairn::formats::numpy_shards
