// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Converts nested plain values to the flat names of a distributed checkpoint. Private to this
/// folder.
namespace cairn::formats::dcp {

using PathPart = std::variant<std::string, std::int64_t>; ///< a dict's key, or a position in a list

/// One entry of the checkpoint.
struct Leaf {
    std::string_view name; ///< the fqn: unique, UTF-8; from the request, or one of Leaves::made
    std::vector<PathPart> path;        ///< path for planner_data; empty: {name}, at the root
    std::optional<std::size_t> tensor; ///< position in the request; else `value` is stored
    Value value;
};

struct Leaves {
    std::vector<Leaf> all;
    std::deque<std::string> made; ///< names that are not from the request
};

/// Makes the entries of torch's flatten_state_dict (2.4 and newer): it descends into every dict,
/// and into a list if it contains a tensor or a container that is descended into; keys become text.
/// Two things differ, so that nothing is lost: an empty dict is an entry (torch drops it), and an
/// object with a class that contains tensors is stored as a dict of its state with its class under
/// "$class" (the tensor of a DTensor is stored in its place). Each tensor has its name in the
/// request; a second reference to it is an entry with the name of its path. Tensors without a
/// reference in the values come last, at the root. References to tensors outside the request are
/// omitted. Null `values`: only the tensors. Fails: NameNotRepresentable (two entries with the same
/// name or with keys that are equal when joined with dots, or names that are not text),
/// LimitExceeded (endless references between values).
Result<Leaves> flatten(const LayoutRequest& request);

} // namespace cairn::formats::dcp
