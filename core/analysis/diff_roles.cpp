// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/diff_roles.h"

#include <algorithm>
#include <map>

namespace cairn {
namespace {

Role countedAs(Role role) {
    return role == Role::Buffer ? Role::Weight : role;
}

bool isOfTrainingLoop(Role role) {
    return role == Role::Optimizer || role == Role::Scheduler || role == Role::Rng ||
           role == Role::TrainingState;
}

Role roleIn(const DiffSide& side, TensorIndex index) {
    return countedAs(side.checkpoint->tensor(index).role);
}

} // namespace

std::vector<RoleCount> rolesOf(const DiffSide& left, const DiffSide& right,
                               const StructureDiff& structure) {
    std::map<Role, std::uint64_t> counts;
    for (const TensorPair& pair : structure.pairs) {
        ++counts[roleIn(left, pair.left)];
    }
    for (const TensorIndex index : structure.onlyLeft) {
        ++counts[roleIn(left, index)];
    }
    for (const TensorIndex index : structure.onlyRight) {
        ++counts[roleIn(right, index)];
    }
    std::vector<RoleCount> shares;
    for (const auto& [role, tensors] : counts) {
        shares.push_back({role, tensors});
    }
    return shares;
}

std::vector<Role> rolesAtFirst(std::span<const RoleCount> shares) {
    std::vector<Role> roles;
    for (const RoleCount& share : shares) {
        roles.push_back(share.role);
    }
    if (!std::ranges::all_of(roles, isOfTrainingLoop)) {
        std::erase_if(roles, isOfTrainingLoop);
    }
    return roles;
}

StructureDiff ofRoles(const DiffSide& left, const DiffSide& right, const StructureDiff& structure,
                      std::span<const Role> roles) {
    const auto isWanted = [&](const DiffSide& side, TensorIndex index) {
        return std::ranges::find(roles, roleIn(side, index)) != roles.end();
    };
    StructureDiff kept;
    std::ranges::copy_if(structure.pairs, std::back_inserter(kept.pairs),
                         [&](const TensorPair& pair) {
                             return isWanted(left, pair.left) || isWanted(right, pair.right);
                         });
    std::ranges::copy_if(structure.onlyLeft, std::back_inserter(kept.onlyLeft),
                         [&](TensorIndex index) { return isWanted(left, index); });
    std::ranges::copy_if(structure.onlyRight, std::back_inserter(kept.onlyRight),
                         [&](TensorIndex index) { return isWanted(right, index); });
    return kept;
}

} // namespace cairn
