// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/deepspeed/model_states.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

/// ZeRO stores the fp32 master weights and the optimizer's moments of a group of parameters as one
/// flat vector, which is cut among the data parallel ranks. This converts the parts of all ranks to
/// logical tensors. Source: deepspeed/utils/zero_to_fp32.py; README.md describes the arithmetic.
namespace cairn::formats::deepspeed {

/// A parameter and its optimizer states.
struct Logical {
    std::string name;
    std::optional<TensorEntry> master; ///< empty: the module's own tensor is used
    std::vector<TensorEntry> states;   ///< "<name>.exp_avg" …
};

/// The parts of the existing ranks; pointers into their members.
struct FlatRanks {
    std::uint64_t worldSize = 1;
    std::map<std::uint64_t, std::vector<FlatPart>> parts; ///< by rank, then by group
    std::map<std::uint64_t, std::string> files;           ///< file of each rank, for messages
};

/// ZeRO 1 and 2 and BF16_Optimizer: each group's vector contains its parameters in the order of
/// param_shapes; rank r has the r-th part of it. The last parts may be shorter, because padding was
/// removed. Impossible lengths become notices. `data` gets codecs and notices, but no tensors.
std::vector<Logical> joinGroups(CheckpointData& data,
                                const std::vector<std::vector<Parameter>>& groups,
                                const FlatRanks& ranks);

/// ZeRO 3: each parameter is padded to a multiple of the world size and cut into that many parts;
/// rank r has the r-th part of each parameter, in sequence, in flat sub-groups.
std::vector<Logical> joinPartitioned(CheckpointData& data,
                                     const std::vector<std::vector<Parameter>>& groups,
                                     const FlatRanks& ranks);

/// Joins a ZeRO 3 parameter whose parts are separate tensors (frozen_param_fragments). `parts` by
/// rank, below `worldSize`; missing parts leave holes.
TensorEntry joinFragments(CheckpointData& data, const Parameter& parameter, std::uint64_t worldSize,
                          const std::map<std::uint64_t, const TensorEntry*>& parts);

} // namespace cairn::formats::deepspeed
