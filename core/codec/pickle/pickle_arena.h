// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_pages.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace cairn::pickle {

/// A growing array of plain values. Unlike std::vector it grows through realloc, which moves pages
/// instead of copying large blocks, and never writes to unused capacity: peak memory stays close to
/// what is used. Large blocks use large pages. Throws std::bad_alloc. Move-only. Not thread-safe
/// while it grows.
template <class T> class GrowArray {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    GrowArray() = default;
    GrowArray(const GrowArray&) = delete;
    GrowArray& operator=(const GrowArray&) = delete;
    GrowArray(GrowArray&& other) noexcept { swap(other); }
    GrowArray& operator=(GrowArray&& other) noexcept {
        swap(other);
        return *this;
    }
    ~GrowArray() { std::free(m_data); }

    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] std::size_t capacity() const { return m_capacity; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] const T* data() const { return m_data; }
    [[nodiscard]] T* data() { return m_data; }
    const T& operator[](std::size_t i) const { return m_data[i]; }
    T& operator[](std::size_t i) { return m_data[i]; }
    T& back() { return m_data[m_size - 1]; }

    void push(T value) {
        if (m_size == m_capacity) [[unlikely]] {
            reserve(m_size + 1);
        }
        m_data[m_size++] = value;
    }
    /// REQUIRES: `values` are outside this array.
    void append(std::span<const T> values) {
        if (!values.empty()) {
            if (m_capacity - m_size < values.size()) [[unlikely]] {
                reserve(m_size + values.size());
            }
            if (values.size() <= kFew) {
                std::copy(values.begin(), values.end(), m_data + m_size);
            } else {
                std::memcpy(m_data + m_size, values.data(), values.size() * sizeof(T));
            }
            m_size += values.size();
        }
    }
    /// Appends a copy of elements of this array. REQUIRES: start + count <= size().
    void appendOwn(std::size_t start, std::size_t count) {
        if (count != 0) {
            reserve(m_size + count);
            std::memcpy(m_data + m_size, m_data + start, count * sizeof(T));
            m_size += count;
        }
    }
    void grow(std::size_t count, T value) {
        reserve(m_size + count);
        for (std::size_t i = 0; i < count; ++i) {
            m_data[m_size++] = value;
        }
    }
    void shrink(std::size_t size) { m_size = size; }
    void reserve(std::size_t wanted) {
        if (wanted <= m_capacity) {
            return;
        }
        const std::size_t capacity = m_capacity + m_capacity / 2 + 64;
        if (!reallocate(capacity < wanted ? wanted : capacity)) {
            throw std::bad_alloc();
        }
    }
    /// Reserves address space for about `count` values if possible; memory is committed as it is
    /// used.
    void expect(std::size_t count) {
        if (count > m_capacity) {
            static_cast<void>(reallocate(count));
        }
    }
    void swap(GrowArray& other) noexcept {
        std::swap(m_data, other.m_data);
        std::swap(m_size, other.m_size);
        std::swap(m_capacity, other.m_capacity);
    }

private:
    static constexpr std::size_t kFew = 8; ///< up to this many are copied inline

    bool reallocate(std::size_t capacity) {
        T* data = static_cast<T*>(std::realloc(static_cast<void*>(m_data), capacity * sizeof(T)));
        if (data == nullptr) {
            return false;
        }
        adviseLargePages(data, capacity * sizeof(T));
        m_data = data;
        m_capacity = capacity;
        return true;
    }

    T* m_data = nullptr;
    std::size_t m_size = 0;
    std::size_t m_capacity = 0;
};

} // namespace cairn::pickle
