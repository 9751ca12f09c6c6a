// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/numpy/numpy_time.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <limits>

namespace cairn::formats {
namespace {

struct Unit {
    std::string_view name;
    std::string_view words; ///< of a duration
    std::int64_t perSecond; ///< 0: a number of seconds instead
    std::int64_t seconds;   ///< 0: months or years
    int digits;             ///< of the fraction
};

constexpr auto kUnits = std::to_array<Unit>({
    {"Y", "years", 0, 0, 0},
    {"M", "months", 0, 0, 0},
    {"W", "weeks", 0, 604'800, 0},
    {"D", "days", 0, 86'400, 0},
    {"h", "hours", 0, 3'600, 0},
    {"m", "minutes", 0, 60, 0},
    {"s", "seconds", 0, 1, 0},
    {"ms", "milliseconds", 1'000, 0, 3},
    {"us", "microseconds", 1'000'000, 0, 6},
    {"ns", "nanoseconds", 1'000'000'000, 0, 9},
});

std::string padded(std::int64_t value, int width) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%0*lld", width, static_cast<long long>(value));
    return text.data();
}

/// Rounds towards negative infinity.
std::int64_t floorDiv(std::int64_t value, std::int64_t by) {
    return value / by - (value % by < 0 ? 1 : 0);
}

/// Empty: outside the years 1 to 9999.
std::string dayText(std::int64_t days) {
    if (days < -719'162 || days > 2'932'896) {
        return {};
    }
    const std::chrono::year_month_day day{std::chrono::sys_days(std::chrono::days(days))};
    return padded(int(day.year()), 4) + "-" + padded(unsigned(day.month()), 2) + "-" +
           padded(unsigned(day.day()), 2);
}

std::string monthText(std::int64_t months, bool withMonth) {
    const std::int64_t year = 1970 + floorDiv(months, 12);
    if (year < 1 || year > 9999) {
        return {};
    }
    return padded(year, 4) +
           (withMonth ? "-" + padded(months - floorDiv(months, 12) * 12 + 1, 2) : "");
}

std::string dateText(std::int64_t value, const Unit& unit) {
    if (unit.name == "Y" || unit.name == "M") {
        std::int64_t months = value;
        const bool fits = unit.name == "M" || !__builtin_mul_overflow(value, 12, &months);
        return fits ? monthText(months, unit.name == "M") : std::string();
    }
    std::int64_t seconds = 0;
    std::int64_t fraction = 0;
    if (unit.perSecond > 0) {
        seconds = floorDiv(value, unit.perSecond);
        fraction = value - seconds * unit.perSecond;
    } else if (__builtin_mul_overflow(value, unit.seconds, &seconds)) {
        return {};
    }
    const std::int64_t days = floorDiv(seconds, 86'400);
    std::string text = dayText(days);
    if (text.empty() || unit.seconds >= 86'400) {
        return text;
    }
    const std::int64_t within = seconds - days * 86'400;
    text += "T" + padded(within / 3600, 2);
    text += unit.seconds < 3600 ? ":" + padded(within / 60 % 60, 2) : "";
    text += unit.seconds < 60 ? ":" + padded(within % 60, 2) : "";
    return unit.digits > 0 ? text + "." + padded(fraction, unit.digits) : text;
}

} // namespace

std::string npyTimeText(bool isDate, std::int64_t value, std::string_view unit) {
    if (value == std::numeric_limits<std::int64_t>::min()) {
        return "NaT";
    }
    std::int64_t count = 1;
    const auto digits = std::from_chars(unit.data(), unit.data() + unit.size(), count);
    const std::string_view name =
        digits.ec == std::errc() ? unit.substr(static_cast<std::size_t>(digits.ptr - unit.data()))
                                 : unit;
    const auto* known = std::ranges::find(kUnits, name, &Unit::name);
    std::int64_t scaled = value;
    if (known != kUnits.end() && !__builtin_mul_overflow(value, count, &scaled)) {
        const std::string date = isDate ? dateText(scaled, *known) : std::string();
        return isDate && !date.empty() ? date
                                       : std::to_string(scaled) + " " + std::string(known->words);
    }
    return std::to_string(value) + (unit.empty() ? "" : " ") + std::string(unit);
}

} // namespace cairn::formats
