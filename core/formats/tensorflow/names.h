// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What the names of variables show. Pure. Sources: tensorflow/python/checkpoint/trackable_view.py
/// and graph_view.py (object-based keys), python/training/{adam,momentum,…}.py (names of slots).
namespace cairn::formats::tensorflow {

inline constexpr std::string_view kIndexSuffix = ".index"; ///< of the file that names a bundle
inline constexpr std::string_view kObjectGraphKey = "_CHECKPOINTABLE_OBJECT_GRAPH";
inline constexpr std::string_view kValueSuffix = "/.ATTRIBUTES/VARIABLE_VALUE";

/// "optimizer/iterations" of "optimizer/iterations/.ATTRIBUTES/VARIABLE_VALUE"; other keys as they
/// are.
std::string_view withoutValueSuffix(std::string_view key);

/// Where the optimizers of a checkpoint are, found by their counters of steps.
class OptimizerPlaces {
public:
    void see(std::string_view key);
    [[nodiscard]] bool holds(std::string_view key) const;
    /// A model was saved under a key of its own: what is beside it is training's.
    [[nodiscard]] bool besideModel() const { return m_besideModel; }

private:
    std::vector<std::string> m_places; ///< with a slash at the end; few
    bool m_besideModel = false;
};

/// What a variable is for, as its key records.
Role roleOf(std::string_view key, Dtype dtype, const OptimizerPlaces& optimizers);

/// How much a key speaks for being the step of the training: 0 not at all, else smaller is better.
/// LossScaleOptimizer has a counter of its own that stays 0; the optimizer within it counts.
int stepRank(std::string_view key);
int epochRank(std::string_view key);

/// The parts of "<prefix>.data-00003-of-00007"; nothing for other names.
struct ShardFile {
    std::string_view prefix;
    std::uint32_t index = 0;
    std::uint32_t count = 0;
};
std::optional<ShardFile> parseShardFile(std::string_view name);
std::string shardFileName(std::string_view prefix, std::uint64_t index, std::uint64_t count);

/// The same of "<prefix>-00003-of-00007", a file of a sharded Saver(write_version=V1); nothing for
/// other names, nor for those of V2.
std::optional<ShardFile> parseV1Shard(std::string_view name);
std::string v1ShardName(std::string_view prefix, std::uint64_t index, std::uint64_t count);

/// "part-00000-of-00002.index" in a folder into which workers write before their parts are merged.
bool isPartIndex(std::string_view name);

} // namespace cairn::formats::tensorflow
