// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What the names of arrays in one folder record: which are numbered parts of one thing, which are
/// steps of a run, which stand alone. Pure. Private to this folder.
namespace cairn::formats::numpy_shards {

/// "model_shard_0003.npz": before "model_shard_", number 3, width 4, after "", suffix ".npz".
struct NumberedName {
    std::string before;
    std::string after; ///< between the number (or the count) and the suffix
    std::string suffix;
    std::uint32_t number = 0;
    std::size_t width = 0;   ///< digits of the number
    std::uint32_t count = 0; ///< of "-of-0008"; 0: not recorded
    std::string between;     ///< "-of-"
    std::size_t countWidth = 0;
    bool sure = false; ///< a word states so: shard, rank, part, …; else only the number does
};

/// Nothing: no `.npy` or `.npz`, or no number that may count parts.
std::optional<NumberedName> splitNumberedName(std::string_view name);

/// The name of another part of the same set.
std::string numberedName(const NumberedName& like, std::uint32_t number);

/// The number of "step_100", "ckpt-7", "epoch3" anywhere in the name.
std::optional<std::int64_t> positionIn(std::string_view name);

/// Files that differ only in their number.
struct ShardGroup {
    NumberedName like;
    std::map<std::uint32_t, FolderEntry> files; ///< by number
    std::optional<std::int64_t> position;       ///< step_100_shard_0: 100
    std::int64_t newest = 0;

    /// First number and one past the last that there should be.
    [[nodiscard]] std::uint32_t first() const;
    [[nodiscard]] std::uint32_t end() const;
    [[nodiscard]] bool whole() const { return files.size() == std::size_t{end()} - first(); }
    /// "optimizer" of "optimizer_shard_3", "" of "shard_3" and of the usual words for weights.
    [[nodiscard]] std::string role() const;
};

/// What a folder holds, sorted out.
struct FolderNames {
    std::vector<ShardGroup> groups;
    std::vector<FolderEntry> singles;   ///< `.npy` and `.npz` that belong to no group
    std::vector<std::string> manifests; ///< JSON files that may be one, likeliest first
    std::vector<std::string> documents; ///< other JSON files
    bool otherModels = false;           ///< checkpoints of other formats are beside them
};

FolderNames sortNames(std::span<const FolderEntry> entries);

/// Whether the folder is one checkpoint: shards that state so, a manifest beside arrays, one array
/// a file, or files named by what they hold (model.npz, optimizer.npz). Not: ckpt_100.npz beside
/// ckpt_200.npz, which are two.
bool isOneCheckpoint(const FolderNames& names);

/// "shard_0003" of "model_shard_0003.npz", "weights_00" of "weights.00.npz".
std::string shardLabel(const NumberedName& name);

/// "model", "weights", "params", …: the usual words for what needs no prefix.
bool isWeightsWord(std::string_view word);

} // namespace cairn::formats::numpy_shards
