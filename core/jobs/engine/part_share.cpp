// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/part_share.h"

#include <queue>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace cairn {
namespace {

constexpr double kMostOfMean = 1.03; ///< of the bytes of a part's own files
constexpr double kLargeRun = 0.025;  ///< of the mean; smaller ones are divided in order

/// The parts by their work, the one with the least first; of equal ones the first.
class LeastLoaded {
public:
    explicit LeastLoaded(std::span<const std::uint64_t> load) {
        for (std::size_t part = 0; part < load.size(); ++part) {
            m_parts.emplace(load[part], part);
        }
    }
    [[nodiscard]] std::uint64_t load() const { return m_parts.top().first; }
    /// Gives it more work; its position.
    std::size_t add(std::uint64_t bytes) {
        const auto [load, part] = m_parts.top();
        m_parts.pop();
        m_parts.emplace(load + bytes, part);
        return part;
    }

private:
    using Part = std::pair<std::uint64_t, std::size_t>;
    std::priority_queue<Part, std::vector<Part>, std::greater<>> m_parts;
};

double meanOf(std::span<const std::uint64_t> sizes, std::span<const std::uint64_t> load) {
    const std::uint64_t total = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}) +
                                std::accumulate(load.begin(), load.end(), std::uint64_t{0});
    return static_cast<double>(total) / static_cast<double>(load.size());
}

/// The positions, the largest size first.
std::vector<std::size_t> largestFirst(std::span<const std::uint64_t> sizes) {
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return sizes[i]; });
    return order;
}

} // namespace

PartShare::PartShare(const CopyPlan& plan, std::size_t parts)
    : m_owners(plan.layout.files.size(), 0), m_load(parts, 0) {
    std::vector<std::uint64_t> sizes;
    for (const OutputFile& file : plan.layout.files) {
        sizes.push_back(file.tensors.empty() ? 0 : file.size);
    }
    if (parts < 2) {
        return;
    }
    const double most = kMostOfMean * meanOf(sizes, m_load);
    LeastLoaded least(m_load);
    for (const std::size_t file : largestFirst(sizes)) {
        if (sizes[file] > 0 && static_cast<double>(least.load() + sizes[file]) <= most) {
            const std::size_t part = least.add(sizes[file]);
            m_load[part] += sizes[file];
            m_owners[file] = part + 1;
        }
    }
}

std::vector<bool> PartShare::ownedBy(JobPart part) const {
    std::vector<bool> own(m_owners.size(), part.whole());
    for (std::size_t i = 0; !part.whole() && i < m_owners.size(); ++i) {
        own[i] = m_owners[i] != 0 && m_owners[i] == part.index;
    }
    return own;
}

std::vector<std::size_t> PartShare::divide(std::span<const std::uint64_t> runs) const {
    std::vector<std::size_t> owners(runs.size(), 1);
    std::vector<std::uint64_t> load = m_load;
    const double mean = meanOf(runs, load);
    const auto isLarge = [&](std::size_t run) {
        return static_cast<double>(runs[run]) > kLargeRun * mean;
    };
    LeastLoaded least(load);
    double small = 0; // bytes of the runs that are left
    for (const std::size_t run : largestFirst(runs)) {
        if (isLarge(run)) {
            const std::size_t part = least.add(runs[run]);
            load[part] += runs[run];
            owners[run] = part + 1;
        } else {
            small += static_cast<double>(runs[run]);
        }
    }
    // Each part takes its share of what is left by the room that it has below the mean.
    double room = 0;
    const auto roomOf = [&](std::size_t part) {
        return std::max(0.0, mean - static_cast<double>(load[part]));
    };
    for (std::size_t part = 0; part < load.size(); ++part) {
        room += roomOf(part);
    }
    std::size_t part = 0;
    double before = 0; // of the runs before this one
    double end = room > 0 ? roomOf(0) * small / room : small;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        if (isLarge(run)) {
            continue;
        }
        const auto bytes = static_cast<double>(runs[run]);
        while (part + 1 < load.size() && before + bytes / 2 > end) {
            end += roomOf(++part) * small / room;
        }
        owners[run] = part + 1;
        before += bytes;
    }
    return owners;
}

} // namespace cairn
