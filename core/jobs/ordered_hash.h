// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/hash.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <span>

namespace cairn {

/// A SHA-256 that takes chunks in the order of their offsets, from whatever thread. The chunks must
/// be handed out in that order, so that whoever is waited for is at work.
class OrderedHash {
public:
    /// Waits for its turn. False when `stop` was set meanwhile and the bytes were not taken.
    bool add(std::uint64_t offset, std::span<const std::byte> bytes,
             const std::atomic<bool>& stop) {
        std::unique_lock lock(m_mutex);
        while (m_next != offset) {
            if (stop.load()) {
                return false;
            }
            m_turn.wait_for(lock, std::chrono::milliseconds(20));
        }
        lock.unlock(); // nobody else has this offset: the hash is ours until m_next moves
        m_hash.add(bytes);
        lock.lock();
        m_next += bytes.size();
        m_turn.notify_all();
        return true;
    }
    /// After all chunks.
    Sha256Digest finish() { return m_hash.finish(); }

private:
    std::mutex m_mutex;
    std::condition_variable m_turn;
    std::uint64_t m_next = 0;
    Sha256 m_hash;
};

} // namespace cairn
