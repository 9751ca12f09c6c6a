// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/storage_rows.h"

#include <algorithm>
#include <utility>

namespace cairn::formats::dcp {

bool lessDims(const Dims& a, const Dims& b) {
    return std::ranges::lexicographical_compare(a.span(), b.span());
}

void RowsByOffset::choose(std::uint32_t first) {
    m_rows.clear();
    m_withoutOffset = {};
    for (std::uint32_t row = first; row != kNoRow; row = m_all[row].next) {
        if (auto offset = m_view.dims(m_all[row].offset)) {
            m_rows.push_back({std::move(*offset), m_all[row].info});
        } else if (!m_withoutOffset.present()) {
            m_withoutOffset = m_all[row].info;
        }
    }
    if (m_rows.size() < 2) {
        return; // avoids the buffer that a stable sort allocates
    }
    std::ranges::stable_sort(m_rows, lessDims, &Entry::offset);
}

pickle::NodeId RowsByOffset::find(const Dims& offset) const {
    const auto found = std::ranges::lower_bound(m_rows, offset, lessDims, &Entry::offset);
    return found != m_rows.end() && found->offset == offset ? found->info : pickle::NodeId{};
}

} // namespace cairn::formats::dcp
