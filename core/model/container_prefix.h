// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/value.h"

#include <string>
#include <vector>

namespace cairn {

/// The prefix ("model.", may be empty) that all selected names share because of dicts and wrappers
/// around the weights, as far as `values` proves it: a dotted name alone proves nothing
/// ("model.layers.0" may be a module path).
std::string containerPrefix(const Checkpoint& source, const std::vector<TensorIndex>& chosen,
                            const Value* values);

} // namespace cairn
