// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace cairn {

/// A column of a series: a vector whose copies share one content after share(). Reading is that of
/// a vector; edit() gives the vector to change, and copies a shared content first. Any thread may
/// read and copy a column that nobody changes.
template <class T> class Column {
public:
    using value_type = T;
    using const_iterator = typename std::vector<T>::const_iterator;
    using iterator = const_iterator;
    using const_reference = const T&;
    using reference = const_reference;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;

    Column() = default;
    Column(std::vector<T> values) : m_own(std::move(values)) {} // NOLINT: the same content
    Column(std::initializer_list<T> values) : m_own(values) {}

    [[nodiscard]] const std::vector<T>& get() const { return m_shared ? *m_shared : m_own; }
    operator const std::vector<T>&() const { return get(); } // NOLINT: the same content
    [[nodiscard]] std::size_t size() const { return get().size(); }
    [[nodiscard]] bool empty() const { return get().empty(); }
    [[nodiscard]] const T& operator[](std::size_t i) const { return get()[i]; }
    [[nodiscard]] const T& at(std::size_t i) const { return get().at(i); }
    [[nodiscard]] const T& front() const { return get().front(); }
    [[nodiscard]] const T& back() const { return get().back(); }
    [[nodiscard]] const T* data() const { return get().data(); }
    [[nodiscard]] const_iterator begin() const { return get().begin(); }
    [[nodiscard]] const_iterator end() const { return get().end(); }
    [[nodiscard]] auto rbegin() const { return get().rbegin(); }
    [[nodiscard]] auto rend() const { return get().rend(); }

    std::vector<T>& edit() {
        if (m_shared) {
            m_own = *std::exchange(m_shared, nullptr);
        }
        return m_own;
    }
    void push_back(const T& value) { edit().push_back(value); }
    void resize(std::size_t size, const T& value = T()) { edit().resize(size, value); }
    void reserve(std::size_t size) { edit().reserve(size); }
    void clear() { *this = Column(); }

    /// From now on copies of this column share its content.
    void share() {
        if (!m_shared && !m_own.empty()) {
            m_shared = std::make_shared<const std::vector<T>>(std::exchange(m_own, {}));
        }
    }
    /// Whether both have one content.
    [[nodiscard]] bool sharesWith(const Column& other) const {
        return m_shared != nullptr && m_shared == other.m_shared;
    }

    friend bool operator==(const Column& left, const Column& right) {
        return left.get() == right.get();
    }

private:
    std::vector<T> m_own; ///< unless m_shared
    std::shared_ptr<const std::vector<T>> m_shared;
};

} // namespace cairn
