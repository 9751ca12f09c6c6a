// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <hdf5.h>
#include <string>
#include <string_view>
#include <vector>

/// Building blocks of the index's lines. Runs in the process that reads the file.
namespace cairn::hdf5 {

/// Owns an HDF5 identifier.
class Id {
public:
    Id(hid_t id, herr_t (*close)(hid_t)) : m_id(id), m_close(close) {}
    Id(const Id&) = delete;
    Id& operator=(const Id&) = delete;
    ~Id() {
        if (m_id >= 0) {
            m_close(m_id);
        }
    }
    operator hid_t() const { return m_id; }

private:
    hid_t m_id;
    herr_t (*m_close)(hid_t);
};

/// A JSON string; bytes beyond ASCII become code points U+0080 to U+00FF.
std::string quoted(std::string_view text);

std::string hex(const void* data, std::size_t size);

template <typename T> std::string listOf(const std::vector<T>& numbers) {
    std::string out = "[";
    for (const T number : numbers) {
        out += (out.size() > 1 ? "," : "") + std::to_string(number);
    }
    return out + "]";
}

constexpr std::uint64_t kMaxStrings = 1'000'000;
constexpr std::uint64_t kMaxAttribute = std::uint64_t{16} << 20U;

/// The strings of a dataset or attribute, each as hexadecimal digits; "" if they cannot be read.
/// `read` gets the type in memory and the destination of the elements.
std::string textsOf(hid_t type, std::uint64_t count,
                    const std::function<herr_t(hid_t memory, void* target)>& read);

} // namespace cairn::hdf5
