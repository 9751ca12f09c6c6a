// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/deepspeed/model_states.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

/// ZeRO keeps the fp32 master weights and the optimizer's moments of a group of parameters as one
/// flat vector that is cut among the data parallel ranks. This turns the parts of all ranks into
/// logical tensors. Source: deepspeed/utils/zero_to_fp32.py; README.md has the arithmetic.
namespace cairn::formats::deepspeed {

/// A parameter with what the optimizer keeps of it.
struct Logical {
    std::string name;
    std::optional<TensorEntry> master; ///< nothing: the module's own tensor is it
    std::vector<TensorEntry> states;   ///< "<name>.exp_avg" …
};

/// The parts of the ranks that exist; pointers into their members.
struct FlatRanks {
    std::uint64_t worldSize = 1;
    std::map<std::uint64_t, std::vector<FlatPart>> parts; ///< by rank, then by group
    std::map<std::uint64_t, std::string> files;           ///< whose parts these are, for messages
};

/// ZeRO 1 and 2 and BF16_Optimizer: each group's vector is its parameters one after the other in
/// the order of param_shapes; rank r holds the r-th part of it. The last parts may be shorter:
/// padding was truncated. Lengths that cannot be right are notices. `data` gets codecs and notices,
/// no tensors.
std::vector<Logical> joinGroups(CheckpointData& data,
                                const std::vector<std::vector<Parameter>>& groups,
                                const FlatRanks& ranks);

/// ZeRO 3: each parameter is padded to a multiple of the world size and cut into that many parts;
/// rank r holds the r-th parts of all parameters one after the other, in flat sub-groups.
std::vector<Logical> joinPartitioned(CheckpointData& data,
                                     const std::vector<std::vector<Parameter>>& groups,
                                     const FlatRanks& ranks);

/// One parameter of ZeRO 3 whose parts are tensors of their own (frozen_param_fragments). `parts`
/// by rank, below `worldSize`; those that are missing leave holes.
TensorEntry joinFragments(CheckpointData& data, const Parameter& parameter, std::uint64_t worldSize,
                          const std::map<std::uint64_t, const TensorEntry*>& parts);

} // namespace cairn::formats::deepspeed
