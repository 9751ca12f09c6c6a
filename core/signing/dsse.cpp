// SPDX-License-Identifier: Apache-2.0
#include "core/signing/dsse.h"

#include <array>
#include <cstdint>

namespace cairn::signing {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string header(std::string_view version, std::size_t length) {
    return std::string(version) + " " + std::to_string(kPayloadType.size()) + " " +
           std::string(kPayloadType) + " " + std::to_string(length) + " ";
}

/// repr() of a bytes object in Python.
std::string pythonBytes(std::string_view bytes) {
    constexpr std::string_view kHex = "0123456789abcdef";
    const bool hasSingle = bytes.find('\'') != std::string_view::npos;
    const char quote = hasSingle && bytes.find('"') == std::string_view::npos ? '"' : '\'';
    std::string text = std::string("b") + quote;
    for (const char c : bytes) {
        const auto code = static_cast<unsigned char>(c);
        if (c == quote || c == '\\') {
            text += '\\';
            text += c;
        } else if (c == '\t' || c == '\n' || c == '\r') {
            text += c == '\t' ? "\\t" : c == '\n' ? "\\n" : "\\r";
        } else if (code < 0x20 || code >= 0x7f) {
            text += "\\x";
            text += kHex[code >> 4U];
            text += kHex[code & 15U];
        } else {
            text += c;
        }
    }
    return text + quote;
}

std::array<std::int8_t, 256> reverseAlphabet() {
    std::array<std::int8_t, 256> values{};
    values.fill(-1);
    for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
        values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
    }
    values['-'] = 62;
    values['_'] = 63;
    return values;
}

} // namespace

std::string preAuthEncoding(std::string_view payload) {
    return header("DSSEv1", payload.size()) + std::string(payload);
}

std::string earlyPreAuthEncoding(std::string_view payload) {
    return header("DSSEV1", payload.size()) + pythonBytes(payload);
}

std::string base64Text(std::span<const std::byte> bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            group = group << 8U | (i < count ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            text += i <= count ? kAlphabet[group >> (18 - 6 * i) & 63U] : '=';
        }
    }
    return text;
}

std::optional<std::vector<std::byte>> base64Bytes(std::string_view text) {
    static const std::array<std::int8_t, 256> kValues = reverseAlphabet();
    while (!text.empty() && text.back() == '=' && text.size() % 4 != 1) {
        text.remove_suffix(1);
    }
    if (text.size() % 4 == 1) {
        return std::nullopt;
    }
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() * 3 / 4);
    std::uint32_t group = 0;
    unsigned bits = 0;
    for (const char c : text) {
        const int value = kValues[static_cast<unsigned char>(c)];
        if (value < 0) {
            return std::nullopt;
        }
        group = group << 6U | static_cast<std::uint32_t>(value);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes.push_back(static_cast<std::byte>(group >> bits & 255U));
        }
    }
    return bytes;
}

} // namespace cairn::signing
