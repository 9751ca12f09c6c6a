// SPDX-License-Identifier: Apache-2.0
#include "core/codec/hdf5/index_text.h"

#include <cstring>

namespace cairn::hdf5 {

std::string quoted(std::string_view text) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20 || byte >= 0x7f) { // each byte becomes one code point
            out += "\\u00";
            out += kDigits[byte >> 4U];
            out += kDigits[byte & 15U];
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string hex(const void* data, std::size_t size) {
    static constexpr char kDigits[] = "0123456789abcdef";
    const auto* bytes = static_cast<const unsigned char*>(data);
    std::string out;
    out.reserve(2 * size);
    for (std::size_t i = 0; i < size; ++i) {
        out += kDigits[bytes[i] >> 4U];
        out += kDigits[bytes[i] & 15U];
    }
    return out;
}

std::string textsOf(hid_t type, std::uint64_t count,
                    const std::function<herr_t(hid_t memory, void* target)>& read) {
    std::string out = "[";
    if (H5Tis_variable_str(type) > 0) {
        const Id memory(H5Tcopy(H5T_C_S1), H5Tclose);
        H5Tset_size(memory, H5T_VARIABLE);
        H5Tset_cset(memory, H5Tget_cset(type));
        std::vector<char*> texts(count, nullptr);
        if (read(static_cast<hid_t>(memory), static_cast<void*>(texts.data())) < 0) {
            return "";
        }
        for (char* text : texts) {
            const std::size_t size = text == nullptr ? 0 : std::strlen(text);
            out += (out.size() > 1 ? ",\"" : "\"") + hex(text, size) + "\"";
            H5free_memory(text);
        }
        return out + "]";
    }
    const std::size_t size = H5Tget_size(type);
    if (size == 0 || count > kMaxAttribute / size) {
        return "";
    }
    std::vector<char> bytes(size * count);
    if (read(type, static_cast<void*>(bytes.data())) < 0) {
        return "";
    }
    const bool terminated = H5Tget_strpad(type) == H5T_STR_NULLTERM;
    for (std::uint64_t i = 0; i < count; ++i) {
        const char* text = bytes.data() + i * size;
        std::size_t length = terminated ? ::strnlen(text, size) : size;
        while (length > 0 && text[length - 1] == '\0') { // NumPy strips trailing NULs, too
            --length;
        }
        out += (out.size() > 1 ? ",\"" : "\"") + hex(text, length) + "\"";
    }
    return out + "]";
}

} // namespace cairn::hdf5
