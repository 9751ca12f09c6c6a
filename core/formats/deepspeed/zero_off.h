// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/deepspeed/master_names.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::formats::deepspeed {

/// An optimizer saved without ZeRO, in the model states or, for a rank with its own experts, in
/// expp_rank_<r>_…_optim_states.pt. It identifies parameters by number only (MasterNames). Borrows
/// the member's tensors. Source: deepspeed/runtime/fp16/{fused,unfused}_optimizer.py; torch.optim
/// for fp32; deepspeed/moe/utils.py (groups marked `moe` contain the rank's own experts).
class ZeroOffOptimizer {
public:
    /// Empty: the member has none (with ZeRO the file contains None).
    static std::optional<ZeroOffOptimizer> read(const Member& member);

    /// Total number of elements in the groups of experts.
    [[nodiscard]] std::uint64_t expertElements() const;
    /// Shapes of the parameters outside the experts; empty for flat vectors.
    [[nodiscard]] std::vector<Shape> shapes() const;
    /// Its "state" dict, or null. Valid as long as the member.
    [[nodiscard]] const Value* states() const { return m_states; }

    /// `dense`: the trainable parameters outside the experts; a group may omit some. `experts`: all
    /// parameters of the rank's own experts, in module order. Null: another file has these groups,
    /// too, and they are only marked as used. `member` is the one that was read; assigned tensors
    /// are marked in it, others stay unchanged.
    std::vector<Logical> join(CheckpointData& data, Member& member, MasterNames* dense,
                              const std::vector<Parameter>* experts) const;

private:
    /// The optimizer's tensors for one parameter.
    struct Kept {
        const TensorEntry* master =
            nullptr; ///< null in fp32 training: the weight itself is the master
        std::vector<std::pair<std::string, const TensorEntry*>> states;
        const TensorEntry* step = nullptr; ///< a scalar
        [[nodiscard]] const TensorEntry* any() const {
            return master != nullptr ? master : states.empty() ? nullptr : states.front().second;
        }
    };
    enum class GroupKind : std::uint8_t { Dense, Experts };
    struct Group {
        bool experts = false;
        std::vector<Kept> kept; ///< flat: a single entry
    };
    static Logical logicalOf(Member& member, const Parameter& parameter, const Kept& kept);
    static void markUsed(Member& member, const Kept& kept);
    std::vector<Logical> joinFlat(CheckpointData& data, Member& member, GroupKind kind,
                                  const std::vector<Parameter>& parameters,
                                  MasterNames* names) const;
    std::vector<Logical> joinDense(CheckpointData& data, Member& member, MasterNames& names) const;
    std::vector<Logical> joinExperts(Member& member,
                                     const std::vector<Parameter>& parameters) const;
    void addStates(const Member& member, std::size_t number, Kept& kept) const;

    const Value* m_states = nullptr;
    bool m_flat = false;
    std::vector<Group> m_groups;
};

std::uint64_t elementsOf(const std::vector<Parameter>& parameters);

/// Adds a file's floating-point tensors except buffers, in the order in which an optimizer gets
/// them: those whose names begin with `container`, which `instead` replaces.
void addTrainable(const Member& file, const ModelStates& states, std::string_view container,
                  std::string_view instead, Trainable& trainable);

} // namespace cairn::formats::deepspeed
