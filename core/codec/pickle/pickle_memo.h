// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle_arena.h"
#include "core/codec/pickle/pickle_id.h"

#include <cstdint>
#include <unordered_map>

namespace cairn::pickle {

/// The machine's memo: a flat list for the usual indices (0, 1, 2 …) and a hash map for others, so
/// that index 2^32 - 1 costs one entry. Memory is linear in the number of put() calls.
class PickleMemo {
public:
    /// Absent if the slot is empty.
    [[nodiscard]] NodeId get(std::uint64_t index) const {
        if (index < m_flat.size()) [[likely]] {
            const NodeId id = m_flat[index];
            if (id.present()) [[likely]] {
                return id;
            }
        }
        const auto found = m_wild.find(index);
        return found == m_wild.end() ? NodeId{} : found->second;
    }
    /// Returns the previous value.
    NodeId put(std::uint64_t index, NodeId id) {
        if (index == m_flat.size()) [[likely]] {
            const NodeId before = m_wild.empty() ? NodeId{} : get(index);
            m_flat.push(id);
            m_count += before.present() ? 0 : 1;
            return before;
        }
        return putElsewhere(index, id);
    }
    /// Reserves space for about `count` entries.
    void expect(std::size_t count) { m_flat.expect(count); }
    /// Number of distinct indices; the index that MEMOIZE uses next.
    [[nodiscard]] std::uint64_t count() const { return m_count; }

private:
    NodeId putElsewhere(std::uint64_t index, NodeId id) {
        const NodeId before = get(index);
        m_count += before.present() ? 0 : 1;
        if (index > m_flat.size() && index < 4 * m_count + 256) {
            m_flat.grow(static_cast<std::size_t>(index + 1 - m_flat.size()), NodeId{});
        }
        if (index < m_flat.size()) {
            m_flat[index] = id;
        } else {
            m_wild[index] = id;
        }
        return before;
    }

    GrowArray<NodeId> m_flat;
    std::unordered_map<std::uint64_t, NodeId> m_wild;
    std::uint64_t m_count = 0;
};

} // namespace cairn::pickle
