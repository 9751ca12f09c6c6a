// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace cairn {

/// A hash table of positions in another list, mostly used to find entries by name. One block of
/// memory, 16 to 32 bytes per position: for an index of a million names, a node for each would cost
/// more than reading the index. The caller provides the hash and compares entries with equal hashes
/// (`same(position)`). At most 2^31 positions. Not thread-safe while it grows.
class PositionTable {
public:
    explicit PositionTable(std::size_t expected = 0) : m_slots(std::bit_ceil(expected * 2 + 2)) {}

    template <class Same>
    [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t hash, Same&& same) const {
        const std::uint32_t folded = fold(hash);
        for (std::size_t at = folded;; ++at) {
            const Slot& slot = m_slots[at & (m_slots.size() - 1)];
            if (slot.next == 0) {
                return std::nullopt;
            }
            if (slot.hash == folded && same(slot.next - 1)) {
                return slot.next - 1;
            }
        }
    }

    /// Call this a few entries ahead of find() or add(): in a large table every lookup waits for
    /// memory.
    void prefetch(std::uint64_t hash) const {
        __builtin_prefetch(&m_slots[fold(hash) & (m_slots.size() - 1)]);
    }

    /// Returns the existing position, or adds `position` and returns it.
    template <class Same>
    std::uint32_t add(std::uint64_t hash, std::uint32_t position, Same&& same) {
        if (const auto known = find(hash, same)) {
            return *known;
        }
        if (2 * (m_count + 1) > m_slots.size()) {
            grow();
        }
        ++m_count;
        put({position + 1, fold(hash)});
        return position;
    }

private:
    struct Slot {
        std::uint32_t next = 0; ///< the position plus one; 0: free
        std::uint32_t hash = 0;
    };

    static std::uint32_t fold(std::uint64_t hash) {
        return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
    }
    void put(Slot slot) {
        std::size_t at = slot.hash;
        while (m_slots[at & (m_slots.size() - 1)].next != 0) {
            ++at;
        }
        m_slots[at & (m_slots.size() - 1)] = slot;
    }
    void grow() {
        std::vector<Slot> old(m_slots.size() * 2);
        old.swap(m_slots);
        for (const Slot& slot : old) {
            if (slot.next != 0) {
                put(slot);
            }
        }
    }

    std::vector<Slot> m_slots;
    std::size_t m_count = 0;
};

/// For PositionTable.
inline std::uint64_t hashOf(std::string_view text) {
    return std::hash<std::string_view>()(text);
}
/// For PositionTable; spreads consecutive numbers.
inline std::uint64_t hashOf(std::uint64_t number) {
    return (number ^ (number >> 29U)) * 0x9E37'79B9'7F4A'7C15U;
}

} // namespace cairn
