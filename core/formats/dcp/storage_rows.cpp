// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/storage_rows.h"

#include <algorithm>
#include <utility>

namespace cairn::formats::dcp {

bool lessDims(const Dims& a, const Dims& b) {
    return std::ranges::lexicographical_compare(a.span(), b.span());
}

RowsByOffset::RowsByOffset(const MetadataView& view, const std::vector<StorageRow>& rows,
                           std::uint32_t first) {
    for (std::uint32_t row = first; row != kNoRow; row = rows[row].next) {
        if (auto offset = view.dims(rows[row].offset)) {
            m_rows.push_back({std::move(*offset), rows[row].info});
        } else if (!m_withoutOffset.present()) {
            m_withoutOffset = rows[row].info;
        }
    }
    std::ranges::stable_sort(m_rows, lessDims, &Entry::offset);
}

pickle::NodeId RowsByOffset::find(const Dims& offset) const {
    const auto found = std::ranges::lower_bound(m_rows, offset, lessDims, &Entry::offset);
    return found != m_rows.end() && found->offset == offset ? found->info : pickle::NodeId{};
}

} // namespace cairn::formats::dcp
