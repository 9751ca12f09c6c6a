// SPDX-License-Identifier: Apache-2.0
#include "core/base/visible_text.h"

#include "core/base/byte_units.h"

#include <array>
#include <atomic>
#include <cstdio>

namespace cairn {
namespace {

struct CodePoint {
    char32_t value = 0;
    std::size_t length = 0; ///< 0 = invalid UTF-8 at this byte
};

CodePoint decodeUtf8(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) {
        return {lead, 1};
    }
    std::size_t length = 0;
    char32_t value = 0;
    char32_t smallest = 0;
    if ((lead & 0xE0U) == 0xC0U) {
        length = 2, value = lead & 0x1FU, smallest = 0x80;
    } else if ((lead & 0xF0U) == 0xE0U) {
        length = 3, value = lead & 0x0FU, smallest = 0x800;
    } else if ((lead & 0xF8U) == 0xF0U) {
        length = 4, value = lead & 0x07U, smallest = 0x10000;
    } else {
        return {};
    }
    if (text.size() - at < length) {
        return {};
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) {
            return {};
        }
        value = (value << 6U) | (byte(i) & 0x3FU);
    }
    if (value < smallest || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
        return {};
    }
    return {value, length};
}

bool mustBeShown(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
           c == 0x061C;
}

} // namespace

std::string visibleText(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    std::array<char, 16> escape{};
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = decodeUtf8(text, at);
        if (point.length == 0) {
            std::snprintf(escape.data(), escape.size(), "\\x%02x",
                          static_cast<unsigned>(static_cast<unsigned char>(text[at])));
            out += escape.data();
            ++at;
            continue;
        }
        if (point.value == '\n') {
            out += "\\n";
        } else if (point.value == '\t') {
            out += "\\t";
        } else if (mustBeShown(point.value)) {
            std::snprintf(escape.data(), escape.size(), point.value < 0x100 ? "\\x%02x" : "\\u%04x",
                          static_cast<unsigned>(point.value));
            out += escape.data();
        } else {
            out += text.substr(at, point.length);
        }
        at += point.length;
    }
    return out;
}

std::string elideMiddle(std::string_view text, std::size_t width) {
    if (text.size() <= width) {
        return std::string(text);
    }
    std::size_t head = width / 2 - 1;
    std::size_t tail = text.size() - (width - head - 1);
    const auto continues = [&](std::size_t i) {
        return (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
    };
    while (head > 0 && continues(head)) {
        --head;
    }
    while (tail < text.size() && continues(tail)) {
        ++tail;
    }
    return std::string(text.substr(0, head)) + "…" + std::string(text.substr(tail));
}

namespace {
std::atomic<ByteUnits> usedUnits = ByteUnits::Decimal;
}

void setByteUnits(ByteUnits units) {
    usedUnits = units;
}

ByteUnits byteUnits() {
    return usedUnits;
}

std::string formatBytes(std::uint64_t bytes) {
    constexpr std::array<const char*, 6> kDecimal = {"kB", "MB", "GB", "TB", "PB", "EB"};
    constexpr std::array<const char*, 6> kBinary = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    const bool binary = byteUnits() == ByteUnits::Binary;
    const std::array<const char*, 6>& units = binary ? kBinary : kDecimal;
    const double base = binary ? 1024 : 1000;
    std::array<char, 32> text{};
    if (static_cast<double>(bytes) < base) {
        std::snprintf(text.data(), text.size(), "%llu B", static_cast<unsigned long long>(bytes));
        return text.data();
    }
    double value = static_cast<double>(bytes) / base;
    std::size_t unit = 0;
    while (value >= base - 0.05 && unit + 1 < units.size()) {
        value /= base;
        ++unit;
    }
    std::snprintf(text.data(), text.size(), value < 9.995 ? "%.2f %s" : "%.1f %s", value,
                  units.at(unit));
    return text.data();
}

bool isValidUtf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = decodeUtf8(text, at);
        if (point.length == 0) {
            return false;
        }
        at += point.length;
    }
    return true;
}

} // namespace cairn
