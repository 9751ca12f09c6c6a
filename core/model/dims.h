// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace cairn {

/// A short list of non-negative element counts: a shape, an origin, strides. A value type of 24
/// bytes. Up to two numbers are inside the object; more are in a block that copies share until one
/// of them changes, and the zeros of every origin are one block. Like other values, different
/// objects may be used by different threads.
class Dims {
public:
    static constexpr std::size_t kInline = 2;

    Dims() = default;
    Dims(std::initializer_list<std::int64_t> values)
        : Dims(std::span(values.begin(), values.size())) {}
    explicit Dims(std::span<const std::int64_t> values)
        : m_size(static_cast<std::uint32_t>(values.size())) {
        std::copy(values.begin(), values.end(), allocate());
    }
    Dims(std::size_t count, std::int64_t value) : m_size(static_cast<std::uint32_t>(count)) {
        if (count > kInline && count <= kZeros && value == 0) {
            m_numbers.block = s_zeros;
        } else {
            std::fill_n(allocate(), count, value);
        }
    }
    Dims(const Dims& other) noexcept : m_numbers(other.m_numbers), m_size(other.m_size) {
        if (isCounted()) {
            users().fetch_add(1, std::memory_order_relaxed);
        }
    }
    Dims(Dims&& other) noexcept
        : m_numbers(other.m_numbers), m_size(std::exchange(other.m_size, 0)) {}
    Dims& operator=(const Dims& other) noexcept {
        Dims copy(other);
        swap(copy);
        return *this;
    }
    Dims& operator=(Dims&& other) noexcept {
        Dims moved(std::move(other));
        swap(moved);
        return *this;
    }
    ~Dims() {
        if (isCounted() && users().fetch_sub(1, std::memory_order_acq_rel) == 1) {
            delete[] m_numbers.block;
        }
    }

    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    /// To write to: what is shared is copied first.
    [[nodiscard]] std::int64_t* begin() {
        if (m_size <= kInline) {
            return m_numbers.inside;
        }
        if (!isCounted() || users().load(std::memory_order_acquire) != 1) {
            *this = Dims(span());
        }
        return m_numbers.block + 1;
    }
    [[nodiscard]] std::int64_t* end() { return begin() + m_size; }
    [[nodiscard]] const std::int64_t* begin() const {
        return m_size <= kInline ? m_numbers.inside : m_numbers.block + 1;
    }
    [[nodiscard]] const std::int64_t* end() const { return begin() + m_size; }
    [[nodiscard]] std::int64_t& operator[](std::size_t i) { return begin()[i]; }
    [[nodiscard]] std::int64_t operator[](std::size_t i) const { return begin()[i]; }
    [[nodiscard]] std::span<const std::int64_t> span() const {
        return {std::as_const(*this).begin(), m_size};
    }

    friend bool operator==(const Dims& a, const Dims& b) {
        return std::ranges::equal(a.span(), b.span());
    }

private:
    union Numbers {
        std::int64_t inside[kInline];
        std::int64_t* block; ///< the number of owners, then the numbers
    };

    static constexpr std::size_t kZeros = 8;
    static std::int64_t s_zeros[kZeros + 1]; ///< never counted, written or freed

    [[nodiscard]] bool isCounted() const { return m_size > kInline && m_numbers.block != s_zeros; }
    [[nodiscard]] std::atomic_ref<std::int64_t> users() const {
        return std::atomic_ref(*m_numbers.block);
    }
    /// Room for m_size numbers that this object alone owns.
    std::int64_t* allocate() {
        if (m_size <= kInline) {
            return m_numbers.inside;
        }
        m_numbers.block = new std::int64_t[m_size + std::size_t{1}];
        *m_numbers.block = 1;
        return m_numbers.block + 1;
    }
    void swap(Dims& other) noexcept {
        std::swap(m_numbers, other.m_numbers);
        std::swap(m_size, other.m_size);
    }

    Numbers m_numbers{};
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
    [[no_unique_address]] Dims extent;

    static Box whole(const Dims& shape) { return {Dims(shape.size(), 0), shape}; }
    friend bool operator==(const Box&, const Box&) = default;
};

/// True if the box has the shape's rank and is inside it, with nothing negative and nothing
/// wrapping.
bool fitsInto(const Box& box, const Dims& shape);

/// The common part; nothing when it is empty. REQUIRES: equal rank.
std::optional<Box> intersect(const Box& a, const Box& b);

} // namespace cairn
