// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/pickle_text.h"

#include "core/base/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace cairn::pickle {
namespace {

constexpr std::size_t kMaxDecimalBytes = 4096;

std::size_t asciiPrefix(std::string_view text) {
    std::size_t at = 0;
    while (text.size() - at >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + at, 8);
        if ((word & 0x8080'8080'8080'8080ULL) != 0) {
            break;
        }
        at += 8;
    }
    while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) {
        ++at;
    }
    return at;
}

/// Length and code point of the first UTF-8 sequence; length 0 if it is malformed.
struct Sequence {
    std::size_t length = 0;
    std::uint32_t codePoint = 0;
};
Sequence readSequence(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80) {
        return {1, lead};
    }
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length) {
        return {};
    }
    std::uint32_t codePoint = lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xC0) != 0x80) {
            return {};
        }
        codePoint = (codePoint << 6) | (next & 0x3FU);
    }
    const std::uint32_t least = length == 4 ? 0x10000U : length == 3 ? 0x800U : 0x80U;
    if (codePoint < least || codePoint > 0x10FFFF) {
        return {};
    }
    return {length, codePoint};
}

int digitValue(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

/// Parses `count` hexadecimal digits.
std::optional<std::uint32_t> hexDigits(std::string_view text, std::size_t count) {
    if (text.size() < count) {
        return std::nullopt;
    }
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const int digit = digitValue(text[i]);
        if (digit > 15) {
            return std::nullopt;
        }
        value = value * 16 + static_cast<std::uint32_t>(digit);
    }
    return value;
}

/// Decodes one escape of a STRING line; `text` begins after the backslash. Appends the result and
/// returns the number of characters used (0: invalid).
std::size_t unescapeOne(std::string_view text, std::string& out) {
    if (text.empty()) {
        return 0;
    }
    constexpr std::string_view kLetters = "abfnrtv\\'\"";
    constexpr std::string_view kBytes = "\a\b\f\n\r\t\v\\'\"";
    if (const std::size_t known = kLetters.find(text[0]); known != std::string_view::npos) {
        out += kBytes[known];
        return 1;
    }
    if (text[0] == '\n') {
        return 1;
    }
    if (text[0] == 'x') {
        const auto value = hexDigits(text.substr(1), 2);
        if (!value) {
            return 0;
        }
        out += static_cast<char>(*value);
        return 3;
    }
    if (text[0] >= '0' && text[0] <= '7') {
        unsigned value = 0;
        std::size_t length = 0;
        while (length < 3 && length < text.size() && text[length] >= '0' && text[length] <= '7') {
            value = value * 8 + static_cast<unsigned>(text[length++] - '0');
        }
        out += static_cast<char>(value & 0xFF);
        return length;
    }
    out += '\\';
    return std::numeric_limits<std::size_t>::max(); // not an escape: a literal backslash
}

} // namespace

bool isPickleUtf8(std::string_view text) {
    for (;;) {
        text.remove_prefix(asciiPrefix(text));
        if (text.empty()) {
            return true;
        }
        const Sequence sequence = readSequence(text);
        if (sequence.length == 0) {
            return false;
        }
        text.remove_prefix(sequence.length);
    }
}

std::optional<std::int64_t> littleInteger(std::span<const std::byte> digits) {
    if (digits.empty()) {
        return 0;
    }
    const bool negative = (std::to_integer<unsigned>(digits.back()) & 0x80U) != 0;
    const std::byte fill = negative ? std::byte{0xFF} : std::byte{0};
    std::size_t size = digits.size();
    while (size > 8 && digits[size - 1] == fill) {
        --size;
    }
    if (size > 8) {
        return std::nullopt;
    }
    std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
    std::memcpy(&value, digits.data(), size);
    const auto result = static_cast<std::int64_t>(value);
    if ((result < 0) != negative) {
        return std::nullopt;
    }
    return result;
}

IntegerSpelling readIntegerLine(std::string_view line) {
    std::string_view text = trimmedText(line);
    if (text.ends_with('L')) {
        text.remove_suffix(1);
    }
    IntegerSpelling result;
    result.digits = text;
    bool negative = false;
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
        negative = text[0] == '-';
        text.remove_prefix(1);
    }
    int base = 10;
    if (text.size() > 2 && text[0] == '0') {
        const char letter = static_cast<char>(text[1] | 0x20);
        base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
        text.remove_prefix(base == 10 ? 0 : 2);
    }
    bool digitBefore = base != 10;
    bool fits = true;
    std::uint64_t magnitude = 0;
    for (const char c : text) {
        if (c == '_' && digitBefore) {
            digitBefore = false;
            continue;
        }
        const int digit = digitValue(c);
        if (digit >= base) {
            return result;
        }
        digitBefore = true;
        fits = fits &&
               !__builtin_mul_overflow(magnitude, static_cast<std::uint64_t>(base), &magnitude) &&
               !__builtin_add_overflow(magnitude, static_cast<std::uint64_t>(digit), &magnitude);
    }
    constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
    result.valid = !text.empty() && digitBefore;
    if (result.valid && fits && (magnitude < kTop || (negative && magnitude == kTop))) {
        result.value = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
    }
    return result;
}

std::optional<double> readFloatLine(std::string_view line) {
    std::string_view text = trimmedText(line);
    const bool plus = text.starts_with('+');
    text.remove_prefix(plus ? 1 : 0);
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || end != text.data() + text.size() || (plus && text.starts_with('-'))) {
        return std::nullopt;
    }
    if (code == std::errc::result_out_of_range) {
        // from_chars leaves the value unchanged if it is out of range: tiny if the exponent is
        // negative, else infinite.
        const bool tiny =
            text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
        value = tiny ? 0.0 : std::numeric_limits<double>::infinity();
        return text.starts_with('-') ? -value : value;
    }
    return code == std::errc{} ? std::optional(value) : std::nullopt;
}

