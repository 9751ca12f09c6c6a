// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace cairn {

/// A recorded number without loss: its nearest double and, of an integer beyond 2^53, what rounding
/// took from it. Integers of 64 bits have a rest between -1024 and 1024; all other numbers none.
/// Ordered as the numbers themselves, since rounding keeps their order.
///
/// Points of curves are kept as doubles, and their rests in a column that exists only if a number
/// of the curve has one: millions of ordinary points cost nothing more.
struct Number {
    double nearest = 0;
    std::int16_t rest = 0;

    constexpr Number() = default;
    constexpr Number(double number, std::int16_t beyond = 0) // NOLINT: a double is one
        : nearest(number), rest(beyond) {}
    template <std::integral Whole>
    constexpr Number(Whole whole) // NOLINT: exact
        : nearest(static_cast<double>(whole)),
          rest(restOf(static_cast<std::uint64_t>(whole), nearest)) {}

    /// An integer of 64 bits.
    [[nodiscard]] bool isInteger() const {
        return nearest == std::floor(nearest) && nearest >= -kEnd / 2 && *this < Number(kEnd);
    }
    /// Empty: not an integer of 64 bits with a sign.
    [[nodiscard]] std::optional<std::int64_t> asInt() const {
        return isInteger() && *this < Number(kEnd / 2)
                   ? std::optional(static_cast<std::int64_t>(wrapped(nearest) +
                                                             static_cast<std::uint64_t>(rest)))
                   : std::nullopt;
    }
    /// The digits of an integer of 64 bits: "9007199254740993".
    [[nodiscard]] std::string digits() const {
        const std::uint64_t exact = wrapped(nearest) + static_cast<std::uint64_t>(rest);
        return nearest < 0 ? std::to_string(static_cast<std::int64_t>(exact))
                           : std::to_string(exact);
    }

    /// Exact and as short as possible: "9007199254740993", "0.5", "1e+300", "nan".
    [[nodiscard]] std::string text() const {
        if (isInteger()) {
            return digits();
        }
        constexpr std::size_t kLongest = 32;
        std::array<char, kLongest> shown{};
        const auto end = std::to_chars(shown.data(), shown.data() + shown.size(), nearest);
        return {shown.data(), end.ptr};
    }

    [[nodiscard]] bool isNothing() const { return nearest != nearest; } ///< NaN: not recorded

    friend std::partial_ordering operator<=>(const Number&, const Number&) = default;
    friend bool operator==(const Number&, const Number&) = default;
    /// Exact wherever the difference is an integer below 2^53, which those of near numbers are.
    friend double operator-(const Number& left, const Number& right) {
        return (left.nearest - right.nearest) + (left.rest - right.rest);
    }
    /// Exact for integers while the sum has at most 64 bits.
    friend Number operator+(const Number& left, double right) {
        const double sum = left.nearest + right;
        if (!(std::abs(sum) >= kLargestExact && std::abs(sum) <= kEnd)) {
            return {sum + left.rest};
        }
        const double added = sum - left.nearest; // what rounding took from the sum (Knuth)
        const double lost = (left.nearest - (sum - added)) + (right - added) + left.rest;
        const double whole = sum + lost;
        return {whole, static_cast<std::int16_t>(std::round(lost - (whole - sum)))};
    }
    friend Number operator-(const Number& left, double right) { return left + -right; }

    /// 2^53: beyond it, doubles do not have all integers.
    static constexpr double kLargestExact = 9'007'199'254'740'992;

private:
    static constexpr double kEnd = 18'446'744'073'709'551'616.0; ///< 2^64

    /// A whole number of a double between -2^63 and 2^64, modulo 2^64.
    static constexpr std::uint64_t wrapped(double whole) {
        if (whole < 0) {
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(whole));
        }
        const auto half = static_cast<std::uint64_t>(whole / 2);
        return (half * 2) + static_cast<std::uint64_t>(whole - (static_cast<double>(half) * 2));
    }
    static constexpr std::int16_t restOf(std::uint64_t whole, double rounded) {
        return static_cast<std::int16_t>(static_cast<std::int64_t>(whole - wrapped(rounded)));
    }
};

/// The integer of 64 bits that the text is: digits with or without a sign, nothing else.
inline std::optional<Number> wholeNumberOfText(std::string_view text) {
    const auto parsed = [&]<std::integral Whole>(Whole value) -> std::optional<Number> {
        const bool isSigned = text.starts_with('+') && !text.starts_with("+-");
        const char* const begin = text.data() + (isSigned ? 1 : 0);
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(begin, end, value);
        return error == std::errc() && stop == end ? std::optional(Number(value)) : std::nullopt;
    };
    const auto whole = parsed(std::int64_t{});
    return whole ? whole : parsed(std::uint64_t{});
}

/// The order of two integers of any length, from their digits; nothing if one of the texts is none.
inline std::optional<std::strong_ordering> orderOfDigits(std::string_view left,
                                                         std::string_view right) {
    const auto isInteger = [](std::string_view text) {
        const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
        return !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
    };
    if (!isInteger(left) || !isInteger(right)) {
        return std::nullopt;
    }
    const auto magnitude = [](std::string_view text) {
        const std::size_t first = text.find_first_not_of("-0");
        return first == std::string_view::npos ? std::string_view() : text.substr(first);
    };
    const std::string_view l = magnitude(left);
    const std::string_view r = magnitude(right);
    const bool isLeftNegative = left.starts_with('-') && !l.empty();
    const bool isRightNegative = right.starts_with('-') && !r.empty();
    if (isLeftNegative != isRightNegative) {
        return isLeftNegative ? std::strong_ordering::less : std::strong_ordering::greater;
    }
    const auto order = l.size() != r.size() ? l.size() <=> r.size() : l <=> r;
    return !isLeftNegative ? order
           : order < 0     ? std::strong_ordering::greater
           : order > 0     ? std::strong_ordering::less
                           : order;
}

/// What rounding takes from the number that the text is; 0 unless it is a long integer.
inline std::int16_t restOfText(std::string_view text) {
    constexpr std::size_t kExactDigits = 15;
    const auto whole = text.size() > kExactDigits ? wholeNumberOfText(text) : std::nullopt;
    return whole ? whole->rest : std::int16_t{0};
}

} // namespace cairn
