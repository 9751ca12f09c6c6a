// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Facts from the names of variables. Pure. Sources: tensorflow/python/checkpoint/trackable_view.py
/// and graph_view.py (object-based keys), python/training/{adam,momentum,…}.py (slot names).
namespace cairn::formats::tensorflow {

inline constexpr std::string_view kIndexSuffix = ".index"; ///< of a bundle's index file
inline constexpr std::string_view kObjectGraphKey = "_CHECKPOINTABLE_OBJECT_GRAPH";
inline constexpr std::string_view kValueSuffix = "/.ATTRIBUTES/VARIABLE_VALUE";

/// "optimizer/iterations" from "optimizer/iterations/.ATTRIBUTES/VARIABLE_VALUE"; other keys
/// unchanged.
std::string_view withoutValueSuffix(std::string_view key);

/// The optimizers of a checkpoint, found by their step counters.
class OptimizerPlaces {
public:
    void see(std::string_view key);
    [[nodiscard]] bool holds(std::string_view key) const;
    /// Whether the model was saved under a separate key: everything beside it is training state.
    [[nodiscard]] bool besideModel() const { return m_besideModel; }

private:
    std::vector<std::string> m_places; ///< with a trailing slash
    bool m_besideModel = false;
};

/// The role of a variable, from its key.
Role roleOf(std::string_view key, Dtype dtype, const OptimizerPlaces& optimizers);

/// How likely a key is the training step: 0 not at all, else smaller is better. LossScaleOptimizer
/// has a counter that stays 0; the counter of its inner optimizer is the right one.
int stepRank(std::string_view key);
int epochRank(std::string_view key);

/// The components of "<prefix>.data-00003-of-00007"; empty for other names.
struct ShardFile {
    std::string_view prefix;
    std::uint32_t index = 0;
    std::uint32_t count = 0;
};
std::optional<ShardFile> parseShardFile(std::string_view name);
std::string shardFileName(std::string_view prefix, std::uint64_t index, std::uint64_t count);

/// The same for "<prefix>-00003-of-00007", a file of a sharded Saver(write_version=V1); empty for
/// other names and for V2 files.
std::optional<ShardFile> parseV1Shard(std::string_view name);
std::string v1ShardName(std::string_view prefix, std::uint64_t index, std::uint64_t count);

/// "part-00000-of-00002.index" in a folder where workers write before their parts are merged.
bool isPartIndex(std::string_view name);

} // namespace cairn::formats::tensorflow
