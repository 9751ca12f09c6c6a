// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/diff.h"
#include "core/model/tensor_entry.h"

#include <cstdint>
#include <span>
#include <vector>

/// A diff restricted to some roles: the moments of an optimizer and its step counters change more
/// than any weight, and are seldom what is asked. Pure; any thread.
namespace cairn {

/// The tensors of one role in a diff: pairs, and those of one side. Buffers count as weights.
struct RoleCount {
    Role role = Role::Other;
    std::uint64_t tensors = 0;
    friend bool operator==(const RoleCount&, const RoleCount&) = default;
};

/// In the order of Role. A pair whose sides have two roles has that of the left one.
std::vector<RoleCount> rolesOf(const DiffSide& left, const DiffSide& right,
                               const StructureDiff& structure);

/// What a diff is about unless something else is asked for: all roles but those of the training
/// loop (optimizer, scheduler, random and training state); all, if there is nothing else.
std::vector<Role> rolesAtFirst(std::span<const RoleCount> shares);

/// The pairs of which a side has one of the roles, and the tensors of one side that have.
StructureDiff ofRoles(const DiffSide& left, const DiffSide& right, const StructureDiff& structure,
                      std::span<const Role> roles);

} // namespace cairn
