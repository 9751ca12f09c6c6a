// SPDX-License-Identifier: Apache-2.0
#include "core/formats/safetensors/json_text.h"

#include <algorithm>

namespace cairn::formats::safetensors {

void appendQuoted(std::string& out, std::string_view text) {
    constexpr std::string_view kHex = "0123456789abcdef";
    out += '"';
    const auto isPlain = [](char c) {
        return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20;
    };
    if (std::ranges::all_of(text, isPlain)) {
        out += text;
        out += '"';
        return;
    }
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20) {
            out += "\\u00";
            out += kHex[byte >> 4U];
            out += kHex[byte & 15U];
        } else {
            out += c;
        }
    }
    out += '"';
}

} // namespace cairn::formats::safetensors
