// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// The format of the index cache: numbers in native byte order (the cache never leaves the
/// machine), texts and arrays with their length in front. A reader reports invalid data once, at
/// the end; then none of the data may be used.
namespace cairn {

class IndexWriter {
public:
    template <class T> void put(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        append(&value, sizeof(T));
    }
    void put(std::string_view text) {
        put(std::uint64_t{text.size()});
        append(text.data(), text.size());
    }
    void put(const std::string& text) { put(std::string_view(text)); }
    template <class T> void putArray(std::span<const T> values) {
        static_assert(std::is_trivially_copyable_v<T>);
        put(std::uint64_t{values.size()});
        append(values.data(), values.size_bytes());
    }
    template <class T> void putOptional(const std::optional<T>& value) {
        put(std::uint8_t{value ? std::uint8_t{1} : std::uint8_t{0}});
        put(value.value_or(T{}));
    }
    [[nodiscard]] const std::vector<std::byte>& bytes() const { return m_bytes; }

private:
    void append(const void* data, std::size_t size) {
        const std::size_t at = m_bytes.size();
        m_bytes.resize(at + size);
        if (size > 0) {
            std::memcpy(m_bytes.data() + at, data, size);
        }
    }
    std::vector<std::byte> m_bytes;
};

class IndexReader {
public:
    explicit IndexReader(std::span<const std::byte> bytes) : m_rest(bytes) {}

    template <class T> T get() {
        static_assert(std::is_trivially_copyable_v<T>);
        T value{};
        if (m_good && m_rest.size() >= sizeof(T)) {
            std::memcpy(&value, m_rest.data(), sizeof(T));
            m_rest = m_rest.subspan(sizeof(T));
        } else {
            m_good = false;
        }
        return value;
    }
    /// A small number; `end` and above are invalid.
    std::uint8_t getBelow(std::uint8_t end) {
        const auto value = get<std::uint8_t>();
        m_good = m_good && value < end;
        return m_good ? value : std::uint8_t{0};
    }
    bool getBool() { return get<std::uint8_t>() != 0; }
    std::string getText() {
        const auto size = get<std::uint64_t>();
        if (!m_good || size > m_rest.size()) {
            m_good = false;
            return {};
        }
        std::string text(reinterpret_cast<const char*>(m_rest.data()),
                         static_cast<std::size_t>(size));
        m_rest = m_rest.subspan(static_cast<std::size_t>(size));
        return text;
    }
    template <class T> std::vector<T> getArray() {
        const auto count = get<std::uint64_t>();
        if (!m_good || count > m_rest.size() / sizeof(T)) {
            m_good = false;
            return {};
        }
        std::vector<T> values(static_cast<std::size_t>(count));
        const std::size_t size = values.size() * sizeof(T);
        if (size > 0) {
            std::memcpy(values.data(), m_rest.data(), size);
        }
        m_rest = m_rest.subspan(size);
        return values;
    }
    template <class T> std::optional<T> getOptional() {
        const bool there = getBool();
        const T value = get<T>();
        return there ? std::optional(value) : std::nullopt;
    }
    /// The number of items that follow, each of at least `least` bytes.
    std::size_t getCount(std::size_t least) {
        const auto count = get<std::uint64_t>();
        m_good = m_good && count <= m_rest.size() / least;
        return m_good ? static_cast<std::size_t>(count) : 0;
    }
    [[nodiscard]] bool good() const { return m_good; }
    [[nodiscard]] bool whole() const { return m_good && m_rest.empty(); }

private:
    std::span<const std::byte> m_rest;
    bool m_good = true;
};

} // namespace cairn
