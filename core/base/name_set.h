// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {

/// A set of names, for plans with millions of tensors, for which a set with a node per name would
/// cost more than everything else. Names are borrowed. Not thread-safe.
class NameSet {
public:
    explicit NameSet(std::size_t expected = 0) {
        m_names.reserve(expected);
        m_slots.resize(std::bit_ceil(std::max<std::size_t>(2 * expected, 16)));
    }

    /// False: the set already has it.
    bool insert(std::string_view name) {
        if (2 * (m_names.size() + 1) > m_slots.size()) {
            grow();
        }
        const std::uint64_t hash = std::hash<std::string_view>()(name);
        const auto tag = static_cast<std::uint32_t>(hash >> 32U);
        std::size_t at = hash & (m_slots.size() - 1);
        while (m_slots[at].name != 0) {
            if (m_slots[at].tag == tag && m_names[m_slots[at].name - 1] == name) {
                return false;
            }
            at = (at + 1) & (m_slots.size() - 1);
        }
        m_names.push_back(name);
        m_slots[at] = {tag, static_cast<std::uint32_t>(m_names.size())};
        return true;
    }

private:
    struct Slot {
        std::uint32_t tag = 0;  ///< part of the hash, so that different names are rarely compared
        std::uint32_t name = 0; ///< position in m_names plus one; 0: free
    };

    void grow() {
        std::vector<Slot> slots(2 * m_slots.size());
        for (const Slot& slot : m_slots) {
            if (slot.name != 0) {
                std::size_t at =
                    std::hash<std::string_view>()(m_names[slot.name - 1]) & (slots.size() - 1);
                while (slots[at].name != 0) {
                    at = (at + 1) & (slots.size() - 1);
                }
                slots[at] = slot;
            }
        }
        m_slots = std::move(slots);
    }

    std::vector<std::string_view> m_names; // fewer than 2^32, as for TensorIndex
    std::vector<Slot> m_slots;             // size is a power of two, at most half full
};

} // namespace cairn
