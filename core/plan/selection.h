// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/typed_index.h"
#include "core/model/checkpoint.h"
#include "core/model/value.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// Which tensors of a checkpoint a job takes. A value type.
struct Selection {
    enum class Kind : std::uint8_t { Weights, All, Glob };
    Kind kind = Kind::Weights;
    std::string glob;               ///< Kind::Glob: matched against full names
    std::string subtree;            ///< "" or a prefix without its last dot or slash: PATH#subtree
    std::vector<Role> without = {}; ///< tensors of these roles are left out

    /// "weights", "all", or anything else as a glob.
    static Selection parse(std::string_view text);
    [[nodiscard]] std::string text() const; ///< what parse() takes
    [[nodiscard]] bool strips(Role role) const;
};

/// "optimizer,ema,rng" as roles; see roleName(). Fails: InvalidArgument for a word that is none.
Result<std::vector<Role>> parseRoles(std::string_view text);
std::string rolesText(const std::vector<Role>& roles); ///< what parseRoles() takes

/// The contents of a checkpoint with one role.
struct RoleContents {
    Role role{};
    std::uint64_t tensors = 0;
    std::uint64_t bytes = 0; ///< aliases counted once
    bool values = false;     ///< plain values are named after it, too ("lr_scheduler")
};

/// In the order of Role, without empty ones. `values`: the checkpoint's,
/// or null where they are not known. Pure.
std::vector<RoleContents> rolesIn(const Checkpoint& checkpoint, const Value* values);

/// Plain values without what belongs to stripped tensors: the entries of the outermost dict that
/// are named as such
/// ("optimizer", "rng_state"), and those all of whose tensors are stripped. `values` as it is where
/// nothing is.
Value stripValues(const Checkpoint& checkpoint, const Value& values, const Selection& selection);

/// The chosen tensors in the checkpoint's order; see base/glob.h for patterns. Weights: roles
/// Weight and Buffer. Pure. Fails: InvalidArgument for a pattern that is none. Nothing chosen is no
/// failure.
Result<std::vector<TensorIndex>> selectTensors(const Checkpoint& checkpoint,
                                               const Selection& selection);

/// True if Kind::Weights selects tensors of this role.
bool isDeployable(Role role);

/// Tensors of one role that a plan does not write.
struct OmittedTensors {
    Role role{};
    std::uint64_t tensors = 0;
    std::uint64_t bytes = 0; ///< aliases counted once
    bool byName = false;     ///< of some, the role rests on their names alone
};

/// The tensors below the selection's subtree that are not among `chosen`, by role. Linear.
std::vector<OmittedTensors> findOmitted(const Checkpoint& checkpoint, const Selection& selection,
                                        const std::vector<TensorIndex>& chosen);

/// "optimizer: 12 tensors, 3.4 MB".
std::string omittedText(const OmittedTensors& left);

/// True if `name` is in the subtree: equal to it or below it. Every name is in "".
bool inSubtree(std::string_view name, std::string_view subtree);

} // namespace cairn
