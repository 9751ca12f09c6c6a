// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

namespace cairn {

/// What O_DIRECT asks of addresses, offsets and lengths on every disk in use.
inline constexpr std::size_t kBlock = 4096;

inline std::uint64_t alignDown(std::uint64_t value) {
    return value & ~std::uint64_t{kBlock - 1};
}
inline std::uint64_t alignUp(std::uint64_t value) {
    return alignDown(value + kBlock - 1);
}

/// Memory that begins at a block boundary. Not initialised; movable.
class AlignedBuffer {
public:
    explicit AlignedBuffer(std::size_t size)
        : m_bytes(static_cast<std::byte*>(std::aligned_alloc(kBlock, alignUp(size)))),
          m_size(size) {
        if (m_bytes == nullptr) {
            throw std::bad_alloc();
        }
    }
    [[nodiscard]] std::span<std::byte> bytes() const { return {m_bytes.get(), m_size}; }

private:
    struct Free {
        void operator()(std::byte* bytes) const { std::free(bytes); }
    };
    std::unique_ptr<std::byte, Free> m_bytes;
    std::size_t m_size;
};

} // namespace cairn
