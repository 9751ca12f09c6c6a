// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/output_layout.h"

#include <iterator>
#include <utility>
#include <vector>

namespace cairn {

/// Adds files before all others, so that index files stay last.
inline void insertFirst(OutputLayout& layout, std::vector<OutputFile> files) {
    for (OutputFile& file : layout.files) {
        for (IndexSlot& slot : file.indexSlots) {
            slot.file += static_cast<std::uint32_t>(files.size());
        }
    }
    layout.files.insert(layout.files.begin(), std::make_move_iterator(files.begin()),
                        std::make_move_iterator(files.end()));
}

} // namespace cairn
