// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/members/rank_member.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Reads `…_model_states.pt` and `…_optim_states.pt` from their plain values. Nothing in them is
/// trusted: a value of an unexpected kind is treated as missing. Pure. Source:
/// deepspeed/runtime/engine.py (_save_checkpoint), runtime/zero/stage_1_and_2.py and stage3.py
/// (state_dict), runtime/bf16_optimizer.py; utils/zero_to_fp32.py.
namespace cairn::formats::deepspeed {

struct Parameter {
    std::string name;
    Shape shape;
    std::uint64_t elements = 0;
    std::uint64_t padding = 0; ///< elements that follow it in the flat vector
};

struct ModelStates {
    std::vector<std::vector<Parameter>>
        groups; ///< param_shapes: one list per group (ZeRO 3: per sub-group), in flat order
    std::vector<Parameter> frozen;                           ///< frozen_param_shapes
    std::vector<std::pair<std::string, std::string>> shared; ///< name, name of the stored tensor
    std::set<std::string, std::less<>> buffers;
    std::optional<std::int64_t> steps;
    std::optional<std::int64_t> skippedSteps;
    std::optional<std::int64_t> dpWorldSize;
    std::optional<std::int64_t> mpWorldSize;
    std::optional<std::int64_t> tensorParallel; ///< checkpoint_parallel_dimensions.tp_degree
    std::string version;
    bool hasShapes = false;
    bool withoutZero = false;   ///< param_shapes is None: only saves with ZeRO have them
    bool flatOptimizer = false; ///< BF16_Optimizer's state: its ranks have separate files, too
    std::vector<std::string> unreadable; ///< names with invalid shapes
};
ModelStates readModelStates(const Member& member);

/// One rank's part of one group: flat vectors with the same order.
struct FlatPart {
    const TensorEntry* master = nullptr;
    std::vector<std::pair<std::string, const TensorEntry*>>
        states; ///< "exp_avg" …; one-dimensional
};

/// The range of a parameter in one rank's flat vector.
struct NamedSlice {
    std::string name;
    std::uint64_t elements = 0;
};

/// param_slice_mappings: for each group in flat order, as BF16_Optimizer lays it out (ZeRO 1 and 2
/// may use a layout that differs from the recorded one). Empty if an entry is invalid.
using Slices = std::vector<std::vector<NamedSlice>>;
std::optional<Slices> readSlices(const Member& member);

struct OptimizerStates {
    std::optional<std::int64_t> stage;         ///< empty: BF16_Optimizer
    std::vector<std::int64_t> partitionCounts; ///< per group, or one for all
    std::vector<FlatPart> parts; ///< per group or sub-group; they point into the member
    std::vector<std::vector<std::uint64_t>>
        paddings; ///< param_alignment_paddings: per group and parameter; may be empty
    [[nodiscard]] std::optional<std::int64_t> worldSize() const;
};
OptimizerStates readOptimizerStates(const Member& member);

/// An integer, or the number of an enum that was pickled as class and value.
std::optional<std::int64_t> integerOf(const Value* value);

/// A tuple or torch.Size of sizes; empty if invalid or if its product overflows.
std::optional<Shape> shapeOf(const Value& value);

} // namespace cairn::formats::deepspeed
