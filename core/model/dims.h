// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace cairn {

/// A short list of non-negative element counts: a shape, an origin, strides. Up to three numbers
/// are inside the object (a million tensors should not mean a million allocations), more on the
/// heap. A value type.
class Dims {
public:
    static constexpr std::size_t kInline = 3;

    Dims() = default;
    Dims(std::initializer_list<std::int64_t> values)
        : Dims(std::span(values.begin(), values.size())) {}
    explicit Dims(std::span<const std::int64_t> values) {
        resize(values.size());
        std::ranges::copy(values, begin());
    }
    Dims(std::size_t count, std::int64_t value) {
        resize(count);
        std::fill(begin(), end(), value);
    }
    Dims(const Dims& other) : Dims(other.span()) {}
    Dims(Dims&&) noexcept = default;
    Dims& operator=(const Dims& other) {
        if (this != &other) {
            *this = Dims(other.span());
        }
        return *this;
    }
    Dims& operator=(Dims&&) noexcept = default;
    ~Dims() = default;

    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] std::int64_t* begin() {
        return m_size > kInline ? m_heap.get() : m_inline.data();
    }
    [[nodiscard]] std::int64_t* end() { return begin() + m_size; }
    [[nodiscard]] const std::int64_t* begin() const {
        return m_size > kInline ? m_heap.get() : m_inline.data();
    }
    [[nodiscard]] const std::int64_t* end() const { return begin() + m_size; }
    [[nodiscard]] std::int64_t& operator[](std::size_t i) { return begin()[i]; }
    [[nodiscard]] std::int64_t operator[](std::size_t i) const { return begin()[i]; }
    [[nodiscard]] std::span<const std::int64_t> span() const { return {begin(), m_size}; }

    friend bool operator==(const Dims& a, const Dims& b) {
        return std::ranges::equal(a.span(), b.span());
    }

private:
    void resize(std::size_t count) {
        if (count > kInline) {
            m_heap = std::make_unique<std::int64_t[]>(count);
        }
        m_size = static_cast<std::uint32_t>(count);
    }

    std::array<std::int64_t, kInline> m_inline{};
    std::unique_ptr<std::int64_t[]> m_heap;
    std::uint32_t m_size = 0;
};

using Shape = Dims;
using Strides = Dims; ///< in elements

/// Deepest shape that is accepted from a file.
inline constexpr std::size_t kMaxRank = 64;

/// Product of the extents; nothing on overflow or a negative extent. 1 for rank 0.
std::optional<std::uint64_t> elementCount(const Dims& shape);

/// Strides of a dense C-order tensor. REQUIRES: elementCount(shape) has a value.
Strides denseStrides(const Dims& shape);

/// "[4096, 1024]", "[]".
std::string formatDims(const Dims& dims);

/// The elements origin[d] <= i[d] < origin[d] + extent[d]. Rank 0: the one element.
struct Box {
    Dims origin;
    Dims extent;

    static Box whole(const Dims& shape) { return {Dims(shape.size(), 0), shape}; }
    friend bool operator==(const Box&, const Box&) = default;
};

/// True if the box has the shape's rank and is inside it, with nothing negative and nothing
/// wrapping.
bool fitsInto(const Box& box, const Dims& shape);

/// The common part; nothing when it is empty. REQUIRES: equal rank.
std::optional<Box> intersect(const Box& a, const Box& b);

} // namespace cairn
