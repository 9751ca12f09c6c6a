// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/config/model_config.h"
#include "core/model/checkpoint.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Slices of tensor parallelism as complete tensors, by the class of the model.
namespace cairn {

struct JoinedRanks {
    CheckpointPtr checkpoint; ///< over the same files; its values have no tensors
    std::string model;        ///< the class
    std::size_t ranks = 0;
    std::size_t joined = 0;  ///< tensors made of parts of those of the ranks
    std::size_t taken = 0;   ///< tensors that one rank has for all, such as experts
    std::size_t padded = 0;  ///< tensors that lost the padding of the vocabulary
    std::size_t experts = 0; ///< tensors in which a rank has the rows of several experts
    /// Parts of `checkpoint`'s files that several ranks have, of which the first is used: the
    /// program that wrote them makes them equal.
    std::vector<std::pair<TensorEntry, TensorEntry>> copies;
};

/// Whether the checkpoint shows tensors of single ranks ("rank_0.model.norm.weight"), because their
/// files do not record how they belong together.
bool hasRankTensors(const Checkpoint& checkpoint);

/// Whether the files are those of vLLM's sharded_state of one rank, with layers that it fuses: they
/// are complete, but the class may have the single layers.
bool hasFusedLayers(const Checkpoint& checkpoint);

/// Joins them. REQUIRES: hasRankTensors() or hasFusedLayers(). No element is read. Fails, and names
/// the tensor: Unsupported if the class is not known, a tensor is not of the class, or its shape
/// leaves its order open; BadSlice if the ranks' shapes do not add up to that of the class;
/// NotFound if a tensor of the class is missing, or some ranks lack a part.
Result<JoinedRanks> joinRankSlices(const CheckpointPtr& source, const ModelConfig& config);

} // namespace cairn
