// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/output_layout.h"

#include <algorithm>
#include <iterator>

namespace cairn {

/// The literal of a planned file that contains these bytes, or null.
inline const LiteralSegment* literalAround(const OutputFile& file, ByteRange bytes) {
    const auto after =
        std::ranges::upper_bound(file.literals, bytes.offset, {}, &LiteralSegment::offset);
    if (after == file.literals.begin()) {
        return nullptr;
    }
    const LiteralSegment& literal = *std::prev(after);
    const ByteRange inside{bytes.offset - literal.offset, bytes.length};
    return inside.fitsInto(file.bytesOf(literal).size()) ? &literal : nullptr;
}

} // namespace cairn
