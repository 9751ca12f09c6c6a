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

/// The tensors of a checkpoint that a job processes. A value type.
struct Selection {
    enum class Kind : std::uint8_t {
        Auto, ///< by the kind of the job; selects weights
        Weights,
        All,
        Glob
    };
    Kind kind = Kind::Auto;
    std::string glob;    ///< Kind::Glob: matched against full names
    std::string subtree; ///< "" or a prefix without the trailing dot or slash: PATH#subtree
    std::vector<Role> without = {}; ///< tensors with these roles are excluded

    /// "weights", "all", or a glob.
    static Selection parse(std::string_view text);
    [[nodiscard]] std::string text() const; ///< inverse of parse()
    [[nodiscard]] bool strips(Role role) const;
    /// Only what a model needs for inference.
    [[nodiscard]] bool isWeights() const { return kind == Kind::Auto || kind == Kind::Weights; }
    friend bool operator==(const Selection&, const Selection&) = default;
};

/// "optimizer,ema,rng" as roles; see roleName(). Fails: InvalidArgument for an unknown word.
Result<std::vector<Role>> parseRoles(std::string_view text);
std::string rolesText(const std::vector<Role>& roles); ///< inverse of parseRoles()

/// The contents of a checkpoint with one role.
struct RoleContents {
    Role role{};
    std::uint64_t tensors = 0;
    std::uint64_t bytes = 0; ///< aliases count once
    bool values = false;     ///< there are also plain values with this role ("lr_scheduler")
};

/// In the order of Role, without empty ones. `values`: the checkpoint's, or null if unknown. Pure.
std::vector<RoleContents> rolesIn(const Checkpoint& checkpoint, const Value* values);

/// The plain values without those that belong to stripped tensors: entries of the outermost dict
/// with such a name ("optimizer", "rng_state"), and entries whose tensors are all stripped. Returns
/// `values` if nothing is stripped.
Value stripValues(const Checkpoint& checkpoint, const Value& values, const Selection& selection);

/// The selected tensors in the checkpoint's order; see base/glob.h for patterns. Weights: roles
/// Weight and Buffer. Pure. Fails: InvalidArgument for an invalid pattern. An empty result is not a
/// failure.
Result<std::vector<TensorIndex>> selectTensors(const Checkpoint& checkpoint,
                                               const Selection& selection);

/// True if Kind::Weights selects tensors of this role.
bool isDeployable(Role role);

/// Tensors of one role that a plan does not write.
struct OmittedTensors {
    Role role{};
    std::uint64_t tensors = 0;
    std::uint64_t bytes = 0; ///< aliases count once
    bool byName = false;     ///< for some, the role was decided by name only
};

/// The tensors in the selection's subtree that are not in `chosen`, by role. Linear.
std::vector<OmittedTensors> findOmitted(const Checkpoint& checkpoint, const Selection& selection,
                                        const std::vector<TensorIndex>& chosen);

/// "optimizer: 12 tensors, 3.4 MB".
Sentence omittedText(const OmittedTensors& left);

/// True if `name` is in the subtree: equal to it or below it. Every name is in "".
bool inSubtree(std::string_view name, std::string_view subtree);

} // namespace cairn
