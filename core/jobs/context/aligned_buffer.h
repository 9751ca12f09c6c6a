// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace cairn {

/// The alignment of addresses, offsets and lengths that O_DIRECT requires on all common disks.
inline constexpr std::size_t kBlock = 4096;

inline std::uint64_t alignDown(std::uint64_t value) {
    return value & ~std::uint64_t{kBlock - 1};
}
inline std::uint64_t alignUp(std::uint64_t value) {
    return alignDown(value + kBlock - 1);
}

/// Memory that begins at a block boundary, for O_DIRECT. Not initialised; movable. From kHugePage
/// on it uses huge pages if the kernel has some: a request to the device lists each page of its
/// memory, and many short pieces slow it down (tests/bench/RESULTS.md). Throws std::bad_alloc.
class AlignedBuffer {
public:
    explicit AlignedBuffer(std::size_t size) : m_bytes(allocate(size)), m_size(size) {}
    [[nodiscard]] std::span<std::byte> bytes() const { return {m_bytes.get(), m_size}; }

    static constexpr std::size_t kHugePage = std::size_t{2} << 20U;

private:
    struct Free {
        std::size_t mapped; ///< bytes; 0: allocated from the heap
        void operator()(std::byte* bytes) const;
    };
    using Bytes = std::unique_ptr<std::byte, Free>;
    static Bytes allocate(std::size_t size);

    Bytes m_bytes;
    std::size_t m_size;
};

} // namespace cairn
