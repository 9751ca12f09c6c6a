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

/// From nested plain values to the flat names of a distributed checkpoint. Private to this folder.
namespace cairn::formats::dcp {

using PathPart = std::variant<std::string, std::int64_t>; ///< a dict's key, a list's position

/// One entry of the checkpoint.
struct Leaf {
    std::string_view name;      ///< the fqn: unique, UTF-8; the request's, or one of Leaves::made
    std::vector<PathPart> path; ///< where it is nested: planner_data; empty: {name}, at the root
    std::optional<std::size_t> tensor; ///< position in the request; else `value` is stored
    Value value;
};

struct Leaves {
    std::vector<Leaf> all;
    std::deque<std::string> made; ///< names that are not the request's
};

/// The entries that torch's flatten_state_dict (2.4 and newer) makes: every dict is descended, a
/// list when it holds a tensor or something that is descended, nothing else; keys become text. Two
/// things differ, so that nothing is lost: an empty dict is an entry (torch drops it), and an
/// object of a class of its own that holds tensors is descended as a dict of its state with its
/// class under
/// "$class" (its own tensor, of a DTensor say, stands for it). Each tensor has its name in the
/// request; a second mention of it is an entry under its place's name. Tensors that the values do
/// not mention come last, at the root. References to tensors that are not in the request are left
/// out. Null `values`: the tensors alone. Fails: NameNotRepresentable (two tensors of one name, or
/// names that are not text), LimitExceeded (values that refer to each other until they never end).
Result<Leaves> flatten(const LayoutRequest& request);

} // namespace cairn::formats::dcp
