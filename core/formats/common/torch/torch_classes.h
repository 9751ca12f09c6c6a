// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Names and attributes of pickled objects. Pure functions over a graph; views are valid as long as
/// it.
namespace cairn::formats {

using PickledAttribute = std::pair<std::string_view, pickle::NodeId>;

/// "collections.OrderedDict".
std::string fullName(pickle::GlobalName name);

/// The name of a class or function, however it is pickled; "<unknown>" or "<computed>" if it has
/// none.
std::string className(const pickle::PickleGraph& graph, pickle::NodeId callable);

/// The attributes in one state from BUILD: a dict, or (dict or None, slots dict). Empty if it is
/// anything else.
std::vector<PickledAttribute> attributesOf(const pickle::PickleGraph& graph, pickle::NodeId state);

/// Those of all states of an object.
std::vector<PickledAttribute> attributes(const pickle::PickleGraph& graph, pickle::NodeId object);

} // namespace cairn::formats
