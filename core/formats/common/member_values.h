// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::formats {

/// A checkpoint of a folder that is one itself: its values and where they go.
struct NestedValues {
    std::string key; ///< empty: among the root's own
    CheckpointPtr checkpoint;
    std::uint32_t shift = 0; ///< of its tensor references
};

/// Reads the values of all members when they are asked for, behind the folder's documents. A member
/// whose values cannot be read is left out; of one key at the root the first is taken.
/// Fails: Cancelled.
ValueLoader memberValues(std::vector<ValueItem> documents, std::vector<NestedValues> nested);

} // namespace cairn::formats
