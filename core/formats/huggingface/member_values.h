// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::formats::huggingface {

/// A member's values and where they go.
struct NestedValues {
    std::string key; ///< empty: among the root's own
    CheckpointPtr checkpoint;
    std::uint32_t shift = 0; ///< of its tensor references
};

/// Reads the values of all members when they are asked for, behind the folder's documents.
ValueLoader memberValues(std::vector<ValueItem> documents, std::vector<NestedValues> nested);

} // namespace cairn::formats::huggingface
