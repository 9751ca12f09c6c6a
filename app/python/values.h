// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"

#include <cstddef>
#include <nanobind/nanobind.h>
#include <unordered_map>
#include <vector>

namespace cairn::python {

/// The plain values of a checkpoint with the numbers of its 0-d tensors, read from its files.
struct LoadedValues {
    Value root;
    /// By position of the tensor; those that could not be read are missing.
    std::unordered_map<std::size_t, std::vector<std::byte>> scalars;
};

/// Without the GIL. Fails as Checkpoint::values(), and with Cancelled.
Result<LoadedValues> loadValues(const Checkpoint& checkpoint, const CancelToken& cancel);

/// The values as Python objects: None, bool, int (of any size), float, str, bytes, list, tuple, set
/// as list, dict (keys of plain types as in the file), and objects as {"$class", "$state"}. As in
/// `info --json`, a 0-d tensor becomes its number, other tensors are left out with the containers
/// that hold nothing else, except in lists, where they are {"$tensor": name}. What a file
/// references twice is one object. REQUIRES: the GIL.
nanobind::object valuesOf(const Checkpoint& checkpoint, const LoadedValues& values);

} // namespace cairn::python
