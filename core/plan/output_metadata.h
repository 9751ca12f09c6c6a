// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/value.h"
#include "core/plan/consolidate.h"

#include <string>

namespace cairn {

struct Draft;

/// A text in the header of the output's files, unless the request has set the key.
void addMetadata(Draft& draft, std::string key, std::string value);

/// The `__metadata__` of a source's safetensors files, which loaders read: the recipe of torchao's
/// tensors, the scale of an adapter. It describes the tensors as they are stored: none of it is
/// carried into an output with other names or computed elements, and no text that only some of the
/// files have; which is said.
/// `values`: those of the source, or null. `sameNames`: the output has the source's names. `all`:
/// its plain values are written, too.
void carryMetadata(Draft& draft, const LayoutTarget& target, const Value* values, bool sameNames,
                   bool all);

} // namespace cairn
