// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/part_share.h"

#include <algorithm>
#include <numeric>

namespace cairn {

PartShare::PartShare(const CopyPlan& plan, std::size_t parts)
    : m_owners(plan.layout.files.size(), 0) {
    const auto& files = plan.layout.files;
    std::vector<std::size_t> order;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!files[i].tensors.empty()) {
            order.push_back(i);
            total += files[i].size;
        }
    }
    if (parts < 2 || order.empty()) {
        return;
    }
    // The largest file first, to the part with the least work.
    std::ranges::stable_sort(order, std::greater(),
                             [&](std::size_t file) { return files[file].size; });
    std::vector<std::uint64_t> load(parts, 0);
    for (const std::size_t file : order) {
        const auto least = std::ranges::min_element(load);
        *least += files[file].size;
        m_owners[file] = static_cast<std::size_t>(least - load.begin()) + 1;
    }
    // By files, the slowest part writes and verifies `most`; otherwise each writes total / parts,
    // and then one verifies everything.
    const auto most = static_cast<double>(*std::ranges::max_element(load));
    const auto all = static_cast<double>(total);
    m_byFiles = 2 * most <= all / static_cast<double>(parts) + all;
    if (!m_byFiles) {
        std::ranges::fill(m_owners, std::size_t{0});
    }
}

std::vector<bool> PartShare::ownedBy(JobPart part) const {
    std::vector<bool> own(m_owners.size(), part.whole());
    for (std::size_t i = 0; !part.whole() && i < m_owners.size(); ++i) {
        own[i] = m_owners[i] == part.index;
    }
    return own;
}

} // namespace cairn
