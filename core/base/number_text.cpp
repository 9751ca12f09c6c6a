// SPDX-License-Identifier: Apache-2.0
#include "core/base/number_text.h"

#include "core/base/ascii.h"

#include <charconv>
#include <limits>
#include <string>

namespace cairn {
namespace {

/// from_chars, but out-of-range numbers become zero or infinity, as in Python.
std::optional<LeadingNumber> parse(std::string_view text) {
    const std::size_t sign = text.starts_with('+') || text.starts_with('-') ? 1 : 0;
    const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
    if (sign == 1 && text.size() > 1 && (text[1] == '-' || text[1] == '+')) {
        return std::nullopt;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
    const auto length = static_cast<std::size_t>(end - text.data());
    if (error == std::errc::invalid_argument) {
        return std::nullopt;
    }
    if (error == std::errc::result_out_of_range) {
        const std::string_view number = text.substr(0, length);
        const std::size_t exponent = number.find_first_of("eE");
        const bool tiny = exponent != std::string_view::npos
                              ? number.substr(exponent + 1).starts_with('-')
                              : number.starts_with("0.") || number.starts_with("-0.");
        const double size = tiny ? 0.0 : std::numeric_limits<double>::infinity();
        value = text.starts_with('-') ? -size : size;
    }
    return LeadingNumber{{value, restOfText(text.substr(0, length))}, length};
}

} // namespace

std::string_view trimmedText(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n\v\f";
    const std::size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::optional<double> numberOfText(std::string_view text) {
    text = trimmedText(text);
    if (text.starts_with("tensor(")) {
        text.remove_prefix(7);
        text = trimmedText(text.substr(0, text.find_first_of(",)")));
    }
    const auto number = parse(text);
    return number && number->length == text.size() && text.find('(') == std::string_view::npos
               ? std::optional(number->value.nearest)
               : std::nullopt;
}

std::optional<LeadingNumber> leadingNumber(std::string_view text) {
    // "12,345.5": groups of three digits after commas are part of the number.
    const std::size_t begin = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
    const auto digitsFrom = [&](std::size_t at) {
        std::size_t end = at;
        while (end < text.size() && isDigit(text[end])) {
            ++end;
        }
        return end - at;
    };
    std::size_t at = begin + digitsFrom(begin);
    std::string joined(text.substr(0, at));
    while (at > begin && at < text.size() && text[at] == ',' && digitsFrom(at + 1) == 3) {
        joined += text.substr(at + 1, 3);
        at += 4;
    }
    if (joined.size() == at) {
        return parse(text); // no commas
    }
    if (at < text.size() && text[at] == '.') {
        const std::size_t fraction = 1 + digitsFrom(at + 1);
        joined += text.substr(at, fraction);
        at += fraction;
    }
    const auto number = parse(joined);
    return number ? std::optional(LeadingNumber{number->value, at}) : std::nullopt;
}

} // namespace cairn
