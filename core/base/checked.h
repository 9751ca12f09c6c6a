// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

/// Overflow-checked arithmetic for numbers from files.
namespace cairn {

[[nodiscard]] inline std::optional<std::uint64_t> checkedAdd(std::uint64_t a, std::uint64_t b) {
    std::uint64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::nullopt : std::optional(sum);
}

[[nodiscard]] inline std::optional<std::uint64_t> checkedMul(std::uint64_t a, std::uint64_t b) {
    std::uint64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::nullopt : std::optional(product);
}

/// Bytes [offset, offset + length) of a file. `end()` may only be called if fitsInto() is true.
struct ByteRange {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;

    [[nodiscard]] bool fitsInto(std::uint64_t size) const {
        return offset <= size && length <= size - offset;
    }
    [[nodiscard]] std::uint64_t end() const { return offset + length; }
    friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

} // namespace cairn