std::optional<std::string> unescapeString(std::string_view quoted) {
    quoted = trimmedText(quoted);
    if (quoted.size() < 2 || quoted.front() != quoted.back() ||
        (quoted.front() != '\'' && quoted.front() != '"')) {
        return std::nullopt;
    }
    std::string_view body = quoted.substr(1, quoted.size() - 2);
    std::string out;
    out.reserve(body.size());
    while (!body.empty()) {
        const std::size_t plain = std::min(body.find('\\'), body.size());
        out += body.substr(0, plain);
        body.remove_prefix(plain);
        if (body.empty()) {
            break;
        }
        body.remove_prefix(1);
        const std::size_t taken = unescapeOne(body, out);
        if (taken == 0) {
            return std::nullopt;
        }
        body.remove_prefix(taken > body.size() ? 0 : taken);
    }
    return out;
}

void appendUtf8(std::string& out, std::uint32_t codePoint) {
    const auto tail = [&](unsigned shift) {
        return static_cast<char>(0x80U | ((codePoint >> shift) & 0x3FU));
    };
    if (codePoint < 0x80) {
        out += static_cast<char>(codePoint);
    } else if (codePoint < 0x800) {
        out += {static_cast<char>(0xC0U | (codePoint >> 6)), tail(0)};
    } else if (codePoint < 0x10000) {
        out += {static_cast<char>(0xE0U | (codePoint >> 12)), tail(6), tail(0)};
    } else {
        out += {static_cast<char>(0xF0U | (codePoint >> 18)), tail(12), tail(6), tail(0)};
    }
}

std::optional<std::string> unescapeUnicode(std::string_view line) {
    std::string out;
    out.reserve(line.size());
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char kind = line[i] == '\\' && i + 1 < line.size() ? line[i + 1] : '\0';
        if (kind != 'u' && kind != 'U') {
            appendUtf8(out, static_cast<unsigned char>(line[i]));
            // A doubled backslash is two characters, and the second does not start an escape.
            if (kind == '\\') {
                out += '\\';
                ++i;
            }
            continue;
        }
        const std::size_t count = kind == 'u' ? 4 : 8;
        const auto value = hexDigits(line.substr(i + 2), count);
        if (!value || *value > 0x10FFFF) {
            return std::nullopt;
        }
        appendUtf8(out, *value);
        i += 1 + count;
    }
    return out;
}

std::optional<std::string> latin1Bytes(std::string_view utf8) {
    std::string out;
    out.reserve(utf8.size());
    while (!utf8.empty()) {
        const std::size_t plain = asciiPrefix(utf8);
        out += utf8.substr(0, plain);
        utf8.remove_prefix(plain);
        if (utf8.empty()) {
            break;
        }
        const Sequence sequence = readSequence(utf8);
        if (sequence.length == 0 || sequence.codePoint > 0xFF) {
            return std::nullopt;
        }
        out += static_cast<char>(sequence.codePoint);
        utf8.remove_prefix(sequence.length);
    }
    return out;
}

std::string integerToText(std::span<const std::byte> digits) {
    const bool negative =
        !digits.empty() && (std::to_integer<unsigned>(digits.back()) & 0x80U) != 0;
    std::vector<std::uint32_t> words((digits.size() + 3) / 4 + 1, 0);
    std::memcpy(words.data(), digits.data(), digits.size());
    if (negative) { // magnitude = ~value + 1, within the bytes that exist
        auto* raw = reinterpret_cast<unsigned char*>(words.data());
        unsigned carry = 1;
        for (std::size_t i = 0; i < digits.size(); ++i) {
            carry += static_cast<unsigned char>(~raw[i]);
            raw[i] = static_cast<unsigned char>(carry & 0xFF);
            carry >>= 8;
        }
        raw[digits.size()] = static_cast<unsigned char>(carry);
    }
    while (!words.empty() && words.back() == 0) {
        words.pop_back();
    }
    const bool hexadecimal = digits.size() > kMaxDecimalBytes;
    const std::uint64_t base = hexadecimal ? 16 : 1'000'000'000;
    const std::size_t width = hexadecimal ? 1 : 9;
    std::string out;
    if (hexadecimal) {
        for (const std::uint32_t word : words) {
            for (unsigned shift = 0; shift < 32; shift += 4) {
                out += "0123456789abcdef"[(word >> shift) & 15U];
            }
        }
    }
    while (!hexadecimal && !words.empty()) {
        std::uint64_t rest = 0;
        for (std::size_t i = words.size(); i-- > 0;) {
            const std::uint64_t value = (rest << 32) | words[i];
            words[i] = static_cast<std::uint32_t>(value / base);
            rest = value % base;
        }
        for (std::size_t i = 0; i < width; ++i, rest /= 10) {
            out += static_cast<char>('0' + rest % 10);
        }
        while (!words.empty() && words.back() == 0) {
            words.pop_back();
        }
    }
    while (out.size() > 1 && out.back() == '0') {
        out.pop_back();
    }
    out += out.empty() ? "0" : "";
    out += hexadecimal ? "x0" : "";
    out += negative ? "-" : "";
    std::ranges::reverse(out);
    return out;
}

} // namespace cairn::pickle
