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

/// Executes work on chunks of a file in the order of their offsets, from any threads. Chunks must
/// be handed out in that order, so that a thread never waits for an idle one.
class OrderedTurns {
public:
    /// Waits for its turn, then works exclusively. False if `stop` was set in the meantime and
    /// nothing was done.
    template <class Work>
    bool take(std::uint64_t offset, std::uint64_t length, const std::atomic<bool>& stop,
              const Work& work) {
        std::unique_lock lock(m_mutex);
        while (m_next != offset) {
            if (stop.load()) {
                return false;
            }
            m_turn.wait_for(lock, std::chrono::milliseconds(20));
        }
        lock.unlock(); // no other thread has this offset, so the turn stays ours until m_next
                       // changes
        work();
        lock.lock();
        m_next += length;
        m_turn.notify_all();
        return true;
    }

    /// Where the next chunk begins. Call it after all chunks.
    [[nodiscard]] std::uint64_t reached() const { return m_next; }

private:
    std::mutex m_mutex;
    std::condition_variable m_turn;
    std::uint64_t m_next = 0;
};

/// A SHA-256 of chunks in the order of their offsets.
class OrderedHash {
public:
    bool add(std::uint64_t offset, std::span<const std::byte> bytes,
             const std::atomic<bool>& stop) {
        return m_turns.take(offset, bytes.size(), stop, [&] { m_hash.add(bytes); });
    }
    /// Call these after all chunks.
    [[nodiscard]] std::uint64_t size() const { return m_turns.reached(); }
    Sha256Digest finish() { return m_hash.finish(); }

private:
    OrderedTurns m_turns;
    Sha256 m_hash;
};

} // namespace cairn
