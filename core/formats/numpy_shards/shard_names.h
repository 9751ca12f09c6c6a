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

/// Facts from the names of arrays in one folder: which are numbered parts, which are steps of a
/// run, which are separate. Pure. Private to this folder.
namespace cairn::formats::numpy_shards {

/// "model_shard_0003.npz": before "model_shard_", number 3, width 4, after "", suffix ".npz".
struct NumberedName {
    std::string before;
    std::string after; ///< between the number (or the count) and the suffix
    std::string suffix;
    std::uint32_t number = 0;
    std::size_t width = 0;   ///< digits of the number
    std::uint32_t count = 0; ///< from "-of-0008"; 0: not recorded
    std::string between;     ///< "-of-"
    std::size_t countWidth = 0;
    bool sure = false; ///< a word confirms it: shard, rank, part, …
};

/// Empty: not `.npy` or `.npz`, or no number that may count parts.
std::optional<NumberedName> splitNumberedName(std::string_view name);

/// The name of another part of the same set.
std::string numberedName(const NumberedName& like, std::uint32_t number);

/// The number of "step_100", "ckpt-7", "epoch3" anywhere in the name.
std::optional<std::int64_t> positionIn(std::string_view name);

/// Files that differ only in their number.
struct ShardGroup {
    NumberedName like;
    std::map<std::uint32_t, FolderEntry> files; ///< by number
    std::optional<std::int64_t> position;       ///< 100 for step_100_shard_0
    std::int64_t newest = 0;

    /// The first number, and one past the last expected number.
    [[nodiscard]] std::uint32_t first() const;
    [[nodiscard]] std::uint32_t end() const;
    [[nodiscard]] bool whole() const { return files.size() == std::size_t{end()} - first(); }
    /// "optimizer" for "optimizer_shard_3"; "" for "shard_3" and for the usual words for weights.
    [[nodiscard]] std::string role() const;
};

/// The contents of a folder, classified.
struct FolderNames {
    std::vector<ShardGroup> groups;
    std::vector<FolderEntry> singles; ///< `.npy` and `.npz` outside any group
    std::vector<std::string>
        manifests; ///< JSON files that may be a manifest, the most likely first
    std::vector<std::string> documents; ///< other JSON files
    bool otherModels = false;           ///< the folder also contains checkpoints of other formats
};

FolderNames sortNames(std::span<const FolderEntry> entries);

/// Whether the folder is one checkpoint: named shards, a manifest beside arrays, one array per
/// file, or files named by content (model.npz, optimizer.npz). Not: ckpt_100.npz beside
/// ckpt_200.npz, which are two checkpoints.
bool isOneCheckpoint(const FolderNames& names);

/// "shard_0003" of "model_shard_0003.npz", "weights_00" of "weights.00.npz".
std::string shardLabel(const NumberedName& name);

/// "model", "weights", "params", …: the usual words for names that need no prefix.
bool isWeightsWord(std::string_view word);

} // namespace cairn::formats::numpy_shards
