// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/value.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Places in a file of Keras 3: "layers/dense/vars/0" is the first variable of "layers/dense".
/// Pure.
namespace cairn {

/// The places of one object.
struct KerasGroup {
    std::string place;               ///< "layers/dense"; empty: the model itself
    std::vector<TensorIndex> places; ///< by their numbers
    std::string name;                ///< of the layer or optimizer; empty: not recorded
    bool isNumbered = true;          ///< 0, 1, … without a gap
    bool isTaken = false;
};

/// The names of layers and optimizers, by their places.
using KerasNames = std::map<std::string, std::string, std::less<>>;
/// As the object graph of a checkpoint of Keras or TensorFlow records them: there by the keys of
/// variables. Empty: there is none.
KerasNames kerasNames(const Value& values);

/// In the order of their places.
std::vector<KerasGroup> kerasGroups(const Checkpoint& keras, const KerasNames& names);

bool isKerasPlace(std::string_view name);

/// The last component of a path, and what is before it; empty: nothing is.
std::string_view lastOf(std::string_view path);
std::string_view folderOf(std::string_view path);

/// The text as a number; empty: it is none.
std::optional<std::size_t> positionIn(std::string_view text);

/// The name of a class that Keras numbers: "adam" of "adam_1".
std::string_view withoutNumber(std::string_view name);

} // namespace cairn
